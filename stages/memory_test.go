package stages_test

import (
	"context"
	"path"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

// The shards after which the live heap is measured, and by how much it may grow in between.
const (
	fewShards  = 10
	manyShard  = 200
	mostGrowth = 1 << 20
)

// liveHeap returns the bytes of the heap in use after a garbage collection. What a sync.Pool
// holds goes with the second one.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// heapWatch measures the live heap while operations on a store go on.
type heapWatch struct {
	// step names what an operation is a step of, once a shard; empty for other operations.
	step func(op faultstore.Op, name string) string

	mu     sync.Mutex
	seen   map[string]int
	few    map[string]int64 // the live heap after few shards
	growth map[string]int64 // until after many
}

func (w *heapWatch) see(_ int64, op faultstore.Op, name string) error {
	step := w.step(op, name)
	if step == "" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.seen[step]++; w.seen[step] {
	case fewShards:
		w.few[step] = liveHeap()
	case manyShard:
		w.growth[step] = liveHeap() - w.few[step]
	}
	return nil
}

func (w *heapWatch) store() store.Store {
	w.seen, w.few, w.growth = map[string]int{}, map[string]int64{}, map[string]int64{}
	return faultstore.New(store.Local{}, w.see)
}

// check fails unless each step was measured and its live heap did not grow.
func (w *heapWatch) check(t *testing.T, steps ...string) {
	t.Helper()
	for _, step := range steps {
		growth, measured := w.growth[step]
		if !measured {
			t.Errorf("%s: not measured", step)
		} else if growth > mostGrowth {
			t.Errorf("%s: the live heap grew by %d KB from shard %d to shard %d", step, growth>>10, fewShards, manyShard)
		}
	}
}

// TestMemoryIsFlatInShards measures each pass when it publishes the entry of a shard, and the
// run when it is done. A shard of four rows whose Parquet writers stay alive takes over 1 MB.
func TestMemoryIsFlatInShards(t *testing.T) {
	publishes := &heapWatch{step: func(op faultstore.Op, name string) string {
		_, entry, ok := strings.Cut(name, "/.capgraph/entries/")
		if op != faultstore.Publish || !ok {
			return ""
		}
		return path.Dir(entry)
	}}
	finish := func(shards int, s store.Store, dir string) int64 {
		r := newRun(t, s, memory.NewGoAllocator(), manyShards(t, shards), dir, 1, "output.shard_rows=4")
		if err := r.Do(context.Background(), ""); err != nil {
			t.Fatal(err)
		}
		after := liveHeap()
		runtime.KeepAlive(r)
		return after
	}
	few := finish(fewShards, store.Local{}, t.TempDir())
	dir := t.TempDir()
	many := finish(manyShard, publishes.store(), dir)
	publishes.check(t, string(folder.PassParse), string(folder.PassTally), string(folder.PassTexts))
	if growth := many - few; growth > mostGrowth {
		t.Errorf("after %d shards the live heap is %d KB larger than after %d", manyShard, growth>>10, fewShards)
	}

	opens := &heapWatch{step: func(op faultstore.Op, name string) string {
		if op != faultstore.Open || !strings.Contains(name, "/graphs/") {
			return ""
		}
		return "read graphs/"
	}}
	f := folder.Folder{Store: opens.store(), Dir: dir}
	state, err := f.Read()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stages.FindSplitImages(context.Background(), f, state.Finished(folder.PassParse), 1, nil); err != nil {
		t.Fatal(err)
	}
	opens.check(t, "read graphs/")
}
