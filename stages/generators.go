package stages

import (
	"context"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"capgraph/internal/panics"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// idle keeps what goroutines use one after the other, with the memory and the
// look-ups that it has gathered.
type idle[T any] struct {
	mu  sync.Mutex
	all []*T
}

// take returns one that was given, nil where there is none.
func (s *idle[T]) take() *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.all) - 1
	if last < 0 {
		return nil
	}
	one := s.all[last]
	s.all = s.all[:last]
	return one
}

func (s *idle[T]) give(one *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, one)
}

// generators are the negatives.Generators of a pass, one for each goroutine that
// makes texts at a time. They share the vocabulary.
type generators struct {
	idle[negatives.Generator]
	far *farShards
	one func() (*negatives.Generator, error)
}

// newGenerators makes them with the model from, or where that is nil with the
// proposer that the settings name. far are the shards that they read.
func newGenerators(o negatives.Options, from *model, far *farShards, env pipeline.Env) (*generators, error) {
	vocabulary, err := readVocabulary(o, env)
	if err != nil {
		return nil, err
	}
	g := &generators{far: far, one: func() (*negatives.Generator, error) { return from.generator(o, vocabulary, env.Seed) }}
	first, err := g.one()
	if err != nil {
		return nil, err
	}
	g.give(first)
	return g, nil
}

func (g *generators) take() (*negatives.Generator, error) {
	if one := g.idle.take(); one != nil {
		return one, nil
	}
	return g.one()
}

// made are the texts of an image: all candidates, before they are capped.
type made struct {
	image *negatives.Image
	pools []schemas.Pool
	drops negatives.Drops
}

// texts makes the texts of the images of a batch, at most atOnce at a time, and
// gives them to see, one after the other in the order of the images. What see is
// given is valid until it returns; its error ends the batch.
func (g *generators) texts(ctx context.Context, batch arrow.Record, atOnce int, see func(*made) error) error {
	all, err := images(batch, g.far, atOnce > 1)
	if err != nil {
		return err
	}
	if atOnce <= 1 {
		one, err := g.take()
		if err != nil {
			return err
		}
		defer g.give(one)
		var m made
		for image := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			m.image, m.pools, m.drops = image, schemas.Resize(m.pools, len(image.Captions)), negatives.Drops{}
			if err := one.Texts(ctx, image, m.pools, &m.drops); err != nil {
				return err
			}
			if err := see(&m); err != nil {
				return err
			}
		}
		return nil
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	var inOrder []*made
	for image := range all {
		m := &made{image: image, pools: make([]schemas.Pool, len(image.Captions))}
		inOrder = append(inOrder, m)
		group.Go(func() (err error) {
			defer panics.Catch(&err)
			if err := within.Err(); err != nil {
				return err
			}
			one, err := g.take()
			if err != nil {
				return err
			}
			defer g.give(one)
			return one.Texts(within, m.image, m.pools, &m.drops)
		})
	}
	if err := group.Wait(); err != nil {
		panics.Pass(err)
		return err
	}
	for _, m := range inOrder {
		if err := see(m); err != nil {
			return err
		}
	}
	return nil
}
