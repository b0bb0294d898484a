package stages

import (
	"context"
	"iter"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/panics"
	"capgraph/negatives"
	"capgraph/negatives/publiccounts"
	"capgraph/negatives/vocabulary"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// freeList keeps values for reuse by other goroutines, with the memory and caches that each has built up.
type freeList[T any] struct {
	mu    sync.Mutex
	items []*T
}

// takeItem returns a value that was given back, or nil.
func (s *freeList[T]) takeItem() *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.items) - 1
	if last < 0 {
		return nil
	}
	one := s.items[last]
	s.items = s.items[:last]
	return one
}

func (s *freeList[T]) giveBack(one *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, one)
}

// generators are the negatives.Generators of a pass, one for each goroutine that makes texts. They
// share the vocabulary.
type generators struct {
	freeList[negatives.Generator]
	public       bool // whether counts of public captions were added
	newGenerator func() (*negatives.Generator, error)
}

// newGenerators makes generators that use the model from or, if that is nil, the proposer that the
// settings name.
func newGenerators(o negatives.Options, from *llmProposer, env pipeline.Env) (*generators, error) {
	v, public, err := readVocabulary(o, env)
	if err != nil {
		return nil, err
	}
	g := &generators{public: public, newGenerator: func() (*negatives.Generator, error) { return from.newGenerator(o, v, env.Seed) }}
	first, err := g.newGenerator()
	if err != nil {
		return nil, err
	}
	g.giveBack(first)
	return g, nil
}

func (g *generators) takeGenerator() (*negatives.Generator, error) {
	if one := g.freeList.takeItem(); one != nil {
		return one, nil
	}
	return g.newGenerator()
}

// imageTexts are the texts of an image: all candidates, before they are capped.
type imageTexts struct {
	image *negatives.Image
	pools []schemas.Pool
	drops negatives.Drops
}

// eachImageTexts makes the texts of the images of a batch, at most atOnce at a time, and calls see in the
// order of the images. The argument of see is valid until it returns; its error ends the batch.
func (g *generators) eachImageTexts(ctx context.Context, batch arrow.Record, atOnce int, see func(*imageTexts) error) error {
	all, err := imagesOf(batch, atOnce > 1)
	if err != nil {
		return err
	}
	if atOnce <= 1 {
		one, err := g.takeGenerator()
		if err != nil {
			return err
		}
		defer g.giveBack(one)
		var m imageTexts
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
	var inOrder []*imageTexts
	for image := range all {
		m := &imageTexts{image: image, pools: make([]schemas.Pool, len(image.Captions))}
		inOrder = append(inOrder, m)
		group.Go(func() (err error) {
			defer panics.Catch(&err)
			if err := within.Err(); err != nil {
				return err
			}
			one, err := g.takeGenerator()
			if err != nil {
				return err
			}
			defer g.giveBack(one)
			return one.Texts(within, m.image, m.pools, &m.drops)
		})
	}
	if err := group.Wait(); err != nil {
		panics.Rethrow(err)
		return err
	}
	for _, m := range inOrder {
		if err := see(m); err != nil {
			return err
		}
	}
	return nil
}

// readVocabulary returns the counts of the corpus, prepared for proposing replacements. For a small
// corpus it adds the counts of public captions, and public is true.
func readVocabulary(o negatives.Options, env pipeline.Env) (v *negatives.Vocabulary, public bool, err error) {
	rows, err := env.Counts(folder.Vocabulary)
	if err != nil {
		return nil, false, err
	}
	if public, err = namesFewer(rows, o.PublicCounts); err != nil {
		return nil, false, err
	}
	if rows, err = env.Counts(folder.Vocabulary); err != nil {
		return nil, false, err
	}
	if public {
		rows = publiccounts.AddTo(rows)
	}
	v, err = negatives.ReadVocabulary(rows, o)
	return v, public, err
}

// namesFewer reports whether fewer things than limit are counted.
func namesFewer(rows iter.Seq2[schemas.Count, error], limit int64) (bool, error) {
	var things int64
	for row, err := range rows {
		if err != nil {
			return false, err
		}
		if row.Kind == vocabulary.Object {
			things += row.N
		}
		if things >= limit {
			return false, nil
		}
	}
	return true, nil
}

// publicVersion returns the version of the counts of public captions; "" if they are not used.
func publicVersion(o *negatives.Options) string {
	if o.PublicCounts == 0 {
		return ""
	}
	return " " + publiccounts.Version
}
