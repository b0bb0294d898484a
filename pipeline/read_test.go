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
	"capgraph/sources"
	"capgraph/store"
)

// A file that was replaced by one of its size, and of its ends as far as the
// index knows them, is not read for it where its rows show that.
func TestReplacedFile(t *testing.T) {
	const indexed = "u\ta\nu\tb\nu\tc\nu\td\n"
	for _, c := range []struct{ now, want string }{
		{indexed, ""},
		{"u\ta\nu\tbb\nu\tc\nu\td", "no line begins where one was indexed"},
		{"u\ta\nu\tb\nu\tc d e\n", "corpus.tsv has fewer rows than when it was indexed: put the file back"},
		{"u\ta\nu\tb\nu\tc\nu\n\n\n", "corpus.tsv has more rows than when it was indexed: put the file back"},
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
		x.Shards = []folder.Shard{{Rows: 2}, {First: sources.Position{Row: 2, Offset: 8}, Rows: 2}}
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
