package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/store"
)

// TestSplitCaptionsAreBounded makes the texts of captions of split images with as good as no memory for
// those of other places: these are read from a scratch file and what they say is made again
// and again, and the texts are the same.
func TestSplitCaptionsAreBounded(t *testing.T) {
	dir := t.TempDir()
	r := sampledRun(t, sampledCorpus(t), dir, sampleSize{1 << 40}, 400, 2, 100)
	balanced(t, r)
	state, err := r.Folder.Read()
	if err != nil {
		t.Fatal(err)
	}
	env := pipeline.Env{Mem: memory.NewGoAllocator(), Counts: r.Folder.ReadCounts}
	texts := func(split *splitShards) (all string) {
		c := config.Defaults()
		g, err := newGenerators(c.Negatives.Generator(), nil, split, env)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range state.Index.Shards {
			batches, err := split.openShard(r.Folder, env.Mem, s.Name, textsColumns(false))
			if err != nil {
				t.Fatal(err)
			}
			for {
				rec, _, err := batches.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				err = g.eachImageTexts(context.Background(), rec, 3, func(m *imageTexts) error {
					all += fmt.Sprintln(m.image.Key, m.pools)
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				rec.Release()
			}
			for _, shard := range split.open {
				kept, largest := shard.recentBytes, 0
				for _, of := range shard.older {
					kept += of.bytes
					largest = max(largest, of.bytes)
				}
				if most := 2*split.maxReadBytes + largest; kept > most {
					t.Errorf("shard %s keeps %d bytes, want %d at most", s.Name, kept, most)
				}
			}
			if err := batches.Close(); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	want := texts(newSplitShards(nil))
	scratches := 0
	small := newSplitShards(func() (store.Temp, error) {
		scratches++
		return scratchFiles(r.Folder)()
	})
	small.maxStoredBytes, small.maxReadBytes = 1000, 10_000
	if got := texts(small); got != want {
		t.Error("the texts are others")
	}
	if scratches == 0 || len(small.open) > 0 {
		t.Errorf("%d scratch files were made, and %d shards are open", scratches, len(small.open))
	}
	if left, err := os.ReadDir(r.Folder.Path(folder.MetaDir, "tmp")); len(left) > 0 || err != nil {
		t.Errorf("scratch files are left: %v, %v", left, err)
	}
}
