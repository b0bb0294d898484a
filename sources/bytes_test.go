package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/testing/bombs"
	"capgraph/testing/heap"
)

// longNames is a tar with a sample of 150 members, whose names fill a megabyte each.
func longNames(t testing.TB) []byte {
	files := [][2]string{{"a.txt", "ok"}}
	for i := range 150 {
		files = append(files, [2]string{fmt.Sprintf("b.%d", i) + strings.Repeat("x", 1_000_000), ""})
	}
	return tarOf(t, files...)
}

// Files of some kilobytes that hold gigabytes are read in a bounded heap: row by row, each
// a caption or a reject, or up to an error that says what is too large.
func TestBombs(t *testing.T) {
	parquet := func(rows int, columns ...bombs.Column) []byte {
		file, err := bombs.Parquet(rows, columns...)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	lines, err := bombs.Lines(1_000_000, 150)
	if err != nil {
		t.Fatal(err)
	}
	many := strings.Repeat(`"",`, 1_500_000)
	for _, c := range []struct {
		name, format string
		file         []byte
		want         string
		most         uint64 // MB
	}{
		{"900 kB in each row", "parquet", parquet(300, bombs.Column{Name: Caption, Size: 900_000}), "300 captions", 64},
		{"100 MB in each row", "parquet", parquet(1000, bombs.Column{Name: Caption, Size: 100 << 20}), "1000 row_too_large", 150},
		{"900 kB in each row", "img2dataset", parquet(600, bombs.Column{Name: Caption, Size: 900_000}, bombs.Column{Name: Key, Size: 9}), "sorted in memory", 450},
		{"lines of 1 MB", "cc12m", lines, "150 captions", 64},
		{"an image of 1.5 million captions", "karpathy", gzipped(t, []byte(`[{"image": "1", "caption": [`+many+`""]}, {"image": "2", "caption": "ok"}]`)), "1 row_too_large, 1 captions", 64},
		{"an image of 1.5 million regions", "visualgenome", gzipped(t, []byte(`[{"image_id": 1, "regions": [`+many+`{}]}, {"image_id": 2, "regions": [{"region_id": 3, "phrase": "ok"}]}]`)), "1 row_too_large, 1 captions", 64},
		{"an object of 1.5 million relations", "gqa", gzipped(t, []byte(`{"1": {"objects": {"2": {"name": "bus", "relations": [`+many+`""]}}}, "3": {"objects": {"4": {"name": "ok"}}}}`)), "1 malformed_graph, 1 captions", 64},
		{"a cell that does not close", "csv", gzipped(t, append([]byte("image,caption\n1,\""), bytes.Repeat([]byte("x, y\n"), 1_000_000)...)), "1 malformed, 999999 captions", 64},
		{"rows of quotation marks", "csv", gzipped(t, append([]byte("image,caption\n"), bytes.Repeat([]byte("\"\n"), 300_000)...)), "malformed", 64},
		{"a row of 1.5 million captions", "jsonl", gzipped(t, []byte(`{"caption": [`+many[:900_000]+`""]}`+"\n"+`{"caption": "ok"}`)), "1 row_too_large, 1 captions", 64},
		{"an image of 1.5 million captions", "json", gzipped(t, []byte(`{"1": [`+many+`""], "2": "ok"}`)), "1 row_too_large, 1 captions", 64},
		{"10 million NaN", "json", gzipped(t, []byte(`[`+strings.Repeat(`{"n": [NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN]},`, 100_000)+`{"caption": "ok"}]`)), "100000 missing_caption, 1 captions", 64},
		{"150 MB of names of members", "webdataset", gzipped(t, longNames(t)), "1 captions, 1 missing_caption", 64},
		{"annotations of 200 fields", "coco", gzipped(t, []byte(`{"images": [], "annotations": [`+strings.Repeat(`{},`, 60_000)+`{}]}`)), "384 MiB", 450},
	} {
		opts := write(t, c.format, c.file)
		opts.Where = map[string]string{}
		for i := 0; c.format == "coco" && i < 200; i++ {
			opts.Keep = append(opts.Keep, fmt.Sprint("field", i))
		}
		if c.format == "img2dataset" {
			if err := os.Rename(opts.Paths[0], opts.Paths[0]+extSidecar); err != nil {
				t.Fatal(err)
			}
			opts.Paths[0] += extSidecar
		}
		var got string
		peak := heap.Peak(func() { got = countRows(t, opts) })
		t.Logf("%s: %s: a file of %d bytes, a heap of %d MB: %s", c.format, c.name, len(c.file), peak>>20, got)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s: %s, want %s", c.format, c.name, got, c.want)
		}
		if peak > c.most<<20 {
			t.Errorf("%s: %s: a heap of %d MB for a file of %d bytes, want %d at most", c.format, c.name, peak>>20, len(c.file), c.most)
		}
	}
}

// countRows reads a file row by row: how many captions and rejects there are, in the
// order in which they came first, or the error.
func countRows(t testing.TB, opts Options) string {
	r, err := open(t, opts, schemas.Position{})
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	var order []string
	counts := map[string]int{}
	for {
		var row Row
		if err := r.Next(&row); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err.Error()
		}
		what := row.Reject
		if what == "" {
			what = "captions"
		}
		if counts[what]++; counts[what] == 1 {
			order = append(order, what)
		}
	}
	for i, what := range order {
		order[i] = fmt.Sprint(counts[what], " ", what)
	}
	return strings.Join(order, ", ")
}
