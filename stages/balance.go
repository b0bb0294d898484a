package stages

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/negatives/balance"
	"capgraph/negatives/textonly"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// balancePass builds the pass that learns which n-grams are typical of negatives.
func (b *passBuilder) balancePass() *pipeline.Pass {
	c := b.config
	return &pipeline.Pass{
		Name: folder.PassBalance, Summary: "learn from the candidates of a sample which n-grams are typical of negatives",
		Settings:  balanceSettings{c.Seed, c.Texts, c.Negatives.Balanced(), b.lists, b.llm.planSettings()},
		Version:   textsVersion + publicVersion(&c.Negatives.Options) + b.llm.readerVersion(),
		Preflight: b.llm.checkAnswerable,
		Reduce: func(ctx context.Context, r *pipeline.Reducer) error {
			return learnBalance(ctx, c.Negatives, b.llm, r)
		},
	}
}

// balanceSettings are the settings that the scores depend on.
type balanceSettings struct {
	Seed      uint64       `yaml:"seed"`
	Texts     config.Texts `yaml:"texts"`
	Negatives any          `yaml:"negatives"`
	Lists     string       `yaml:"lists,omitempty"` // version of the files that the settings name
	Model     any          `yaml:"llm,omitempty"`
}

// learnBalance learns, from the candidates of a sample of images, which n-grams are typical of
// negatives, and writes their weights. If balancing is off, it writes none.
func learnBalance(ctx context.Context, o config.Negatives, llm *llmSettings, r *pipeline.Reducer) error {
	weights := func(func(schemas.Count, error) bool) {} // none
	if o.Balance.Enabled {
		model, err := learnModel(ctx, o, llm, r)
		if err != nil {
			return err
		}
		weights = model.Counts()
	}
	return r.WriteCounts(folder.Balance, weights)
}

// gainPairs is the maximum number of candidates that the gain is measured on.
const gainPairs = 20_000

// learnModel learns a model from the candidates of the sample. A corpus without candidates has a
// model that scores everything 0.
func learnModel(ctx context.Context, o config.Negatives, llm *llmSettings, r *pipeline.Reducer) (_ *balance.Model, err error) {
	trainer, err := balance.NewTrainer(o.Balance)
	if err != nil {
		return nil, err
	}
	from, err := llm.openProposer()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	from.reportTo(r.Env)
	generators, err := newGenerators(o.Generator(), from, r.Env)
	if err != nil {
		return nil, err
	}
	gain := textonly.NewSample(gainPairs)
	add := func(p balance.Pair) {
		trainer.Add(p)
		gain.Add(textonly.Pair{Image: strings.Clone(p.Image), Method: p.Method, Positive: strings.Clone(p.Positive), Negative: strings.Clone(p.Negative)})
	}
	captions, err := r.Rows()
	if err != nil {
		return nil, err
	}
	r.StartStep("candidates", "caption", "captions", min(captions, int64(o.Balance.Sample)))
	err = eachSampled(ctx, newSampler(o.Balance.Sample, captions), r, func(sample arrow.Record) error {
		r.AddStat("captions", sample.NumRows())
		return generators.eachImageTexts(ctx, sample, from.maxImages(), func(m *imageTexts) error {
			r.Advance(int64(len(m.pools)))
			for _, pool := range m.pools {
				for _, n := range pool.Negatives {
					add(balance.Pair{Image: m.image.Key, Method: n.Method, Positive: pool.Beside(&n), Negative: n.Text})
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	r.AddStat("candidates", int64(trainer.Len()))
	if trainer.Len() == 0 {
		return balance.NewModel(func(func(schemas.Count, error) bool) {})
	}
	r.StartStep("weights", "candidate", "candidates", int64(o.Balance.Epochs)*int64(trainer.Len()))
	model, err := trainer.Train(func(candidates int) { r.Advance(int64(candidates)) })
	if err != nil {
		return nil, err
	}
	r.StartStep("effect", "candidate", "candidates", 0)
	reportGain(gain.Pairs(), balance.NewChooser(model, o.Balance, r.Env.Seed), r)
	return model, nil
}

// reportGain records how many of the pairs are kept, and the accuracy of a text-only classifier on
// all pairs and on the kept ones, in per mille.
func reportGain(pairs []textonly.Pair, chooser *balance.Chooser, r *pipeline.Reducer) {
	var kept []textonly.Pair
	for _, p := range pairs {
		if chooser.Keeps(balance.Pair{Image: p.Image, Method: p.Method, Positive: p.Positive, Negative: p.Negative}) {
			kept = append(kept, p)
		}
	}
	r.Advance(int64(len(pairs)))
	r.AddStat("sampled", int64(len(pairs)))
	r.AddStat("sampled_kept", int64(len(kept)))
	r.AddStat("text_only_before", int64(math.Round(10*textonly.Accuracy(pairs))))
	r.AddStat("text_only_after", int64(math.Round(10*textonly.Accuracy(kept))))
}

// newSampler returns a sampler that selects images with about sample of the captions.
func newSampler(sample int, captions int64) imageSampler {
	if int64(sample) >= captions {
		return imageSampler{all: true}
	}
	return imageSampler{below: uint64(math.Ldexp(float64(sample)/float64(captions), 64))}
}

// newChooser returns a function that makes choosers; nil ones if balancing is off.
func newChooser(o balance.Options, env pipeline.Env) (func() negatives.Chooser, error) {
	if !o.Enabled {
		return func() negatives.Chooser { return nil }, nil
	}
	counts, err := env.Counts(folder.Balance)
	if err != nil {
		return nil, err
	}
	model, err := balance.NewModel(counts)
	if err != nil {
		return nil, err
	}
	return func() negatives.Chooser { return balance.NewChooser(model, o, env.Seed) }, nil
}
