package sources

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// edited writes a file of graphs/ again with another column, as other programs do.
func edited(t *testing.T, file []byte, name string, change func(arrow.Array) arrow.Array) []byte {
	t.Helper()
	r, err := parquetio.NewReader(bytes.NewReader(file), int64(len(file)), parquetio.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rec, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	fields, columns := rec.Schema().Fields(), make([]arrow.Array, rec.NumCols())
	for i := range columns {
		columns[i] = rec.Column(i)
		if fields[i].Name == name {
			fields[i].Nullable, columns[i] = true, change(columns[i])
		}
	}
	rec = array.NewRecord(arrow.NewSchema(fields, nil), columns, rec.NumRows())
	defer rec.Release()
	return batchFile(t, rec, 0)
}

// rejects are the reasons and details of all rows.
func rejects(t *testing.T, file []byte) (all []string) {
	t.Helper()
	rows, _, err := read(t, write(t, "graphs", file), schemas.Position{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		all = append(all, fmt.Sprint(r.Reject, "|", r.Detail))
	}
	return all
}

// A row to which a join found no graph is not one that says nothing.
func TestGraphsThatAreNull(t *testing.T) {
	graphs := []schemas.SceneGraph{busGraph, busGraph, {}}
	file := graphsFile(t, graphs, []string{"a red bus on it", "a red bus on it", "a"}, 0)
	file = edited(t, file, schemas.ColGraph, func(a arrow.Array) arrow.Array {
		return array.MakeFromData(array.NewData(a.DataType(), a.Len(), []*memory.Buffer{memory.NewBufferBytes([]byte{0b101})}, a.Data().Children(), 1, 0))
	})
	if got, want := rejects(t, file), []string{"|", "missing_graph|graph is null", "|"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What no parser gives is not taken over.
func TestGraphsThatAreMalformed(t *testing.T) {
	const text = "a caf\u00e9 on a road"
	graph := func(change func(*schemas.SceneGraph)) schemas.SceneGraph {
		g := schemas.SceneGraph{
			Objects: []schemas.Object{
				{Name: "caf\u00e9", Head: "caf\u00e9", Begin: 2, End: 7},
				{Name: "road", Head: "road", Begin: 13, End: 17, Attributes: []schemas.Attribute{{Text: "a", Form: schemas.Pre, Begin: 11, End: 12}}},
			},
			Relations: []schemas.Relation{{Subject: 0, Predicate: "on", Lemma: "on", Object: 1, Begin: 8, End: 10}},
		}
		change(&g)
		return g
	}
	graphs := []schemas.SceneGraph{
		graph(func(*schemas.SceneGraph) {}),
		graph(func(g *schemas.SceneGraph) { g.Objects[0].End = 6 }),
		graph(func(g *schemas.SceneGraph) { g.Objects[1].Attributes[0].Begin = 6 }),
		graph(func(g *schemas.SceneGraph) { g.Relations[0].Begin = 6 }),
		graph(func(g *schemas.SceneGraph) { g.Objects[1].End = 18 }),
		graph(func(g *schemas.SceneGraph) { g.Relations[0].Lemma = "" }),
	}
	texts := make([]string, len(graphs))
	for i := range texts {
		texts[i] = text
	}
	want := []string{
		"|", "malformed_graph|object caf\u00e9 is bytes 2 to 6 of the text, which cuts a character", "malformed_graph|attribute a is bytes 6 to 12 of the text, which cuts a character",
		"malformed_graph|relation on is bytes 6 to 10 of the text, which cuts a character", "malformed_graph|object road is bytes 13 to 18 of a text of 17",
		`malformed_graph|relation 0, "on", has no lemma`,
	}
	if got := rejects(t, graphsFile(t, graphs, texts, 0)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	for i := range graphs {
		graphs[i] = graphs[0]
	}
	file := edited(t, graphsFile(t, graphs, texts, 0), schemas.ColConfidence, func(arrow.Array) arrow.Array {
		b := array.NewFloat32Builder(memory.DefaultAllocator)
		defer b.Release()
		b.AppendValues([]float32{0, 1, 5, -0.5, float32(math.NaN()), 0}, []bool{true, true, true, true, true, false})
		return b.NewArray()
	})
	const outside = ", not in 0 to 1"
	want = []string{
		"|", "|", "malformed_graph|confidence is 5" + outside, "malformed_graph|confidence is -0.5" + outside,
		"malformed_graph|confidence is NaN" + outside, "malformed_graph|confidence is NaN" + outside,
	}
	if got := rejects(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
