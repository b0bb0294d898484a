package stages_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
)

// cancelledAt is a context that ends when it is asked for the at-th time.
type cancelledAt struct {
	context.Context
	cancel context.CancelFunc
	at     int
}

func (c *cancelledAt) Err() error {
	if c.at--; c.at == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestCancelledCount stops the pass count at each moment in which it looks
// whether to stop: it publishes nothing and the next run makes the whole of it.
func TestCancelledCount(t *testing.T) {
	source, parsed := corpus(t, 200), t.TempDir()
	do := func(ctx context.Context, dir string, only folder.Pass) error {
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1, "dedupe=near", "output.shard_rows=1000")
		return r.Do(ctx, only)
	}
	for _, pass := range []folder.Pass{folder.PassParse, folder.PassTally} {
		if err := do(context.Background(), parsed, pass); err != nil {
			t.Fatal(err)
		}
	}
	for at := 1; ; at++ {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(parsed)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		c := &cancelledAt{ctx, cancel, at}
		err := do(c, dir, "count")
		cancel()
		if c.at > 0 {
			if at < 3 {
				t.Errorf("the pass looks only %d times whether to stop", at-1)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %d: error %v", at, err)
		}
		if _, err := os.Stat(filepath.Join(dir, ".capgraph", folder.Vocabulary+".parquet")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("cancelled at %d: a vocabulary is published (%v)", at, err)
		}
	}
}
