package stages

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/pipeline"
)

// mostMerged is how many runs of counts a task merges at most, and mostPartitions
// into how many their rows are cut by the hash of their keys.
const (
	mostMerged     = 64
	mostPartitions = 16
)

// merging is how the pass count merges: so many runs at most in a task.
type merging struct{ most int }

// tree says how the counts of all shards are merged: groups of shards first, each into
// partitions by the hash of the key, then each partition on its own, in rounds where
// there are many groups. It depends on the number of shards of the index alone.
type tree struct {
	merging
	shards     []folder.Shard // of the index
	group      int            // how many shards of a group
	partitions int
	rounds     []int // how many groups there are after each round
}

func (m merging) tree(x *folder.Index) *tree {
	n := len(x.Shards)
	t := &tree{merging: m, shards: x.Shards}
	t.group = min(max(int(math.Ceil(math.Sqrt(float64(n)))), 1), m.most)
	t.partitions = min(t.group, mostPartitions)
	t.rounds = []int{(n + t.group - 1) / t.group}
	for left := t.rounds[0]; left > m.most; {
		left = (left + m.most - 1) / m.most
		t.rounds = append(t.rounds, left)
	}
	return t
}

// partitionOf is that of a row: rows that are summed or compared with each other, whose
// keys are the same up to a NUL, are in one.
func (t *tree) partitionOf(kind, key string) int {
	before, _, _ := strings.Cut(key, "\x00")
	var hash xxhash.Digest
	hash.Reset()
	_, _ = hash.WriteString(kind)
	_, _ = hash.WriteString("\x00")
	_, _ = hash.WriteString(before)
	return int(hash.Sum64() % uint64(t.partitions))
}

// runName names what a round makes of a group for a partition.
func runName(step string, group, partition int) string {
	return fmt.Sprintf("%s-%05d-%02d", step, group, partition)
}

// runsOf are the names of the runs of a partition, of groups from first to last.
func runsOf(step string, first, last, partition int) []string {
	var names []string
	for g := first; g < last; g++ {
		names = append(names, runName(step, g, partition))
	}
	return names
}

// round is the step of that number.
func round(i int) string { return fmt.Sprintf("merge%d", i+1) }

// last is the name of the last round, and how many groups it leaves.
func (t *tree) last() (step string, groups int) {
	i := len(t.rounds) - 1
	return round(i), t.rounds[i]
}

// members are the shards of a group that were counted.
func (t *tree) members(r *pipeline.Reducer, group int) []folder.Shard {
	counted := make(map[string]bool, len(r.Shards))
	for _, s := range r.Shards {
		counted[s.Name] = true
	}
	var members []folder.Shard
	for _, s := range t.shards[group*t.group : min((group+1)*t.group, len(t.shards))] {
		if counted[s.Name] {
			members = append(members, s)
		}
	}
	return members
}

// mergeGroup merges the counts of the shards of a group, and cuts them into partitions.
func (t *tree) mergeGroup(ctx context.Context, r *pipeline.Reducer, group int) error {
	var files []string
	for _, s := range t.members(r, group) {
		files = append(files, folder.Counts(folder.PassTally, s.Name))
	}
	out, err := t.newRuns(r, round(0), group)
	if err != nil {
		return err
	}
	for row, err := range r.Folder.MergeFiles(ctx, files) {
		if err == nil {
			err = out[t.partitionOf(row.Kind, row.Key)].Add(row)
		}
		if err != nil {
			return err
		}
	}
	return closeAll(out)
}

// newRuns begins a run for each partition.
func (t *tree) newRuns(r *pipeline.Reducer, step string, group int) ([]*counts.Writer, error) {
	out := make([]*counts.Writer, t.partitions)
	for p := range out {
		var err error
		if out[p], err = r.NewRun(runName(step, group, p)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func closeAll(runs []*counts.Writer) error {
	for _, run := range runs {
		if err := run.Close(); err != nil {
			return err
		}
	}
	return nil
}

// mergeRuns is a task of a later round: it merges the runs of a partition of some groups.
func (t *tree) mergeRuns(ctx context.Context, r *pipeline.Reducer, i, task int) error {
	group, partition := task/t.partitions, task%t.partitions
	names := runsOf(round(i-1), group*t.most, min((group+1)*t.most, t.rounds[i-1]), partition)
	out, err := r.NewRun(runName(round(i), group, partition))
	if err != nil {
		return err
	}
	for row, err := range r.Merged(ctx, names) {
		if err == nil {
			err = out.Add(row)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// levels are those of the pass count.
func (m merging) levels() []pipeline.Level {
	level := func(name string, tasks func(t *tree) int, run func(t *tree, ctx context.Context, r *pipeline.Reducer, task int) error) pipeline.Level {
		return pipeline.Level{
			Name:  name,
			Tasks: func(r *pipeline.Reducer) (int, error) { return tasks(m.tree(r.Index)), nil },
			Run: func(ctx context.Context, r *pipeline.Reducer, task int) error {
				return run(m.tree(r.Index), ctx, r, task)
			},
		}
	}
	all := []pipeline.Level{level(round(0), func(t *tree) int { return t.rounds[0] }, (*tree).mergeGroup)}
	for i := 1; i <= mostRounds; i++ {
		tasks := func(t *tree) int {
			if i >= len(t.rounds) {
				return 0
			}
			return t.rounds[i] * t.partitions
		}
		all = append(all, level(round(i), tasks, func(t *tree, ctx context.Context, r *pipeline.Reducer, task int) error {
			return t.mergeRuns(ctx, r, i, task)
		}))
	}
	all = append(all,
		level(stepSums, func(t *tree) int { return t.partitions }, (*tree).sum),
		level(stepLists, func(*tree) int { return 2 }, (*tree).list),
		level(stepGather, func(t *tree) int { return t.rounds[0] }, (*tree).gather),
		level(stepApart, func(t *tree) int { return t.partitions }, (*tree).sortByShard))
	for i := len(all) - 2; i < len(all); i++ {
		tasks := all[i].Tasks
		all[i].Tasks = func(r *pipeline.Reducer) (int, error) {
			if apart, err := liesApart(r); err != nil || !apart {
				return 0, err
			}
			return tasks(r)
		}
	}
	return all
}

// mostRounds is how many rounds follow the first at most. With 64 runs a task there are
// three of 64⁴ shards.
const mostRounds = 16

// Steps of the pass count after the rounds of the tree.
const (
	stepSums   = "sums"   // of each partition: the vocabulary, and what was found
	stepLists  = "lists"  // of all partitions
	stepGather = "gather" // the captions of images that lie apart, by groups of shards
	stepApart  = "apart"  // the same by the shards that need them, of each partition
)
