package negatives

import (
	"fmt"
	"iter"

	"capgraph/internal/lexicon"
	"capgraph/negatives/plausible"
	"capgraph/negatives/quality"
	"capgraph/negatives/siblings"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// Vocabulary is what the corpus says, ready to propose replacements from and to judge them by. It is
// immutable and shared between generators.
type Vocabulary struct {
	corpus *vocabulary.Vocabulary
	// attested is what the judge goes by.
	attested  *plausible.Attested
	judgement *plausible.Judgement
	quality   *quality.Model
	siblings  siblings.Table
}

// ReadVocabulary is NewVocabulary of counts that are read. The first error among them is the
// error.
func ReadVocabulary(rows iter.Seq2[schemas.Count, error], opts Options) (*Vocabulary, error) {
	var failed error
	v, err := NewVocabulary(func(yield func(schemas.Count) bool) {
		for row, err := range rows {
			if err != nil {
				failed = err
				return
			}
			if !yield(row) {
				return
			}
		}
	}, opts)
	if failed != nil {
		return nil, failed
	}
	return v, err
}

// NewVocabulary reads merged counts, those of a kind one after the other. It
// keeps those of at least opts.MinCount and at most the opts.MaxKeys most
// frequent of a kind, ties by bytes. Kinds that it does not know are not its own
// and left out.
func NewVocabulary(rows iter.Seq[schemas.Count], opts Options) (*Vocabulary, error) {
	v, err := newVocabulary(rows, opts)
	if err != nil {
		return nil, fmt.Errorf("vocabulary: %w", err)
	}
	return v, nil
}

func newVocabulary(rows iter.Seq[schemas.Count], opts Options) (*Vocabulary, error) {
	lex, err := lexicon.Open()
	if err != nil {
		return nil, err
	}
	in := lexicon.NewInflector()
	v := &Vocabulary{}
	var used []schemas.Count
	if v.attested, err = plausible.Prior(lex, in, func(c schemas.Count) { used = append(used, c) }); err != nil {
		return nil, err
	}
	if v.quality, err = quality.Embedded(); err != nil {
		return nil, err
	}
	if v.judgement, err = plausible.Own(); err != nil {
		return nil, err
	}
	if v.siblings, err = siblings.Own(); err != nil {
		return nil, err
	}
	of := vocabulary.Limits{Min: opts.MinCount, Keys: opts.MaxKeys, Contexts: opts.Replacements == FromNGram}
	if v.corpus, err = vocabulary.Read(rows, lex, in, of, func(c schemas.Count) { v.attested.Add(lex, in, c) }); err != nil {
		return nil, err
	}
	return v, v.corpus.AddUsage(used)
}
