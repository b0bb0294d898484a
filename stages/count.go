package stages

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/clean/curate"
	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/pipeline"
)

// countPass builds the pass that adds up the counts of all shards.
func (b *passBuilder) countPass() *pipeline.Pass {
	merge := mergeOptions{maxMergedRuns}
	return &pipeline.Pass{
		Name: folder.PassCount, Summary: "add the counts of all shards up to the vocabulary, and list duplicates",
		Settings: struct{}{}, Version: countVersion(b.config.Dedupe),
		Levels: merge.countLevels(), Reduce: func(context.Context, *pipeline.Reducer) error { return nil }, // the tasks write all files
		WarnOnStats: splitWarning,
	}
}

// countVersion returns the version of the code that writes the list of duplicates; "" if there is
// no list.
func countVersion(mode string) string {
	if mode == curate.DedupeOff {
		return codeVersion
	}
	return curate.Version + " " + codeVersion
}

// maxMergedRuns is the maximum number of runs of counts that a task merges. maxPartitions is the
// maximum number of partitions into which their rows are divided by the hash of their keys.
const (
	maxMergedRuns = 64
	maxPartitions = 16
)

// mergeOptions has the largest number of runs that a task of the pass count merges.
type mergeOptions struct{ maxRuns int }

// mergeTree is the plan by which the counts of all shards are merged. Groups of shards are merged
// first, each into partitions by the hash of the key. Then each partition is merged on its own, in
// rounds if there are many groups. The plan depends only on the number of shards of the index.
type mergeTree struct {
	mergeOptions
	shards     []folder.Shard // of the index
	groupSize  int            // shards in a group
	partitions int
	rounds     []int // number of groups after each round
}

func (m mergeOptions) newTree(x *folder.Index) *mergeTree {
	n := len(x.Shards)
	t := &mergeTree{mergeOptions: m, shards: x.Shards}
	t.groupSize = min(max(int(math.Ceil(math.Sqrt(float64(n)))), 1), m.maxRuns)
	t.partitions = min(t.groupSize, maxPartitions)
	t.rounds = []int{(n + t.groupSize - 1) / t.groupSize}
	for left := t.rounds[0]; left > m.maxRuns; {
		left = (left + m.maxRuns - 1) / m.maxRuns
		t.rounds = append(t.rounds, left)
	}
	return t
}

// partitionOf returns the partition of a row. Rows that are summed or compared share a partition:
// their keys are equal up to a NUL.
func (t *mergeTree) partitionOf(kind, key string) int {
	before, _, _ := strings.Cut(key, "\x00")
	var hash xxhash.Digest
	hash.Reset()
	_, _ = hash.WriteString(kind)
	_, _ = hash.WriteString("\x00")
	_, _ = hash.WriteString(before)
	return int(hash.Sum64() % uint64(t.partitions))
}

// runName returns the name of the run that a step makes from a group for a partition.
func runName(step string, group, partition int) string {
	return fmt.Sprintf("%s-%05d-%02d", step, group, partition)
}

// runNames returns the names of the runs of a partition for the groups first to last-1.
func runNames(step string, first, last, partition int) []string {
	var names []string
	for g := first; g < last; g++ {
		names = append(names, runName(step, g, partition))
	}
	return names
}

// roundName returns the name of round i.
func roundName(i int) string { return fmt.Sprintf("merge%d", i+1) }

// lastRound returns the name of the last round, and the number of groups after it.
func (t *mergeTree) lastRound() (step string, groups int) {
	i := len(t.rounds) - 1
	return roundName(i), t.rounds[i]
}

// countedShards returns the shards of a group that were counted.
func (t *mergeTree) countedShards(r *pipeline.Reducer, group int) []folder.Shard {
	counted := make(map[string]bool, len(r.Shards))
	for _, s := range r.Shards {
		counted[s.Name] = true
	}
	var members []folder.Shard
	for _, s := range t.shards[group*t.groupSize : min((group+1)*t.groupSize, len(t.shards))] {
		if counted[s.Name] {
			members = append(members, s)
		}
	}
	return members
}

// mergeGroup is a task: it merges the counts of a group of shards and divides them into partitions.
func (t *mergeTree) mergeGroup(ctx context.Context, r *pipeline.Reducer, group int) error {
	var files []string
	for _, s := range t.countedShards(r, group) {
		files = append(files, folder.CountsFile(folder.PassTally, s.Name))
	}
	out, err := t.newPartitionRuns(r, roundName(0), group)
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
	return closeRuns(out)
}

// newPartitionRuns begins a run for each partition.
func (t *mergeTree) newPartitionRuns(r *pipeline.Reducer, step string, group int) ([]*counts.Writer, error) {
	out := make([]*counts.Writer, t.partitions)
	for p := range out {
		var err error
		if out[p], err = r.NewRun(runName(step, group, p)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func closeRuns(runs []*counts.Writer) error {
	for _, run := range runs {
		if err := run.Close(); err != nil {
			return err
		}
	}
	return nil
}

// mergeRuns is a task of a later round: it merges the runs of one partition of some groups.
func (t *mergeTree) mergeRuns(ctx context.Context, r *pipeline.Reducer, i, task int) error {
	group, partition := task/t.partitions, task%t.partitions
	names := runNames(roundName(i-1), group*t.maxRuns, min((group+1)*t.maxRuns, t.rounds[i-1]), partition)
	out, err := r.NewRun(runName(roundName(i), group, partition))
	if err != nil {
		return err
	}
	if err := out.AddAll(r.MergeRuns(ctx, names)); err != nil {
		return err
	}
	return out.Close()
}

// countLevels returns the levels of the pass count.
func (m mergeOptions) countLevels() []pipeline.Level {
	level := func(name string, tasks func(t *mergeTree) int, run func(t *mergeTree, ctx context.Context, r *pipeline.Reducer, task int) error) pipeline.Level {
		return pipeline.Level{
			Name:  name,
			Tasks: func(r *pipeline.Reducer) (int, error) { return tasks(m.newTree(r.Index)), nil },
			Run: func(ctx context.Context, r *pipeline.Reducer, task int) error {
				return run(m.newTree(r.Index), ctx, r, task)
			},
		}
	}
	all := []pipeline.Level{level(roundName(0), func(t *mergeTree) int { return t.rounds[0] }, (*mergeTree).mergeGroup)}
	for i := 1; i <= maxRounds; i++ {
		tasks := func(t *mergeTree) int {
			if i >= len(t.rounds) {
				return 0
			}
			return t.rounds[i] * t.partitions
		}
		all = append(all, level(roundName(i), tasks, func(t *mergeTree, ctx context.Context, r *pipeline.Reducer, task int) error {
			return t.mergeRuns(ctx, r, i, task)
		}))
	}
	all = append(all,
		level(stepSums, func(t *mergeTree) int { return t.partitions }, (*mergeTree).sumPartition),
		level(stepLists, func(*mergeTree) int { return 2 }, (*mergeTree).writeList))
	return all
}

// maxRounds is the maximum number of rounds after the first. With 64 runs a task, three rounds
// suffice for 64⁴ shards.
const maxRounds = 16

// Steps of the pass count after the rounds of the tree.
const (
	stepSums  = "sums"  // for each partition: the vocabulary, and the repeated rows and keys
	stepLists = "lists" // for all partitions
)
