package sources

import (
	"errors"
	"io"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
)

// A scan gives the rows that reading gives, but for keys that come twice.
func TestScan(t *testing.T) {
	opts := write(t, "jsonl", []byte(`{"caption": "a", "key": "1", "image": "x"}
{"caption": "b", "key": "1", "image": "x"}
{"caption": 5}
{"caption": "c", "key": "2", "image": "y"}
`))
	opts.Columns = map[string][]string{Caption: {"caption"}, Key: {"key"}, Image: {"image"}}
	rows, after, err := read(t, opts, schemas.Position{})
	if err != nil || len(rows) != 4 || rows[1].Reject != RejectDuplicateKey {
		t.Fatalf("%+v, %v", rows, err)
	}
	files, err := Expand(store.Local{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	files[0].Key = "00000"
	r, err := Scan(t.Context(), store.Local{}, files[0], opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var row Row
	for i, want := range rows {
		if err := r.Next(&row); err != nil {
			t.Fatal(err)
		}
		if want.Reject == RejectDuplicateKey {
			want.Reject = ""
		}
		if row.Key != want.Key || row.ImageKey != want.ImageKey || row.Reject != want.Reject || r.Position() != after[i] {
			t.Errorf("row %d: %+v, want %+v", i, row, want)
		}
	}
	if err := r.Next(&row); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
