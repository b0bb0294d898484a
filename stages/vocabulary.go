package stages

import (
	"iter"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

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
