package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"capgraph/negatives"
	"capgraph/schemas"
)

// each calls work for the images of a batch, with a generator and a pool for
// each caption, at most atOnce at a time, and then what work returned, one after
// the other in the order of the images. first is the row of an image's first
// caption. What work was given is valid until then.
func (g *generators) each(ctx context.Context, batch arrow.Record, atOnce int,
	work func(ctx context.Context, one *negatives.Generator, first int, image *negatives.Image, pools []schemas.Pool) (func() error, error)) error {
	all, err := imagesOf(batch, atOnce > 1)
	if err != nil {
		return err
	}
	if atOnce <= 1 {
		one := g.take()
		defer g.give(one)
		var pools []schemas.Pool
		for first, image := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			pools = resize(pools, len(image.Captions))
			then, err := work(ctx, one, first, image, pools)
			if err != nil {
				return err
			}
			if err := then(); err != nil {
				return err
			}
		}
		return nil
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	var thens []*func() error
	for first, image := range all {
		then := new(func() error)
		thens = append(thens, then)
		group.Go(func() (err error) {
			if err := within.Err(); err != nil {
				return err
			}
			one := g.take()
			defer g.give(one)
			*then, err = work(within, one, first, image, make([]schemas.Pool, len(image.Captions)))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, then := range thens {
		if err := (*then)(); err != nil {
			return err
		}
	}
	return nil
}
