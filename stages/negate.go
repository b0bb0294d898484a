package stages

import (
	"context"
	"errors"
	"log/slog"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/config"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// negate assigns the negatives.
type negate struct {
	generators *generators
	from       *model
	env        pipeline.Env
	// chooser makes one for a goroutine, or none where balance is off.
	chooser func() negatives.Chooser
}

func newNegate(shared *sharedGenerators, o config.Negatives, asked *asked, env pipeline.Env) (_ pipeline.Stage, err error) {
	chooser, err := newChooser(o.Balance, env)
	if err != nil {
		return nil, err
	}
	if asked == nil {
		g, err := shared.get(o.Options, env)
		return &negate{g, nil, env, chooser}, err
	}
	from, err := asked.open()
	if err != nil {
		return nil, err
	}
	g, err := newGenerators(o.Options, from.proposer(), env)
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &negate{g, from, env, chooser}, nil
}

// Close closes what the proposer holds.
func (s *negate) Close() error { return s.from.Close() }

// Tell is what a model that is asked for replacements has done so far.
func (s *negate) Tell() []slog.Attr {
	if s.from == nil {
		return nil
	}
	return s.from.client.Stats().Attrs()
}

// Process implements pipeline.Stage.
func (s *negate) Process(ctx context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	texts, err := schemas.NewPoolView(in)
	if err != nil {
		return nil, err
	}
	capper := s.generators.take()
	defer s.generators.give(capper)
	b := schemas.NewNegativesBuilder(s.env.Mem)
	defer b.Release()
	dropped := func(d negatives.Dropped) { report.Stat("dropped_"+d.Reason, 1) }
	chooser := s.chooser()
	err = s.generators.each(ctx, in, s.from.atOnce(), func(ctx context.Context, one *negatives.Generator, first int, image *negatives.Image, pools []schemas.Pool) (func() error, error) {
		for i := range pools {
			texts.At(first+i, &pools[i])
		}
		var reasons []negatives.Dropped
		err := one.Negatives(ctx, image, pools, func(d negatives.Dropped) { reasons = append(reasons, negatives.Dropped{Reason: d.Reason}) })
		return func() error {
			for _, d := range reasons {
				dropped(d)
			}
			capper.Cap(image, pools, chooser, dropped)
			for i := range pools {
				report.Stat("negatives", int64(len(pools[i].Negatives)))
				if len(pools[i].Negatives) == 0 {
					report.Stat("without_negative", 1)
				}
				b.Append(pools[i].Negatives)
			}
			return nil
		}, err
	})
	if err != nil {
		return nil, err
	}
	return schemas.Assign(in, schemas.NegativeFields(), b.NewColumns()), nil
}
