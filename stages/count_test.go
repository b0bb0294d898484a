package stages

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/store"
)

// Each shard is in one group, each group goes into one of the next round, and tasks merge
// no more runs than they may, however many shards there are.
func TestTreeHasAllShards(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 24, 96, 4096, 4097, 100_000, 1_000_000} {
		tree := mergeOptions{maxMergedRuns}.newTree(&folder.Index{Shards: make([]folder.Shard, n)})
		if groups := tree.rounds[0]; groups*tree.groupSize < n || n > 0 && (groups-1)*tree.groupSize >= n {
			t.Errorf("%d shards: %d groups of %d", n, groups, tree.groupSize)
		}
		if tree.groupSize > maxMergedRuns || tree.partitions > tree.groupSize || tree.partitions < 1 {
			t.Errorf("%d shards: groups of %d, %d partitions", n, tree.groupSize, tree.partitions)
		}
		for i := 1; i < len(tree.rounds); i++ {
			if before, now := tree.rounds[i-1], tree.rounds[i]; now*maxMergedRuns < before || (now-1)*maxMergedRuns >= before {
				t.Errorf("%d shards: round %d makes %d of %d", n, i, now, before)
			}
		}
		if _, last := tree.lastRound(); last > maxMergedRuns || len(tree.rounds) > maxRounds {
			t.Errorf("%d shards: %d rounds leave %d runs", n, len(tree.rounds), last)
		}
	}
}

// What the pass count makes is the same for any shape of the tree, and for any number of
// shards that the corpus is cut into.
func TestCountsAreTheSameForAnyTree(t *testing.T) {
	var lines strings.Builder
	for i := range 60 {
		caption := []string{"a red dog on a mat", "two black cats under a table", "a man riding a horse"}[i%3]
		fmt.Fprintf(&lines, "http://x.org/%d.jpg\t%s %d\n", i%50, caption, i%45)
	}
	source := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(source, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var want string
	for _, shape := range []struct {
		rows int64
		most int
	}{{1000, 64}, {7, 64}, {1, 64}, {1, 2}, {1, 3}} {
		got := countedWith(t, source, shape.rows, mergeOptions{shape.most})
		if want == "" {
			want = got
			for _, has := range []string{"vocabulary object dog 20", "duplicates drop_row captions.tsv", "images_split 10"} {
				if !strings.Contains(got, has) {
					t.Errorf("there is no %q in %.2000s", has, got)
				}
			}
		} else if got != want {
			t.Errorf("cut into shards of %d rows, %d merged at a time: %.2000s\nwant %.2000s", shape.rows, shape.most, got, want)
		}
	}
}

// countedWith is what a run in that shape leaves in the files of the pass count, and its figures.
func countedWith(t *testing.T, source string, rows int64, m mergeOptions) string {
	t.Helper()
	c := config.Defaults()
	c.Source.Format, c.Source.Paths, c.Output.Dir, c.Output.ShardRows, c.Dedupe = "cc12m", []string{source}, t.TempDir(), rows, "exact"
	out := folder.Folder{Store: store.Local{}, Dir: c.Output.Dir}
	corpus := func() (*pipeline.Corpus, error) { return pipeline.OpenCorpus(store.Local{}, c.Source.Options) }
	passes, err := Passes(&c, out, corpus)
	if err != nil {
		t.Fatal(err)
	}
	r := &pipeline.Run{Folder: out, Corpus: corpus, Output: c.Output, Passes: passes, Workers: 2, Env: pipeline.Env{Mem: memory.NewGoAllocator()}}
	for _, pass := range passes {
		if pass.Name == folder.PassCount {
			pass.Levels, pass.Reduce = m.countLevels(), func(context.Context, *pipeline.Reducer) error { return nil }
		}
	}
	for _, pass := range passes[:3] {
		if err := r.Do(context.Background(), pass.Name); err != nil {
			t.Fatal(err)
		}
	}
	var all strings.Builder
	for _, name := range []string{folder.Vocabulary, folder.Duplicates} {
		counts, err := out.ReadCounts(name)
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range counts {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&all, name, row.Kind, strings.ReplaceAll(row.Key, "\x00", " "), row.N)
		}
	}
	e, err := out.ReadEntry(folder.PassCount, folder.Whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"duplicates", statSplit} {
		fmt.Fprintln(&all, name, e.Stats[name])
	}
	if left, err := os.ReadDir(out.Path(folder.MetaDir, "runs", "count")); err == nil && len(left) > 0 {
		t.Errorf("%d runs are left behind", len(left))
	}
	return all.String()
}
