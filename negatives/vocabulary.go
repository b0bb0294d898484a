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

// Vocabulary has the words of the corpus with their counts, to propose replacements and to judge
// them. It is immutable and shared between generators.
type Vocabulary struct {
	corpus *vocabulary.Vocabulary
	// attested has the counts of words in relations, for the judge.
	attested  *plausible.Attested
	judgement *plausible.Judgement
	vectors   *plausible.Vectors
	quality   *quality.Model
	siblings  siblings.Table
}

// ReadVocabulary is as NewVocabulary, for counts that are read from a file. It returns the first
// error of a read.
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

// NewVocabulary makes a vocabulary of merged counts, which are sorted by kind. It keeps counts of
// at least opts.MinCount and, of each kind, the opts.MaxKeys most frequent; equal counts are
// ordered by key. It skips unknown kinds.
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
	if v.vectors, err = plausible.OwnVectors(); err != nil {
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
