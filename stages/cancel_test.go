package stages_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/testing/faultstore"
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
// whether to stop: it is not done, and the next run makes the whole of it.
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
	copied := func() string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(parsed)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	whole := copied()
	if err := do(context.Background(), whole, "count"); err != nil {
		t.Fatal(err)
	}
	want := files(t, whole)
	for at := 1; ; at++ {
		dir := copied()
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
		if _, err := os.Stat(filepath.Join(dir, folder.EntryFile(folder.PassCount, folder.Whole))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("cancelled at %d: the pass is done (%v)", at, err)
		}
		if err := do(context.Background(), dir, "count"); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprint("cancelled at ", at), want, files(t, dir))
	}
}

// TestCountGoesOn lets a machine fail in the middle of the pass count: what its tasks
// finished is not made again.
func TestCountGoesOn(t *testing.T) {
	source, dir := corpus(t, 60), t.TempDir()
	for _, pass := range []folder.Pass{folder.PassParse, folder.PassTally} {
		if err := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1).Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
	}
	var published []string
	full := func(_ int64, op faultstore.Op, name string) error {
		if op == faultstore.Publish {
			if strings.Contains(name, "/sums-00001") {
				return syscall.ENOSPC
			}
			published = append(published, filepath.Base(name))
		}
		return nil
	}
	if err := newRun(t, faultstore.New(store.Local{}, full), memory.NewGoAllocator(), source, dir, 1).Do(context.Background(), folder.PassCount); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	before := slices.Clone(published)
	if !slices.Contains(before, "merge1-00000.json") || !slices.Contains(before, "sums-00000.json") {
		t.Fatalf("published before the disk was full: %q", before)
	}
	published = nil
	again := func(_ int64, op faultstore.Op, name string) error {
		if op == faultstore.Publish && strings.HasSuffix(name, ".json") {
			published = append(published, filepath.Base(name))
		}
		return nil
	}
	if err := newRun(t, faultstore.New(store.Local{}, again), memory.NewGoAllocator(), source, dir, 1).Do(context.Background(), folder.PassCount); err != nil {
		t.Fatal(err)
	}
	for _, name := range published {
		if slices.Contains(before, name) && name != "count.json" {
			t.Errorf("%s was made twice", name)
		}
	}
	if len(published) == 0 {
		t.Error("nothing was left to make")
	}
}

// Parts that come and go share the tasks of the pass count; the first ends it.
func TestPartsOfCount(t *testing.T) {
	source, whole, dir := corpus(t, 60), t.TempDir(), t.TempDir()
	do := func(dir string, pass folder.Pass, part, parts int) {
		t.Helper()
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1)
		r.Part, r.Parts = part, parts
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
	}
	for _, pass := range []folder.Pass{folder.PassParse, folder.PassTally} {
		do(whole, pass, 0, 1)
		do(dir, pass, 0, 1)
	}
	do(whole, folder.PassCount, 0, 1)
	for part := 2; part >= 0; part-- {
		if _, err := os.Stat(filepath.Join(dir, folder.EntryFile(folder.PassCount, folder.Whole))); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("before part %d: the pass is done (%v)", part, err)
		}
		do(dir, folder.PassCount, part, 3)
	}
	same(t, "three parts", files(t, whole), files(t, dir))
}
