package stages

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/config"
	evalnegatives "capgraph/eval/negatives"
	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/negatives/balance"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// learnBalance learns from the candidates of a sample of images which n-grams
// tell negatives.
func learnBalance(ctx context.Context, o config.Negatives, asked *asked, r *pipeline.Reducer) error {
	weights := func(func(schemas.Count, error) bool) {} // none
	if o.Balance.Enabled {
		model, err := learnModel(ctx, o, asked, r)
		if err != nil {
			return err
		}
		weights = model.Counts()
	}
	return r.WriteCounts(folder.Balance, weights)
}

// gainPairs are how many candidates the gain is measured on at most.
const gainPairs = 20_000

// learnModel learns a model from the candidates of the sample; a corpus
// without any has one that scores everything 0.
func learnModel(ctx context.Context, o config.Negatives, asked *asked, r *pipeline.Reducer) (_ *balance.Model, err error) {
	trainer, err := balance.NewTrainer(o.Balance)
	if err != nil {
		return nil, err
	}
	from, err := asked.model()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	from.tellTo(r.Env)
	far := newFarShards(scratchOf(r.Folder))
	generators, err := newGenerators(o.Generator(), from, far, r.Env)
	if err != nil {
		return nil, err
	}
	gain := evalnegatives.NewSample(gainPairs)
	add := func(p balance.Pair) {
		trainer.Add(p)
		gain.Add(evalnegatives.Pair{Image: strings.Clone(p.Image), Method: p.Method, Positive: strings.Clone(p.Positive), Negative: strings.Clone(p.Negative)})
	}
	captions, err := r.Rows()
	if err != nil {
		return nil, err
	}
	r.Step("candidates", "shard", "shards", int64(len(r.Shards)))
	err = eachSampled(ctx, newSampler(o.Balance.Sample, captions), r, far, func(sample arrow.Record) error {
		r.Stat("captions", sample.NumRows())
		return generators.texts(ctx, sample, from.atOnce(), func(m *made) error {
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
	r.Stat("candidates", int64(trainer.Len()))
	if trainer.Len() == 0 {
		return balance.NewModel(func(func(schemas.Count, error) bool) {})
	}
	r.Step("weights", "candidate", "candidates", int64(o.Balance.Epochs)*int64(trainer.Len()))
	model, err := trainer.Train(func(candidates int) { r.Advance(int64(candidates)) })
	if err != nil {
		return nil, err
	}
	r.Step("effect", "candidate", "candidates", 0)
	reportGain(gain.Pairs(), balance.NewChooser(model, o.Balance, r.Env.Seed), r)
	return model, nil
}

// reportGain says how many of some candidates are kept, and for which gain: the
// text-only accuracy, in per mille, of all and of those that are kept.
func reportGain(pairs []evalnegatives.Pair, chooser *balance.Chooser, r *pipeline.Reducer) {
	var kept []evalnegatives.Pair
	for _, p := range pairs {
		if chooser.Keeps(balance.Pair{Image: p.Image, Method: p.Method, Positive: p.Positive, Negative: p.Negative}) {
			kept = append(kept, p)
		}
	}
	r.Advance(int64(len(pairs)))
	r.Stat("sampled", int64(len(pairs)))
	r.Stat("sampled_kept", int64(len(kept)))
	r.Stat("text_only_before", int64(math.Round(10*evalnegatives.TextOnly(pairs))))
	r.Stat("text_only_after", int64(math.Round(10*evalnegatives.TextOnly(kept))))
}

// newSampler takes about sample of that many captions.
func newSampler(sample int, captions int64) sampler {
	if int64(sample) >= captions {
		return sampler{all: true}
	}
	return sampler{below: uint64(math.Ldexp(float64(sample)/float64(captions), 64))}
}

// newChooser returns what makes a chooser; none where balance is off.
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
