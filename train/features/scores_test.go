package features

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/schemas"
	"capgraph/testing/golden"
	"capgraph/train/model"
)

// spelled is a tokenizer of texts that are their tokens.
type spelled struct{ letters }

func (spelled) Encode(dst []int32, text string) []int32 {
	for _, word := range strings.Fields(strings.Trim(text, "[]")) {
		var id int32
		fmt.Sscan(word, &id)
		dst = append(dst, id)
	}
	return dst
}

// Scores are those that PyTorch computes while a model is trained, one pair at a time.
func TestScoresArePyTorchs(t *testing.T) {
	g, err := golden.ReadOCCLIP()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []kernels.Device{kernels.NewReference(), cpu.New()} {
		defer d.Close()
		m, err := model.New(d, g.Model, model.ImageTower, model.TextTower, model.BindingTower)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Weights.Apply(m); err != nil {
			t.Fatal(err)
		}
		e := New(m, spelled{})
		var tau [1]float64
		d.Read(tau[:], m.BindingScale().Value)
		for _, c := range g.Cases {
			said := func(text int) string { return fmt.Sprint(c.Texts[text]) }
			e.Parse = func(text string, to *schemas.SceneGraph) {
				var i int
				fmt.Sscanf(text, "graph %d", &i)
				for _, node := range c.Graphs[i].Nodes {
					to.Objects = append(to.Objects, schemas.Object{Name: said(node)})
				}
				for _, r := range c.Graphs[i].Relations {
					to.Relations = append(to.Relations, schemas.Relation{Predicate: said(r[0]), Subject: int32(r[1]), Object: int32(r[2])})
				}
			}
			var texts []string
			for i := range c.Graphs {
				texts = append(texts, fmt.Sprintf("graph %d", i))
			}
			e.ForgetTexts()
			got, err := e.Scores(c.Images, texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range c.Scores {
				for j, want := range row {
					if want /= math.Exp(tau[0]); math.Abs(float64(got[i][j])-want) > 1e-5 {
						t.Fatalf("%s, %s: image %d and graph %d have %v, not %v", d.Name(), c.Name, i, j, got[i][j], want)
					}
				}
			}
			// The same texts again, in another order, and none.
			slices.Reverse(texts)
			again, err := e.Scores(c.Images, texts)
			if err != nil || math.Abs(float64(again[0][0]-got[0][len(texts)-1])) > 1e-5 {
				t.Errorf("%s: %v, then %v, %v", c.Name, got[0], again[0], err)
			}
			if none, err := e.Scores(c.Images, nil); err != nil || len(none) != c.N || len(none[0]) != 0 {
				t.Errorf("no texts give %v, %v", none, err)
			}
		}
		e.ForgetTexts()
		m.Free()
	}
}

func TestWhatHasNoGraphIsOneNode(t *testing.T) {
	g, err := golden.ReadOCCLIP()
	if err != nil {
		t.Fatal(err)
	}
	d := kernels.NewReference()
	m, err := model.New(d, g.Model)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Weights.Apply(m); err != nil {
		t.Fatal(err)
	}
	e := New(m, spelled{})
	c := g.Cases[0]
	plain, err := e.Scores(c.Images, []string{"[62 4 5 63]", "[62 4 63]"})
	if err != nil || plain[0][0] == plain[0][1] {
		t.Fatal(plain, err)
	}
	e.Parse = func(string, *schemas.SceneGraph) {}
	e.ForgetTexts()
	parsed, err := e.Scores(c.Images, []string{"[62 4 5 63]", "[62 4 63]"})
	if err != nil || !slices.Equal(plain[0], parsed[0]) {
		t.Errorf("%v, %v, not %v", parsed[0], err, plain[0])
	}
	e = small(t, d)
	if _, err := e.Scores(pixels(1), nil); e.HasBinding() || err == nil {
		t.Error("a model without a binding scores")
	}
}
