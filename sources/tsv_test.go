package sources

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"capgraph/schemas"
	"capgraph/store"
)

// write puts data into a file of the test and returns the options to read it.
func write(t testing.TB, format string, data []byte) Options {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return Options{Format: format, Paths: []string{path}}
}

// open opens the first file of opts at from.
func open(t testing.TB, opts Options, from schemas.Position) (Reader, error) {
	t.Helper()
	files, err := Expand(store.Local{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	files[0].Key = "00000"
	return Open(context.Background(), store.Local{}, files[0], opts, from)
}

// read returns all rows from a position on, the position after each, and the
// error that ended them, or nil.
func read(t testing.TB, opts Options, from schemas.Position) (rows []Row, after []schemas.Position, err error) {
	t.Helper()
	r, err := open(t, opts, from)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if cerr := r.Close(); cerr != nil {
			t.Errorf("close: %v", cerr)
		}
	}()
	for {
		var row Row
		if err := r.Next(&row); errors.Is(err, io.EOF) {
			return rows, after, nil
		} else if err != nil {
			return rows, after, err
		}
		rows = append(rows, row)
		after = append(after, r.Position())
	}
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstded(t testing.TB, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

// checkResume opens a reader after each row: it gives what a reader from the
// beginning gives.
func checkResume(t *testing.T, opts Options) {
	t.Helper()
	all, after, err := read(t, opts, schemas.Position{})
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range after {
		if at.Row != int64(i+1) {
			t.Errorf("position after row %d: %+v", i, at)
		}
		rest, _, err := read(t, opts, at)
		if err != nil {
			t.Errorf("from %+v: %v", at, err)
		}
		if want := all[i+1:]; len(rest) != len(want) || len(want) > 0 && !reflect.DeepEqual(rest, want) {
			t.Errorf("from %+v: %v\nwant %v", at, rest, want)
		}
	}
}

func TestTSV(t *testing.T) {
	data := "http://a/1\ta \"red\" bus\r\nhttp://a/2\tzwei Männer\nno tab\nhttp://a/3\t\nhttp://a/1\tlast"
	for name, data := range map[string][]byte{
		"plain": []byte(data), "bom": append(byteOrderMark, data...), "gzip": gzipped(t, []byte(data)), "zstd": zstded(t, []byte(data)),
		"two gzip members": append(gzipped(t, []byte(data[:20])), gzipped(t, []byte(data[20:]))...),
	} {
		t.Run(name, func(t *testing.T) {
			opts := write(t, "cc12m", data)
			opts.Keep = []string{"url"}
			rows, _, err := read(t, opts, schemas.Position{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range rows {
				got = append(got, fmt.Sprintf("%s|%s|%s|%s|%d|%s|%v", r.Key, r.ImageKey, r.Image, r.Caption, r.SourceRow, r.Reject, r.Keep))
			}
			want := []string{
				`00000-000000000|http://a/1|http://a/1|a "red" bus|0||[http://a/1]`,
				`00000-000000001|http://a/2|http://a/2|zwei Männer|1||[http://a/2]`,
				`00000-000000002|00000-000000002|||2|malformed|[]`,
				`00000-000000003|http://a/3|http://a/3||3||[http://a/3]`,
				`00000-000000004|http://a/1|http://a/1|last|4||[http://a/1]`,
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			checkResume(t, opts)
		})
	}
}

func TestCC3MColumnOrder(t *testing.T) {
	opts := write(t, "cc3m", []byte("a bus .\thttp://a/1\n"))
	rows, _, err := read(t, opts, schemas.Position{})
	if err != nil || len(rows) != 1 || rows[0].Caption != "a bus ." || rows[0].Image != "http://a/1" {
		t.Errorf("%+v, %v", rows, err)
	}
}
