package stages

import (
	"context"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// generators are the negatives.Generators of a stage, one for each goroutine.
type generators struct{ free sync.Pool }

// newGenerators makes them with the proposer from, or where that is nil with the
// one that the settings name.
func newGenerators(o negatives.Options, from negatives.Proposer, env pipeline.Env) (*generators, error) {
	vocabulary, err := readVocabulary(o, env)
	if err != nil {
		return nil, err
	}
	one := func() (*negatives.Generator, error) {
		if from != nil {
			return negatives.NewWithProposer(o, vocabulary, from, env.Seed)
		}
		return negatives.New(o, vocabulary, env.Seed)
	}
	first, err := one()
	if err != nil {
		return nil, err
	}
	g := &generators{}
	g.free.New = func() any {
		more, err := one()
		if err != nil {
			panic(err) // the first was made of the same
		}
		return more
	}
	g.free.Put(first)
	return g, nil
}

func (g *generators) take() *negatives.Generator    { return g.free.Get().(*negatives.Generator) }
func (g *generators) give(one *negatives.Generator) { g.free.Put(one) }

// sharedGenerators are those of all stages of a pass, which read the vocabulary
// once.
type sharedGenerators struct {
	once sync.Once
	made *generators
	err  error
}

func (s *sharedGenerators) get(o negatives.Options, env pipeline.Env) (*generators, error) {
	s.once.Do(func() { s.made, s.err = newGenerators(o, nil, env) })
	return s.made, s.err
}

// decompose assigns the positives.
type decompose struct {
	generators *generators
	env        pipeline.Env
}

func newDecompose(shared *sharedGenerators, o negatives.Options, env pipeline.Env) (pipeline.Stage, error) {
	if o.Replacements == negatives.FromLLM {
		o.Replacements = negatives.FromCorpus // positives replace nothing
	}
	g, err := shared.get(o, env)
	if err != nil {
		return nil, err
	}
	return &decompose{g, env}, nil
}

// Process implements pipeline.Stage.
func (s *decompose) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	all, err := images(in)
	if err != nil {
		return nil, err
	}
	g := s.generators.take()
	defer s.generators.give(g)
	b := schemas.NewPositivesBuilder(s.env.Mem)
	defer b.Release()
	var pools []schemas.Pool
	for _, image := range all {
		pools = resize(pools, len(image.Captions))
		g.Positives(image, pools)
		for i := range pools {
			report.Stat("positives", int64(len(pools[i].Positives)))
			b.Append(pools[i].Positives)
		}
	}
	return schemas.Assign(in, schemas.PositiveFields(), b.NewColumns()), nil
}

// resize returns s with length n; elements keep the memory that they own.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
