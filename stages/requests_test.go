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
	mu sync.Mutex
	n  int64
}

func (r *requests) count(_ int64, op faultstore.Op, _ string) error {
	switch op {
	case faultstore.Open, faultstore.Stat, faultstore.List, faultstore.Publish, faultstore.Remove, faultstore.Sweep:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.n++
	}
	return nil
}

// take gives how many requests there were since it was called before.
func (r *requests) take() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.n
	r.n = 0
	return n
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
	asked := &requests{}
	st := faultstore.New(store.Local{}, asked.count)
	of := map[folder.Pass]int64{}
	do := func(pass folder.Pass, part, parts int) {
		r := newRun(t, st, memory.NewGoAllocator(), source, dir, 1, "output.shard_rows=4")
		r.Part, r.Parts = part, parts
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
		of[pass] += asked.take()
	}
	do(folder.PassIndex, 0, 1)
	for _, row := range folder.Passes {
		n := parts
		if !row.Pass.ByShard() {
			n = 1
		}
		for part := range n {
			do(row.Pass, part, n)
		}
	}
	return of
}

// A shard costs the same number of requests in a pass, however many there are, beside
// what each process asks once.
func TestRequests(t *testing.T) {
	const few, many, most = 24, 96, 12
	a, b := requestsOf(t, few), requestsOf(t, many)
	for pass := range b {
		if perShard := float64(b[pass]-a[pass]) / (many - few); perShard > most {
			t.Errorf("%s: a shard costs %.1f requests, want %d at most", pass, perShard, most)
		} else {
			t.Logf("%s: a shard costs %.1f requests", pass, perShard)
		}
	}
}
