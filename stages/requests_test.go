package stages_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

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
	var asked faultstore.Counter
	st := faultstore.New(store.Local{}, asked.Count)
	of := map[folder.Pass]int64{}
	do := func(pass folder.Pass, part, parts int) {
		r := newRun(t, st, memory.NewGoAllocator(), source, dir, 1, "output.shard_rows=4")
		r.Part, r.Parts = part, parts
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
		of[pass] += asked.Take().All()
	}
	do(folder.PassIndex, 0, 1)
	for _, row := range folder.Passes {
		n := parts
		if !row.Pass.IsByShard() {
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
