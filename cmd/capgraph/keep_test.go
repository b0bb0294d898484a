package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// writeWidth makes a Parquet file with one caption and its width, of the type.
func writeWidth(t *testing.T, path string, typ arrow.DataType, width string) {
	t.Helper()
	writeKept(t, path, "caption", "width", typ, width)
}

// writeKept makes a Parquet file with one caption and the value of a column of
// the type.
func writeKept(t *testing.T, path, caption, column string, typ arrow.DataType, value string) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		schemas.Field(caption, arrow.BinaryTypes.String), schemas.Field(column, typ)}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.StringBuilder).Append("a black dog on a couch")
	if err := b.Field(1).AppendValueFromString(value); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := parquetio.NewWriter(&file, schema, parquetio.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(b.NewRecord()), w.Close(), os.WriteFile(path, file.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// A kept column has the type that it has in the first file that can be read. A
// file where it is another fails, rather than give zeros, also once the types
// are known from an index.
func TestKeptTypes(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	recipe := filepath.Join(dir, "pipeline.yaml")
	settings := "source: {format: parquet, paths: " + in + "/*.parquet, keep: [width]}\noutput: {dir: " + out + "}\n"
	if err := errors.Join(os.Mkdir(in, 0o700), os.WriteFile(recipe, []byte(settings), 0o600),
		os.WriteFile(filepath.Join(in, "a.parquet"), []byte("PAR1 broken PAR1"), 0o600)); err != nil {
		t.Fatal(err)
	}
	writeWidth(t, filepath.Join(in, "b.parquet"), arrow.PrimitiveTypes.Int64, "640")
	writeWidth(t, filepath.Join(in, "c.parquet"), arrow.PrimitiveTypes.Float64, "512")
	parse := func(on string, want int) string {
		t.Helper()
		code, said, errs := command("", "run", recipe, "--only", "parse", "--progress", "none", "--set", "source.on_bad_file="+on, "--set", "source.max_bad_files=1")
		if code != want {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		return said + errs
	}
	const wrong = "in/c.parquet: column \"width\" is float64, and int64 in the first file that could be read"
	if code, _, errs := command("", "run", recipe, "--only", "index", "--progress", "none"); code != 0 {
		t.Fatal(errs)
	}
	if said := parse("skip", 0); !strings.Contains(said, "1 out to graphs/") {
		t.Errorf("said\n%s", said)
	}
	if said := parse("fail", exitFailed); !strings.Contains(said, wrong) || !strings.Contains(said, "source.keep") {
		t.Errorf("said\n%s", said)
	}
	if code, rows, errs := command("", "cat", "--columns", "width", filepath.Join(out, "graphs", "train-00001-of-00003.parquet")); code != 0 || rows != "{\"width\":640}\n" {
		t.Errorf("exit code %d, rows %s%s", code, rows, errs)
	}
	// The broken file is mended with the other type: those of the index stand.
	writeWidth(t, filepath.Join(in, "a.parquet"), arrow.PrimitiveTypes.Float64, "320")
	if said := parse("fail", exitFailed); !strings.Contains(said, wrong) || !strings.Contains(said, "in/a.parquet: column \"width\" is float64") {
		t.Errorf("said\n%s", said)
	}
}

// A column that holds nothing in one file, for which pyarrow has a type of its
// own, is null there and of the other files' type.
func TestKeptColumnOfNulls(t *testing.T) {
	dir := t.TempDir()
	nulls, err := os.ReadFile("../../internal/parquetio/testdata/parquet/gzip_v2_plain.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.parquet", "3.parquet"} {
		if err := os.WriteFile(filepath.Join(dir, name), nulls, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writeKept(t, filepath.Join(dir, "2.parquet"), "text", "nothing", arrow.PrimitiveTypes.Int64, "640")
	recipe := filepath.Join(dir, "pipeline.yaml")
	settings := "source: {format: parquet, columns: {caption: text}, keep: [nothing]}\n"
	if err := os.WriteFile(recipe, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ files, first, last string }{
		"before a number": {"[12]", "null", "640"},
		"after a number":  {"[23]", "640", "null"},
		"alone":           {"1", "null", "null"},
	} {
		out := filepath.Join(dir, name)
		for _, pass := range []string{"index", "parse"} {
			if code, _, errs := command("", "run", recipe, "--only", pass, "--progress", "none",
				"--set", "output.dir="+out, "--set", "source.paths="+dir+"/"+c.files+".parquet"); code != 0 {
				t.Fatal(errs)
			}
		}
		shards, err := filepath.Glob(filepath.Join(out, "graphs", "*.parquet"))
		if err != nil || len(shards) == 0 {
			t.Fatal(shards, err)
		}
		for i, want := range map[int]string{0: c.first, len(shards) - 1: c.last} {
			if code, rows, errs := command("", "cat", "--columns", "nothing", "--limit", "1", shards[i]); code != 0 || rows != `{"nothing":`+want+"}\n" {
				t.Errorf("%s, %s: exit code %d, rows %s%s, want %s", name, shards[i], code, rows, errs, want)
			}
		}
	}
}
