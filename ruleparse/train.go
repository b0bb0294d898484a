package ruleparse

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
)

// TrainOptions say where the trainer's data are. Data holds lex, ud, factual, coco and cc3m
// as docs/parser.md lists them; Log receives progress.
type TrainOptions struct {
	Data string
	Log  io.Writer
	// WithoutTreebank leaves the tagger out: tags come from the lexicon, and the
	// model holds nothing of the treebank.
	WithoutTreebank bool
	// Holdout is how many of the last rows of FACTUAL's training part are kept
	// apart to measure on, at most 4,000 with a teacher: it has not seen them.
	Holdout int
	// Silver is a teacher's answers, as docs/parser.md has it. Without them, and
	// without the treebank, by whose tags it was asked, the model learns from
	// FACTUAL alone.
	Silver []byte
}

// Train makes a model file: the same bytes for the same data and options.
func Train(o TrainOptions) ([]byte, error) {
	w, err := readWordNet(filepath.Join(o.Data, "lex", "wordnet-3.0"))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	words, err := w.lexicon(filepath.Join(o.Data, "lex", "scowl", "american-english"))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b := appendSection([]byte(magic), "lexicon", words)
	names := w.knownNames()
	b = appendSection(b, "names", names)
	l, err := readLexicon(string(words))
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	p := &Parser{closed: closedTags(), lexicon: l, known: readKnownNames(string(names)), persons: readPersons(personsFile)}
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
	captions, gold, err := readTraining(o.Data)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	n := len(captions) - o.Holdout
	xs := p.alignAll(captions[:n], gold[:n])
	rewrite := p.trainRewriter(xs)
	b = appendSection(b, "rewriter", rewrite)
	if p.rewriter, err = readRewriter(string(rewrite)); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	written, _, err := p.annotated(o.Data)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	xs = slices.Concat(xs, p.augment(captions[:n], gold[:n]), written)
	whole, err := p.trainWhole(xs, o.Log)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	b = appendSection(b, "whole", whole)
	silver, err := p.silver(o)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	for range annotatedAgain {
		xs = append(xs, written...)
	}
	labels, pairs := trainBoth(append(xs, silver...), o.Log)
	b = appendSection(b, "labels", labels)
	b = appendSection(b, "pairs", pairs)
	if o.Holdout > 0 {
		if err := reportHoldout(string(b), captions[n:], gold[n:], o.Log); err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
	}
	return b, nil
}

// annotatedAgain is how often more the annotated graphs count than the teacher's.
const annotatedAgain = 3

// silver are the captions that the teacher annotated, if there is one.
func (p *Parser) silver(o TrainOptions) ([]*example, error) {
	if len(o.Silver) == 0 || o.WithoutTreebank {
		return nil, nil
	}
	if o.Holdout > untaught {
		return nil, fmt.Errorf("a holdout of %d rows: the teacher has seen all but the last %d", o.Holdout, untaught)
	}
	texts, err := p.untold(o.Data)
	if err != nil {
		return nil, err
	}
	return p.readSilver(o.Silver, texts)
}
