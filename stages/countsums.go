package stages

import (
	"context"

	"capgraph/clean/curate"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// The runs of a partition after summing.
const (
	runWords = "words" // the vocabulary
	runFound = "found" // the counts of curate.KindDrop and kindSameKey
)

// Kinds of the counts that identify rows and images: a row by the hash of its key, an image by its
// hashes, once for each run of its adjacent rows. When counts are added up, repeated keys become
// kindSameKey, and repeated images are counted.
const (
	kindKey     = "row_key"
	kindImage   = "image"
	kindSameKey = "same_key"
)

// NonVocabularyKinds are the kinds of the counts of a shard that are not part of the vocabulary.
var NonVocabularyKinds = []string{curate.KindDuplicate, kindKey, kindImage}

// sumPartition is a task: it adds up the counts of a partition, and finds keys that occur more than
// once.
func (t *mergeTree) sumPartition(ctx context.Context, r *pipeline.Reducer, partition int) error {
	step, groups := t.lastRound()
	words, err := r.NewRun(runName(runWords, 0, partition))
	if err != nil {
		return err
	}
	found := r.NewSorter()
	defer found.Discard()
	drops := curate.NewDrops(generationOf(r.Index), func(place string) error { return found.Add(curate.KindDrop, place, 1) })
	for row, err := range r.MergeRuns(ctx, runNames(step, 0, groups, partition)) {
		if err != nil {
			return err
		}
		switch row.Kind {
		case curate.KindDuplicate:
			err = drops.Add(row.Key)
		case kindKey:
			if row.N > 1 {
				err = found.Add(kindSameKey, row.Key, row.N)
			}
		case kindImage:
			if row.N > 1 {
				r.AddStat(statSplit, 1)
			}
		default:
			err = words.Add(row)
		}
		if err != nil {
			return err
		}
	}
	if err := words.Close(); err != nil {
		return err
	}
	return writeSorted(ctx, r, runName(runFound, 0, partition), found)
}

// generationOf returns a function that returns the generation of a source file: 0, or n if the file
// was appended the n-th time.
func generationOf(x *folder.Index) func(source string) int {
	of := map[string]int{}
	for _, f := range x.Files {
		if f.Generation > 0 {
			of[f.Name] = f.Generation
		}
	}
	return func(source string) int { return of[source] }
}

// writeSorted writes sorted rows as a run.
func writeSorted(ctx context.Context, r *pipeline.Reducer, name string, sorted *pipeline.Sorter) error {
	out, err := r.NewRun(name)
	if err != nil {
		return err
	}
	rows, err := sorted.Rows(ctx)
	if err != nil {
		return err
	}
	if err := out.AddAll(rows); err != nil {
		return err
	}
	return out.Close()
}

// writeList is a task of the last level. Task 0 writes the vocabulary, and task 1 writes the lists
// of repeated rows and keys.
func (t *mergeTree) writeList(ctx context.Context, r *pipeline.Reducer, task int) error {
	if task == 0 {
		return t.writeVocabulary(ctx, r)
	}
	return t.writeLists(ctx, r)
}

// writeVocabulary merges the vocabularies of the partitions.
func (t *mergeTree) writeVocabulary(ctx context.Context, r *pipeline.Reducer) error {
	var names []string
	for p := range t.partitions {
		names = append(names, runName(runWords, 0, p))
	}
	return r.WriteCounts(folder.Vocabulary, r.MergeRuns(ctx, names))
}

// writeLists merges the lists of all partitions: of duplicates, and of repeated keys, of which it
// warns.
func (t *mergeTree) writeLists(ctx context.Context, r *pipeline.Reducer) error {
	var names []string
	for p := range t.partitions {
		names = append(names, runName(runFound, 0, p))
	}
	same := repeatedKeys{}
	duplicates := int64(0)
	drops := func(yield func(schemas.Count, error) bool) {
		for row, err := range r.MergeRuns(ctx, names) {
			if err != nil {
				yield(row, err)
				return
			}
			switch row.Kind {
			case curate.KindDrop:
				duplicates++
				if !yield(schemas.Count{Kind: row.Kind, Key: row.Key, N: 1}, nil) {
					return
				}
				continue
			case kindSameKey:
				same.addHash(row.Key)
			}
		}
	}
	if err := r.WriteCounts(folder.Duplicates, drops); err != nil {
		return err
	}
	r.AddStat("duplicates", duplicates)
	return same.warnOfKeys(ctx, r)
}
