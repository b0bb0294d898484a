package stages_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/store/faultstore"
)

// requests counts what an object store would be asked: a file that is written goes
// there once, when it is published. How often an open file is read is not counted.
type requests struct {
	mu   sync.Mutex
	n    int64
	kind map[string]int64 // by what was done to which folder
}

func (r *requests) count(_ int64, op faultstore.Op, name string) error {
	switch op {
	case faultstore.Open, faultstore.Stat, faultstore.List, faultstore.Publish, faultstore.Remove, faultstore.Sweep:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.n++
		r.kind[string(op)+" "+filepath.Base(filepath.Dir(name))]++
	}
	return nil
}

// take gives how many requests there were since it was called before.
func (r *requests) take() (n int64, kind map[string]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, kind = r.n, r.kind
	r.n, r.kind = 0, map[string]int64{}
	return n, kind
}

// manyShards is a source whose captions are cut into so many shards of four rows.
func manyShards(t testing.TB, shards int) string {
	t.Helper()
	var lines strings.Builder
	for i := range 4 * shards {
		fmt.Fprintf(&lines, "http://x.org/%d.jpg\ta %s dog on a %s\n", i, []string{"red", "black", "white"}[i%3], []string{"mat", "rug"}[i%2])
	}
	name := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(name, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// requestsOf runs a corpus of so many shards pass by pass, those that go shard by shard
// in four parts, and returns the requests of each pass.
func requestsOf(t *testing.T, shards int) map[folder.Pass]int64 {
	t.Helper()
	const parts = 4
	source, dir := manyShards(t, shards), t.TempDir()
	asked := &requests{kind: map[string]int64{}}
	st := faultstore.New(store.Local{}, asked.count)
	of := map[folder.Pass]int64{}
	do := func(pass folder.Pass, part, parts int) {
		r := newRun(t, st, memory.NewGoAllocator(), source, dir, 1, "output.shard_rows=4")
		r.Part, r.Parts = part, parts
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
		n, kind := asked.take()
		of[pass] += n
		t.Logf("%d shards, %s %d/%d: %d requests %v", shards, pass, part, parts, n, kind)
	}
	do(folder.PassIndex, 0, 1)
	for _, row := range folder.Passes {
		n := parts
		if row.Output == "" {
			n = 1
		}
		for part := range n {
			do(row.Pass, part, n)
		}
	}
	return of
}

func TestRequests(t *testing.T) {
	few, many := requestsOf(t, 24), requestsOf(t, 96)
	for pass := range many {
		t.Logf("%s: %.1f a shard of 24, %.1f a shard of 96", pass, float64(few[pass])/24, float64(many[pass])/96)
	}
}
