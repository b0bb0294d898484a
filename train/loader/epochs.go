package loader

import (
	"context"
	"fmt"

	"capgraph/internal/text"
)

// epochs cuts what the lists give into epochs of whole batches.
type epochs struct {
	lists  []*list
	mixer  mixer
	images int // of an epoch, before it is cut
	batch  int
	steps  int
	// whole is set where an epoch is a pass over the one list, so that each begins
	// with a pass; else epochs go on where the one before ended.
	whole bool
}

// openLists makes one list of all corpora, or one of each where they are drawn from
// by weights, and counts their images.
func openLists(ctx context.Context, o *Options) (lists []*list, err error) {
	var near *Neighbours
	if o.Neighbours != "" {
		if near, err = readNeighbours(o.Store, o.Neighbours); err != nil {
			return nil, err
		}
	}
	for i, c := range o.Corpora {
		shards, err := findShards(o.Store, i, c.Texts)
		if err != nil {
			return nil, err
		}
		if err := countImages(ctx, o.Store, shards); err != nil {
			return nil, err
		}
		if i == 0 || o.weighted() {
			lists = append(lists, &list{
				store: o.Store, seed: o.Seed, number: i, window: o.Window, replacement: o.Replacement, neighbours: near, graphs: o.Graphs,
			})
		}
		l := lists[len(lists)-1]
		l.shards = append(l.shards, shards...)
		for _, s := range shards {
			l.images += s.images
		}
	}
	return lists, nil
}

// newEpochs returns the epochs of lists. It is an error that one has no image, or
// an epoch not as many as a batch.
func newEpochs(o *Options, lists []*list) (*epochs, error) {
	e := &epochs{lists: lists, mixer: mixer{seed: o.Seed}, batch: o.Batch, whole: o.Samples == 0 && len(lists) == 1}
	sum := 0.0
	for i, l := range lists {
		if l.images == 0 {
			return nil, fmt.Errorf("the texts of %s have no rows: there is nothing to train on", o.Corpora[i].Texts)
		}
		e.images += l.images
		sum += o.Corpora[i].Weight
		e.mixer.upTo = append(e.mixer.upTo, sum)
	}
	if o.Samples > 0 {
		e.images = o.Samples
	}
	e.steps = e.images / o.Batch
	if e.steps == 0 {
		return nil, fmt.Errorf("an epoch has %d %s and a batch has %d: lower the batch, or add images", e.images, text.Plural(e.images, "image", "images"), o.Batch)
	}
	return e, nil
}

// normal is the position of the same batch, whose step is within its epoch.
func (e *epochs) normal(p Position) Position {
	if p.Step == e.steps {
		return Position{p.Epoch + 1, 0}
	}
	return p
}

// seek makes the batch at a position the next one.
func (e *epochs) seek(p Position) {
	places := make([]int, len(e.lists))
	if e.whole {
		places[0] = p.Epoch*e.images + p.Step*e.batch
		e.lists[0].seek(places[0])
		return
	}
	for epoch := range p.Epoch + 1 {
		e.mixer.begin(epoch)
		n := e.steps * e.batch
		if epoch == p.Epoch {
			n = p.Step * e.batch
		}
		for range n {
			places[e.mixer.next()]++
		}
	}
	for i, l := range e.lists {
		l.seek(places[i])
	}
}

// begin goes on with an epoch, the one before being at its end.
func (e *epochs) begin(epoch int) {
	e.mixer.begin(epoch)
	if e.whole {
		e.lists[0].seek(epoch * e.images)
	}
}

// take gives the next image.
func (e *epochs) take(ctx context.Context) (item, error) {
	return e.lists[e.mixer.next()].take(ctx)
}

func (e *epochs) close() {
	for _, l := range e.lists {
		l.close()
	}
}
