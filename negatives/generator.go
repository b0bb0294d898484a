package negatives

import (
	"context"
	"fmt"
	"slices"

	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/slots"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// Generator makes the texts of images. It is not safe for concurrent use: make one for each worker.
// All may share the vocabulary.
type Generator struct {
	opts   Options
	shares [len(methods.Names)]float64 // for each method, the share of captions that it edits; 0 if it is off
	seed   uint64
	dict   *dictionary
	source source

	// The fields below hold the current image, or are scratch memory.
	facts      facts
	decomposer decomposer
	jobs       []captionJob // one a caption
	whole      wholeEditor
	sink       sink
}

// New makes a generator with the proposer of opts.Replacements.
func New(opts Options, vocab *Vocabulary, seed uint64) (*Generator, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("negatives.%w", err)
	}
	g := newGenerator(opts, vocab, seed)
	var err error
	if g.source, err = newSource(&opts, g.dict.words); err != nil {
		return nil, err
	}
	return g, nil
}

// NewWithProposer makes a generator whose replacements come from p. among is how many such
// generators, which wait for p at the same time, share the memory for the caches of one.
func NewWithProposer(opts Options, vocab *Vocabulary, p slots.Proposer, among int, seed uint64) (*Generator, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("negatives.%w", err)
	}
	g := newGenerator(opts, vocab, seed)
	g.dict.words.Bound = words.MaxKept / among
	g.source = &externalSource{proposer: p, words: g.dict.words}
	return g, nil
}

func newGenerator(opts Options, vocab *Vocabulary, seed uint64) *Generator {
	g := &Generator{opts: opts, seed: seed, dict: newDictionary(&opts, vocab)}
	g.facts.dict, g.sink.other = g.dict, &g.dict.other
	g.decomposer = decomposer{dict: g.dict, facts: &g.facts, most: opts.MaxPositives, paraphrases: opts.Paraphrases, natural: opts.Templates == TemplatesNatural, quality: vocab.quality, least: float32(opts.MinConfidence)}
	g.sink.leastGood, g.sink.unjudgedSwaps = float32(opts.MinConfidence)*shareOfClaim, opts.UnjudgedSwaps
	g.sink.judge = judge{attested: vocab.attested, corpus: vocab.corpus, judgement: vocab.judgement, changes: plausible.Changes{Vectors: vocab.vectors}, enabled: g.dict.filter.plausible}
	all := slices.Contains(opts.Methods, methods.All)
	for m, name := range methods.Names {
		if slices.Contains(opts.Methods, name) || all && methods.Method(m).ChangesOne() {
			g.shares[m] = opts.shareOf(name)
		}
	}
	return g
}

// Texts fills pools[i] with the texts of img.Captions[i]. Positives are the caption, then the texts
// of its sub-graphs and their paraphrases, at most MaxPositives. Negatives are all candidates that
// pass the filters, with Score 0. pools and img.Captions have the same length; texts are valid
// until the pools are reset. drops gets the candidates that do not pass. An error comes from the
// proposer.
func (g *Generator) Texts(ctx context.Context, img *Image, pools []schemas.Pool, drops *Drops) error {
	g.decomposer.drops, g.sink.drops = drops, drops
	g.sink.texts.reset()
	if w := g.dict.words; w.Kept >= w.Bound {
		g.dict.filter.forget()
	}
	g.facts.readCaptions(img)
	g.jobs = schemas.Resize(g.jobs, len(img.Captions))
	for i := range g.jobs {
		g.jobs[i].begin(g, img, i, &pools[i])
	}
	g.decomposer.random = grammar.NewRandom(g.seed, img.Key, "")
	makePositives(&g.decomposer, g.jobs, &g.sink.texts)
	for i := range g.jobs {
		for _, plan := range planners {
			plan(&g.jobs[i])
		}
	}
	if asks, ok := g.source.(*externalSource); ok {
		if err := asks.ask(ctx, g.jobs); err != nil {
			return fmt.Errorf("propose replacements for %s: %w", img.Key, err)
		}
	}
	plans := 0
	for i := range g.jobs {
		g.jobs[i].chooseForSlots(g.source)
		g.jobs[i].runPlans(plans)
		plans += len(g.jobs[i].plans)
	}
	return g.whole.addAll(ctx, g.jobs)
}
