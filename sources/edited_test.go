package sources

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/schemas"
)

// edited writes a file of graphs/ again with another column, as other programs do.
func edited(t *testing.T, file []byte, name string, change func(arrow.Array) arrow.Array) []byte {
	t.Helper()
	r, err := schemas.NewParquetReader(bytes.NewReader(file), int64(len(file)), schemas.ReaderOptions{})
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
	var b bytes.Buffer
	w, err := schemas.NewParquetWriter(&b, rec.Schema(), schemas.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rejects are the reasons and details of all rows.
func rejects(t *testing.T, file []byte) (all []string) {
	t.Helper()
	rows, _, err := read(t, write(t, "graphs", file), Position{})
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
