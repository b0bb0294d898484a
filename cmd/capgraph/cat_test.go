package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// writeCaptions makes a Parquet file with the columns key and n.
func writeCaptions(t *testing.T, name string, keys ...string) string {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		schemas.Field("key", arrow.BinaryTypes.String), schemas.Field("n", arrow.PrimitiveTypes.Int64)}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i, k := range keys {
		b.Field(0).(*array.StringBuilder).Append(k)
		b.Field(1).(*array.Int64Builder).Append(int64(i))
	}
	var file bytes.Buffer
	w, err := parquetio.NewWriter(&file, schema, parquetio.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(b.NewRecord()), w.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCat(t *testing.T) {
	a, b := writeCaptions(t, "a.parquet", "x", "ein \"Hund\"\n🐕"), writeCaptions(t, "b.parquet", "y", "z")
	empty := writeCaptions(t, "empty.parquet")
	text := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(text, []byte("a brown cat lies on a computer\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		args     []string
		out, err string
		code     int
	}{
		{"a file", []string{a}, `{"key":"x","n":0}` + "\n" + `{"key":"ein \"Hund\"\n🐕","n":1}` + "\n", "", 0},
		{"all rows of all files", []string{a, b, a, "--columns", "n"}, strings.Repeat("{\"n\":0}\n{\"n\":1}\n", 3), "", 0},
		{"a column", []string{b, "--columns", "n"}, "{\"n\":0}\n{\"n\":1}\n", "", 0},
		{"columns in the order asked for", []string{b, "--columns", "n,key", "--limit", "1"}, `{"n":0,"key":"y"}` + "\n", "", 0},
		{"a limit over files", []string{a, b, "--limit", "3", "--columns", "n"}, "{\"n\":0}\n{\"n\":1}\n{\"n\":0}\n", "", 0},
		{"no rows", []string{empty}, "", "", 0},
		{"a file that is not there", []string{"nowhere.parquet"}, "", "nowhere.parquet: no such file", exitFailed},
		{"what came before an error is printed", []string{b, "nowhere.parquet", "--columns", "n"}, "{\"n\":0}\n{\"n\":1}\n", "nowhere.parquet", exitFailed},
		{"not Parquet", []string{text}, "", "captions.tsv: is no Parquet file", exitFailed},
		{"a folder", []string{filepath.Dir(a)}, "", "a folder", exitFailed},
		{"a column that is missing", []string{a, "--columns", "pos"}, "", `column "pos" is missing; the file has ["key" "n"]`, exitFailed},
		{"a negative limit", []string{a, "--limit=-1"}, "", "want 0 or more", exitUsage},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, stderr bytes.Buffer
			code := run(t.Context(), append([]string{"cat"}, c.args...), streams{in: strings.NewReader(""), out: &out, err: &stderr})
			if code != c.code || out.String() != c.out || !strings.Contains(stderr.String(), c.err) || c.err == "" && stderr.Len() > 0 {
				t.Errorf("exit %d, printed\n%s%s\nwant exit %d\n%s%s", code, &out, &stderr, c.code, c.out, c.err)
			}
		})
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestCatIntoClosedPipeIsQuiet(t *testing.T) {
	var stderr bytes.Buffer
	file := writeCaptions(t, "a.parquet", strings.Repeat("long ", 50_000))
	if code := run(t.Context(), []string{"cat", file}, streams{out: closedPipe{}, err: &stderr}); code != 0 || stderr.Len() > 0 {
		t.Errorf("exit %d: %s", code, &stderr)
	}
}
