package parquetio

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"
)

// rowsOf decodes JSON lines, with numbers as they were written but for ".0".
func rowsOf(t *testing.T, lines []byte) (rows []any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(lines))
	d.UseNumber()
	for {
		var row any
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			return rows
		} else if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, plainNumbers(row))
	}
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return strings.TrimSuffix(string(v), ".0")
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plainNumbers(v[k])
		}
	}
	return v
}

func jsonOf(t *testing.T, file []byte, o ReaderOptions, from int64) []byte {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	o.Mem = mem
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.SeekToRow(from); err != nil {
		t.Fatal(err)
	}
	var lines []byte
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(rec.NumRows()) {
			lines = append(AppendRowJSON(lines, rec, i), '\n')
		}
		rec.Release()
	}
}

// The files were written by pyarrow: testdata/parquet/make.py.
func TestReadsFilesOfOthers(t *testing.T) {
	expected, err := os.ReadFile("testdata/parquet/rows.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := rowsOf(t, expected)
	files, err := filepath.Glob("testdata/parquet/*.parquet")
	if err != nil || len(files) < 7 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := want
			if filepath.Base(name) == "empty.parquet" {
				want = nil
			}
			for _, batch := range []int{0, 1, 3, 7} {
				for from := 0; from <= len(want); from += 3 {
					got := rowsOf(t, jsonOf(t, file, ReaderOptions{BatchRows: batch}, int64(from)))
					if len(got) != len(want)-from {
						t.Fatalf("%d rows from row %d, want %d", len(got), from, len(want)-from)
					}
					for i := range got {
						if strings.Contains(name, "int96") { // the old timestamps don't know UTC
							got[i].(map[string]any)["ts_ms_utc"] = want[from+i].(map[string]any)["ts_ms_utc"]
						}
						if !reflect.DeepEqual(got[i], want[from+i]) {
							t.Fatalf("row %d:\n%v\nwant\n%v", from+i, got[i], want[from+i])
						}
					}
				}
			}
		})
	}
}
