package stages

import (
	"context"

	"capgraph/clean/curate"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// What the sums of a partition are cut into, and the list of all.
const (
	runWords = "words" // the vocabulary
	runFound = "found" // the kinds kindDrop, kindSameKey and kindApart
)

// Kinds of what a shard is known by, beside what its graphs say: a row by the hash of
// its key, an image by the hashes that it is known by, each time its rows come together.
// Of these the sums give keys that come twice and images whose rows may be apart.
const (
	kindKey     = "row_key"
	kindImage   = "image"
	kindSameKey = "same_key"
	kindApart   = "apart"
)

// NoWords are the kinds of the counts of a shard that are none of the vocabulary.
var NoWords = []string{curate.KindDuplicate, kindKey, kindImage}

// sum adds the counts of a partition up, and finds what came more than once.
func (t *tree) sum(ctx context.Context, r *pipeline.Reducer, partition int) error {
	step, groups := t.last()
	words, err := r.NewRun(runName(runWords, 0, partition))
	if err != nil {
		return err
	}
	found := r.NewSorter()
	defer found.Discard()
	drops := curate.NewDrops(generations(r.Index), func(place string) error { return found.Add(curate.KindDrop, place, 1) })
	for row, err := range r.Merged(ctx, runsOf(step, 0, groups, partition)) {
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
				err = found.Add(kindApart, row.Key, row.N)
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

// generations tells when the file of a source joined the folder.
func generations(x *folder.Index) func(source string) int {
	of := map[string]int{}
	for _, f := range x.Files {
		if f.Generation > 0 {
			of[f.Name] = f.Generation
		}
	}
	return func(source string) int { return of[source] }
}

// writeSorted writes what was sorted as a run.
func writeSorted(ctx context.Context, r *pipeline.Reducer, name string, sorted *pipeline.Sorter) error {
	out, err := r.NewRun(name)
	if err != nil {
		return err
	}
	rows, err := sorted.Rows(ctx)
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err == nil {
			err = out.Add(row)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// list is a task: the first writes the vocabulary, the second what was found.
func (t *tree) list(ctx context.Context, r *pipeline.Reducer, task int) error {
	if task == 0 {
		return t.writeVocabulary(ctx, r)
	}
	return t.writeLists(ctx, r)
}

// writeVocabulary merges the partitions' words.
func (t *tree) writeVocabulary(ctx context.Context, r *pipeline.Reducer) error {
	var names []string
	for p := range t.partitions {
		names = append(names, runName(runWords, 0, p))
	}
	return r.WriteCounts(folder.Vocabulary, r.Merged(ctx, names))
}

// writeLists merges what was found in the partitions: duplicates, keys of several rows,
// which it warns of, and images that may lie apart.
func (t *tree) writeLists(ctx context.Context, r *pipeline.Reducer) error {
	var names []string
	for p := range t.partitions {
		names = append(names, runName(runFound, 0, p))
	}
	out, err := r.NewRun(runFound)
	if err != nil {
		return err
	}
	same := sameKeys{}
	apart, duplicates := int64(0), int64(0)
	drops := func(yield func(schemas.Count, error) bool) {
		for row, err := range r.Merged(ctx, names) {
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
				same.add(row.Key)
			case kindApart:
				apart++
				err = out.Add(row)
			}
			if err != nil {
				yield(row, err)
				return
			}
		}
	}
	if err := r.WriteCounts(folder.Duplicates, drops); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	r.Stat("duplicates", duplicates)
	if apart > 0 {
		r.Stat(statApart, apart)
	}
	return same.warn(ctx, r)
}

// statApart is how many hashes images are known by whose rows may lie apart.
const statApart = "may_lie_apart"

// liesApart tells whether an image may lie apart.
func liesApart(r *pipeline.Reducer) (bool, error) {
	lists, err := r.Task(stepLists, 1)
	return err == nil && lists.Stats[statApart] > 0, err
}
