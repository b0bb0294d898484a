package ruleparse

import (
	"fmt"
	"io"
	"path/filepath"
)

// TrainOptions say where the trainer's data are. Data holds lex, ud and factual
// as docs/parser.md lists them; Log receives progress.
type TrainOptions struct {
	Data string
	Log  io.Writer
	// WithoutTreebank leaves the tagger out: tags come from the lexicon, and the
	// model holds nothing of the treebank.
	WithoutTreebank bool
	// Holdout is how many of the last rows of FACTUAL's training part are kept
	// apart to measure on.
	Holdout int
}

// Train makes a model file: the same bytes for the same data and options.
func Train(o TrainOptions) ([]byte, error) {
	words, err := buildLexicon(filepath.Join(o.Data, "lex", "wordnet-3.0"), filepath.Join(o.Data, "lex", "scowl", "american-english"))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b := appendSection([]byte(magic), "lexicon", words)
	l, err := readLexicon(string(words))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	p := &Parser{closed: closedTags(), lexicon: l}
	if !o.WithoutTreebank {
		tags, err := trainTagger(filepath.Join(o.Data, "ud"), l, o.Log)
		if err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
		b = appendSection(b, "tagger", tags)
		if p.tagger, err = readTagger(string(tags)); err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
	}
	captions, gold, err := readFactual(filepath.Join(o.Data, "factual", "factual_sg_train.csv"))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	n := len(captions) - o.Holdout
	var xs []*example
	for i := range n {
		xs = append(xs, p.align(captions[i], gold[i]))
	}
	rewrite := p.trainRewriter(xs)
	b = appendSection(b, "rewriter", rewrite)
	if p.rewriter, err = readRewriter(string(rewrite)); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	xs = append(xs, p.augment(captions[:n], gold[:n])...)
	whole, err := p.trainWhole(xs, o.Log)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b = appendSection(b, "whole", whole)
	labels, pairs := trainBoth(xs, o.Log)
	b = appendSection(b, "labels", labels)
	b = appendSection(b, "pairs", pairs)
	if o.Holdout > 0 {
		if err := reportHoldout(string(b), captions[n:], gold[n:], o.Log); err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
	}
	return b, nil
}
