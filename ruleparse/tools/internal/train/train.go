// Package train makes the model of the parser: the tagger, the models of labels, of pairs and of whole analyses, and
// FACTUAL's conventions.
package train

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"capgraph/ruleparse/internal/factual"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/ruleparse/tools/internal/examples"
)

// Options are the inputs of the trainer. Data is a folder with lex, ud, factual, coco and cc3m, as
// ruleparse/tools/README.md lists them. Log receives progress.
type Options struct {
	Data string
	Log  io.Writer
	// Holdout is the number of last rows of FACTUAL's training part that are used for evaluation and not for training.
	// With a teacher it is at most 4,000, which the teacher was not trained on.
	Holdout int
	// Silver has a teacher's answers (ruleparse/tools/README.md). Without it the model is trained on FACTUAL and the
	// annotated graphs only.
	Silver []byte
}

// trainer trains the parts of the model that need tokens.
type trainer struct {
	source   *examples.Source
	reader   *tokens.Reader
	rules    *rules.Set
	rewriter *factual.Rewriter
}

// Model returns a model file, the same bytes for the same data and options.
func Model(o Options) ([]byte, error) {
	w, err := readWordNet(filepath.Join(o.Data, "lex", "wordnet-3.0"))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	words, err := w.buildLexicon(filepath.Join(o.Data, "lex", "scowl", "american-english"))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b := model.AppendSection(nil, "lexicon", words)
	names := w.sortedNames()
	b = model.AppendSection(b, "names", names)
	r, err := tokens.NewReader(string(words), string(names))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	tags, err := trainTagger(filepath.Join(o.Data, "ud"), r.Lexicon, o.Log)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b = model.AppendSection(b, "tagger", tags)
	if r.Tagger, err = tokens.ReadTagger(string(tags)); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	t := trainer{source: &examples.Source{Data: o.Data, Reader: r}, reader: r, rules: &rules.Set{Lexicon: r.Lexicon}}
	captions, gold, err := t.source.ReadFactual()
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	n := len(captions) - o.Holdout
	xs := t.source.AlignAll(captions[:n], gold[:n])
	rewrite := t.trainRewriter(xs)
	b = model.AppendSection(b, "rewriter", rewrite)
	if t.rewriter, err = factual.ReadRewriter(string(rewrite), r.Lexicon); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	written, _, err := t.source.ReadAnnotated(examples.FirstGraphs)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	xs = slices.Concat(xs, t.source.Augment(captions[:n], gold[:n]), written)
	whole, err := t.trainReranker(xs, o.Log)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b = model.AppendSection(b, "whole", whole)
	silver, err := readSilverExamples(t.source, o)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	for range annotatedRepeats {
		xs = append(xs, written...)
	}
	labels, pairs := trainLabelsAndPairs(append(xs, silver...), o.Log)
	b = model.AppendSection(b, "labels", labels)
	b = model.AppendSection(b, "pairs", pairs)
	plain, err := t.source.ReadPlainCaptions()
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b = model.AppendSection(b, "plurals", trainPluralVerbs(r, plain, o.Log))
	if o.Holdout > 0 {
		if err := reportHoldout(string(b), captions[n:], gold[n:], o.Log); err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
	}
	return b, nil
}

// annotatedRepeats is how often the annotated graphs are repeated among the teacher's.
const annotatedRepeats = 3

// readSilverExamples returns the captions that the teacher annotated, or none if there is no teacher.
func readSilverExamples(s *examples.Source, o Options) ([]*examples.Example, error) {
	if len(o.Silver) == 0 {
		return nil, nil
	}
	if o.Holdout > examples.HeldOutRows {
		return nil, fmt.Errorf("a holdout of %d rows: the teacher has seen all but the last %d", o.Holdout, examples.HeldOutRows)
	}
	texts, err := s.ReadQuestionTexts()
	if err != nil {
		return nil, err
	}
	return readSilver(s.Reader, o.Silver, texts)
}
