package loader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"capgraph/internal/panics"
)

// Loader returns the batches of a training. Its methods are for one goroutine.
type Loader struct {
	epochs *epochs
	feeder feeder
	ctx    context.Context // of the goroutines
	cancel context.CancelFunc
	ended  sync.WaitGroup
	at     Position
	next   *Batch // the batch that Next waits for
	err    error  // the error that has ended the loading
}

// Open counts the images of the corpora, checks that each exists, and begins to load at o.From. Images that do not
// exist are in no batch; all batches have o.Batch samples. It is an error, which names the file, if texts are missing
// or damaged, and an error if an epoch has fewer images than a batch. When ctx ends, loading ends as with Close.
func Open(ctx context.Context, o Options) (*Loader, error) {
	if o.World == 0 {
		o.World = 1
	}
	o.Corpora = slices.Clone(o.Corpora) // so that the caller may change its slice
	if err := o.check(); err != nil {
		return nil, err
	}
	streams, missing, err := openStreams(ctx, &o)
	if err != nil {
		return nil, err
	}
	l := &Loader{}
	if l.epochs, err = newEpochs(&o, streams, missing); err != nil {
		return nil, err
	}
	if o.From.Step > l.epochs.steps {
		return nil, fmt.Errorf("there is no step %d: an epoch has %d of %d images each", o.From.Step, l.epochs.steps, o.Batch)
	}
	l.at = l.epochs.normalize(o.From)
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.feeder = feeder{options: &o, epochs: l.epochs, queue: make(chan *Batch, o.Prefetch), tasks: make(chan task, o.Workers)}
	from := l.at
	l.ended.Go(func() { l.feeder.feedBatches(l.ctx, from) })
	for range o.Workers {
		w := worker{options: &o, pool: &l.feeder.pool, decoder: o.Decoder()}
		l.ended.Go(func() { w.runTasks(l.ctx, l.feeder.tasks) })
	}
	return l, nil
}

// Images returns the number of existing images of an epoch, before rounding down to whole batches.
func (l *Loader) Images() int { return l.epochs.images }

// Fingerprint returns a hash of the names, sizes and last bytes of the files of texts. Parquet's statistics are in the
// last bytes, so the hash changes if texts are made again with other settings.
func (l *Loader) Fingerprint() string { return l.epochs.fingerprint() }

// Steps returns the number of batches of an epoch.
func (l *Loader) Steps() int { return l.epochs.steps }

// Position returns the position of the batch that Next returns next. A loader with this as Options.From returns the
// same batches.
func (l *Loader) Position() Position { return l.at }

// Next returns the next batch; after the last one of an epoch, the first of the next epoch. After an error, later calls
// return the same error. But if ctx caused the error, Next may be called again.
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
	panics.Rethrow(b.work.err)
	if l.err = b.work.err; l.err != nil {
		l.cancel()
		return nil, l.err
	}
	l.next, l.at = nil, l.epochs.normalize(Position{b.Epoch, b.Step + 1})
	return b, nil
}

// Release gives the memory of a batch back for reuse. The batch must not be used afterwards.
func (l *Loader) Release(b *Batch) { l.feeder.pool.releaseBatch(b) }

// Close ends the loading and waits for its goroutines.
func (l *Loader) Close() error {
	if l.err == nil {
		l.err = errors.New("the loader is closed")
	}
	l.cancel()
	l.ended.Wait()
	return nil
}
