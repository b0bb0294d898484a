package loader

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"capgraph/internal/panics"
)

// Loader gives the batches of a training. Its methods are for one goroutine.
type Loader struct {
	epochs *epochs
	feeder feeder
	ctx    context.Context // of the work
	cancel context.CancelFunc
	ended  sync.WaitGroup
	at     Position
	next   *Batch // that was begun to wait for
	err    error  // that ended it
}

// Open counts the images of the corpora and begins to load at o.From. Texts that
// are missing or damaged are errors that name the file; so is an epoch that has
// fewer images than a batch. ctx ends the loading as Close does.
func Open(ctx context.Context, o Options) (*Loader, error) {
	if o.World == 0 {
		o.World = 1
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	lists, err := openLists(ctx, &o)
	if err != nil {
		return nil, err
	}
	l := &Loader{}
	if l.epochs, err = newEpochs(&o, lists); err != nil {
		return nil, err
	}
	if o.From.Step > l.epochs.steps {
		return nil, fmt.Errorf("there is no step %d: an epoch has %d of %d images each", o.From.Step, l.epochs.steps, o.Batch)
	}
	l.at = l.epochs.normal(o.From)
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.feeder = feeder{options: &o, epochs: l.epochs, queue: make(chan *Batch, o.Prefetch), tasks: make(chan task, o.Workers)}
	from := l.at
	l.ended.Go(func() { l.feeder.run(l.ctx, from) })
	for range o.Workers {
		w := worker{options: &o, spare: &l.feeder.spare, decoder: o.Decoder()}
		l.ended.Go(func() { w.run(l.ctx, l.feeder.tasks) })
	}
	return l, nil
}

// Images is how many images an epoch has, before it is rounded down to whole
// batches.
func (l *Loader) Images() int { return l.epochs.images }

// Steps is how many batches an epoch has.
func (l *Loader) Steps() int { return l.epochs.steps }

// Position is that of the batch that Next gives next. A loader that is opened there
// gives the same.
func (l *Loader) Position() Position { return l.at }

// Next gives the next batch, the first of the next epoch after the last one of an
// epoch. An error is one of the texts or of the machine, which every later call
// gives again, or that of ctx, after which Next may be called again.
func (l *Loader) Next(ctx context.Context) (*Batch, error) {
	if l.err != nil {
		return nil, l.err
	}
	if l.next == nil {
		select {
		case l.next = <-l.feeder.queue:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.ctx.Done():
			return nil, l.ctx.Err()
		}
	}
	b := l.next
	select {
	case <-b.work.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.ctx.Done():
		return nil, l.ctx.Err()
	}
	panics.Pass(b.work.err)
	if l.err = b.work.err; l.err != nil {
		l.cancel()
		return nil, l.err
	}
	l.next, l.at = nil, l.epochs.normal(Position{b.Epoch, b.Step + 1})
	return b, nil
}

// Release takes the memory of a batch back, which is of no use afterwards.
func (l *Loader) Release(b *Batch) { l.feeder.spare.take(b) }

// Close ends the loading and waits until nothing of it is left.
func (l *Loader) Close() error {
	if l.err == nil {
		l.err = errors.New("the loader is closed")
	}
	l.cancel()
	l.ended.Wait()
	return nil
}
