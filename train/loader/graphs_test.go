package loader

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/store"
)

// writeGraphs writes the graphs beside the texts of a folder. Each caption has its own graph, and
// there are rows that the texts do not have.
func writeGraphs(t *testing.T, dir string, images []captionedImage, perShard int) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, "graphs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for shard := 0; shard*perShard < len(images); shard++ {
		keys, texts := array.NewStringBuilder(memory.DefaultAllocator), array.NewStringBuilder(memory.DefaultAllocator)
		parsed := schemas.NewParsedBuilder(memory.DefaultAllocator)
		add := func(key, text string, g schemas.SceneGraph) {
			keys.Append(key)
			texts.Append(text)
			parsed.Append(&schemas.Parsed{Graph: g})
		}
		for _, image := range images[shard*perShard : min(len(images), (shard+1)*perShard)] {
			for i, caption := range image.captions {
				key := fmt.Sprintf("%s#%d", image.key, i)
				add(key, "a duplicate", schemas.SceneGraph{Objects: []schemas.Object{{Name: "wrong"}}})
				add(key, caption, graphOf(caption))
			}
		}
		fields := []arrow.Field{schemas.Field(schemas.ColKey, arrow.BinaryTypes.String), schemas.Field(schemas.ColText, arrow.BinaryTypes.String), schemas.Field(schemas.ColGraph, schemas.GraphType())}
		columns := []arrow.Array{keys.NewArray(), texts.NewArray(), parsed.NewColumns()[1]}
		temp, err := store.Local{}.Create(filepath.Join(dir, "graphs", fmt.Sprintf("%05d.parquet", shard)))
		if err != nil {
			t.Fatal(err)
		}
		defer temp.Discard()
		schema := arrow.NewSchema(fields, nil)
		w, err := parquetio.NewWriter(temp, schema, parquetio.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(array.NewRecord(schema, columns, int64(columns[0].Len()))), w.Close(), temp.Publish()); err != nil {
			t.Fatal(err)
		}
	}
}

// graphOf returns a graph that differs from that of any other caption; for some captions, none.
func graphOf(caption string) schemas.SceneGraph {
	if strings.HasSuffix(caption, "3") {
		return schemas.SceneGraph{}
	}
	return schemas.SceneGraph{
		Objects:   []schemas.Object{{Name: "thing of " + caption}, {Name: "table"}},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "on", Lemma: "on", Object: 1}},
	}
}

func TestSamplesHaveTheGraphsOfTheirCaptions(t *testing.T) {
	images := makeImages("i", 40)
	dir := writeTexts(t, images, 7)
	writeGraphs(t, dir, images, 7)
	for _, texts := range []string{dir, filepath.Join(dir, "texts")} {
		o := testOptions(texts)
		o.Graphs = true
		l := openLoader(t, o)
		altered := 0
		for range 2 * l.Steps() {
			b, err := l.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range b.Samples {
				g := graphOf(s.Caption.Text)
				if want := scenegraph.NewWordGraph(s.Caption.Text, &g); !reflect.DeepEqual(s.Graph, want) {
					t.Fatalf("%s has the graph %+v", s.Caption.Text, s.Graph)
				}
				if s.Altered.Relation >= 0 {
					altered++
				}
			}
			l.Release(b)
		}
		if altered == 0 {
			t.Error("no relation was altered")
		}
	}
	for _, s := range takeBatches(t, openLoader(t, testOptions(dir)), 1) {
		if strings.Contains(s, "Predicate:") {
			t.Error("a plan that wants no graphs has some")
		}
	}
}

func TestGraphsThatAreNotThoseOfTheTexts(t *testing.T) {
	images := makeImages("i", 20)
	for what, c := range map[string]struct {
		do   func(dir string)
		says string
	}{
		"none":   {func(string) {}, "which has both"},
		"others": {func(dir string) { writeGraphs(t, dir, makeImages("k", 20), 20) }, "no such row"},
		"broken": {func(dir string) {
			if err := errors.Join(os.Mkdir(filepath.Join(dir, "graphs"), 0o755), os.WriteFile(filepath.Join(dir, "graphs", "00000.parquet"), []byte("PAR1 and no more"), 0o666)); err != nil {
				t.Fatal(err)
			}
		}, "graphs/00000.parquet"},
	} {
		dir := writeTexts(t, images, 20)
		c.do(dir)
		o := testOptions(dir)
		o.Graphs = true
		if _, err := openLoader(t, o).Next(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
