package stages

import (
	"context"
	"iter"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// mergeVocabulary adds the counts of all shards up.
func mergeVocabulary(ctx context.Context, r *pipeline.Reducer) error {
	r.Step("vocabulary", "count", "counts", 0)
	return r.WriteCounts(folder.Vocabulary, withoutDuplicates(func(yield func(schemas.Count, error) bool) {
		for row, err := range r.MergedCounts(ctx, folder.PassTally) {
			if r.Advance(1); !yield(row, err) {
				return
			}
		}
	}))
}

// readVocabulary makes the corpus' counts ready to propose replacements from.
func readVocabulary(o negatives.Options, env pipeline.Env) (*negatives.Vocabulary, error) {
	rows, err := env.Counts(folder.Vocabulary)
	if err != nil {
		return nil, err
	}
	var failed error
	all := func(yield func(schemas.Count) bool) {
		for row, err := range rows {
			if err != nil {
				failed = err
				return
			}
			if !yield(row) {
				return
			}
		}
	}
	vocabulary, err := negatives.NewVocabulary(iter.Seq[schemas.Count](all), o)
	if failed != nil {
		return nil, failed
	}
	return vocabulary, err
}
