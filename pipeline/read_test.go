package pipeline

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

// A file that was replaced by one of its size, and of its ends as far as the
// index knows them, is not read for it where its rows show that.
func TestReplacedFile(t *testing.T) {
	const indexed = "u\ta\nu\tb\nv\tc\nv\td\n"
	for _, c := range []struct{ now, want string }{
		{indexed, ""},
		{"u\ta\nu\tbb\nv\tc\nv\td", "no line begins where one was indexed"},
		{"u\ta\nu\tb\nv\tc d e\n", "corpus.tsv has fewer rows than when it was indexed: put the file back"},
		{"u\ta\nu\tb\nv\tc\nv\n\n\n", "corpus.tsv has more rows than when it was indexed: put the file back"},
		{"u\ta\nv\tb\nv\tc\nv\td\n", "corpus.tsv has other rows than when it was indexed: put the file back"},
		{"u\ta\nw\tb\nv\tc\nv\td\n", ""},
		{"u\ta\nu\tbbbbbbbbb\n", "corpus.tsv has fewer rows than when it was indexed: put the file back"},
	} {
		name := filepath.Join(t.TempDir(), "corpus.tsv")
		put := func(text string) {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		put(indexed)
		corpus, err := OpenCorpus(store.Local{}, sources.Options{Format: "cc12m", Paths: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		x := &folder.Index{Files: []folder.SourceFile{{Name: corpus.Names[0], Size: int64(len(indexed)), Rows: 4}}}
		x.Shards = []folder.Shard{{Rows: 2}, {First: schemas.Position{Row: 2, Offset: 8}, Rows: 2}}
		put(c.now)
		err = nil
		for _, s := range x.Shards {
			err = errors.Join(err, readAll(t, corpus, x, s))
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v", c.now, err)
		}
	}
}

func readAll(t *testing.T, c *Corpus, x *folder.Index, s folder.Shard) error {
	batches, err := c.Read(t.Context(), memory.NewGoAllocator(), x, s)
	if err != nil {
		return err
	}
	defer batches.Close()
	for {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		rec.Release()
	}
}

// A batch ends at its bytes, after an image's last row where that is not too far.
func TestBatchesEndAtTheirBytes(t *testing.T) {
	var text strings.Builder
	rows := int64(0)
	add := func(image string, n, size int) {
		for range n {
			text.WriteString(image + "\ta dog " + strings.Repeat("x", size) + "\n")
			rows++
		}
	}
	for i := range 20 {
		add(string(rune('a'+i)), 3, 500_000)
	}
	add("large", 50, 900_000)
	text.WriteString("no tab " + strings.Repeat("x", 900_000) + "\n")
	rows++
	for i := range 1500 {
		add(string(rune('A'+i%26)), 1, 10)
	}
	name := filepath.Join(t.TempDir(), "corpus.tsv")
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	corpus, err := OpenCorpus(store.Local{}, sources.Options{Format: "cc12m", Paths: []string{name}})
	if err != nil {
		t.Fatal(err)
	}
	x := &folder.Index{Files: []folder.SourceFile{{Name: corpus.Names[0], Size: int64(text.Len()), Rows: rows}}}
	batches, err := corpus.Read(t.Context(), memory.NewGoAllocator(), x, folder.Shard{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	defer batches.Close()
	read, last := int64(0), ""
	var sizes []int64
	for {
		rec, rejects, err := batches.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		columns, err := schemas.Strings(rec, schemas.ColImageKey)
		if err != nil {
			t.Fatal(err)
		}
		if first := columns[0].Value(0); first == last && first != "large" {
			t.Errorf("image %s is cut", first)
		}
		last = strings.Clone(columns[0].Value(columns[0].Len() - 1))
		size := int64(0)
		for _, c := range rec.Columns() {
			size += countBytes(c.Data())
		}
		if size > maxBatchBytes+1<<20 {
			t.Errorf("a batch has %d bytes", size)
		}
		sizes = append(sizes, rec.NumRows()+int64(len(rejects)))
		read += sizes[len(sizes)-1]
		rec.Release()
	}
	if read != rows {
		t.Errorf("%d rows of %d", read, rows)
	}
	if n := len(sizes); n < 8 || sizes[0] != 18 || sizes[n-2] != 1024 {
		t.Errorf("batches of %v rows", sizes)
	}
}
