package synth

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strings"

	"capgraph/store"
)

// GraphsFile returns the path of the file with the graphs of the training scenes: a CSV in
// FACTUAL's form, with the scene's key as region_id.
func GraphsFile(dir string) string { return store.Join(dir, "graphs.csv") }

// Graph returns the graph of the scene's caption, in FACTUAL's form.
func (s Scene) Graph() string {
	var all []string
	add := func(subject, predicate, object string) {
		all = append(all, fmt.Sprintf("( %s , %s , %s )", subject, predicate, object))
	}
	for _, o := range s.Objects {
		words := strings.Fields(s.describe(o))
		for _, attribute := range words[1 : len(words)-1] {
			add(Shapes[o.Shape].Name, "is", attribute)
		}
	}
	wording, grounded := s.drawWording()
	if words := strings.Fields(wording); len(s.Objects) == 2 && words[1] != "and" {
		predicate := strings.TrimPrefix(strings.Join(words[1:len(words)-1], " "), "is ")
		first, second := s.Objects[0].Shape, s.Objects[1].Shape
		if words[0] == "{2}" {
			first, second = second, first
		}
		add(Shapes[first].Name, predicate, Shapes[second].Name)
	}
	if grounded {
		on, ground, _ := strings.Cut(Grounds[s.Ground].Phrase, " ")
		for _, o := range s.Objects {
			add(Shapes[o.Shape].Name, on, ground)
		}
	}
	return strings.Join(all, " , ")
}

// writeGraphs writes the file of the graphs of the training scenes.
func (s *Scenes) writeGraphs(ctx context.Context, files store.Store, dir string) error {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	if err := out.Write([]string{"image_id", "region_id", "caption", "scene_graph"}); err != nil {
		return err
	}
	for i := range s.Train {
		if i%blockScenes == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		scene, key := s.TrainScene(i), trainKey(i)
		if err := out.Write([]string{key, key, scene.Caption(), scene.Graph()}); err != nil {
			return err
		}
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	return store.ReplaceFile(files, GraphsFile(dir), text.Bytes())
}
