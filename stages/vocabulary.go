package stages

import (
	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
)

// readVocabulary makes the corpus' counts ready to propose replacements from.
func readVocabulary(o negatives.Options, env pipeline.Env) (*negatives.Vocabulary, error) {
	rows, err := env.Counts(folder.Vocabulary)
	if err != nil {
		return nil, err
	}
	return negatives.ReadVocabulary(rows, o)
}
