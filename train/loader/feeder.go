package loader

import (
	"context"
	"sync"
	"time"

	"capgraph/internal/panics"
)

// feeder lays out batches ahead of the step.
type feeder struct {
	options *Options
	epochs  *epochs
	queue   chan *Batch // in order, before their samples are made
	tasks   chan task
	spare   spare
}

// task is a sample of a batch that is to be made.
type task struct {
	batch *Batch
	at    int
}

// work is what is left to do of a batch.
type work struct {
	plan    Plan
	items   []item
	done    chan struct{} // is closed when nothing is left
	workers int

	laid time.Duration // how long its images took to be laid out

	mu    sync.Mutex
	busy  time.Duration // of workers, over its samples
	left  int
	errAt int // the first sample that failed, so that one error is told each time
	err   error
}

// finish ends the work on a sample, which took some time; err is the machine's.
func (w *work) finish(at int, took time.Duration, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy += took
	if err != nil && (w.err == nil || at < w.errAt) {
		w.err, w.errAt = err, at
	}
	if w.left--; w.left == 0 {
		close(w.done)
	}
}

// run lays out batches from a position on, until ctx ends or one fails.
func (f *feeder) run(ctx context.Context, at Position) {
	defer f.epochs.close()
	for first := true; ; first = false {
		b := f.spare.batch(f.options)
		b.Position = at
		if err := f.lay(ctx, b, first); err != nil {
			b.work.left, b.work.err = 0, err
			close(b.work.done)
		}
		failed := b.work.err != nil
		if !f.send(ctx, b) || failed {
			return
		}
		at = f.epochs.normal(Position{at.Epoch, at.Step + 1})
	}
}

// send hands a batch over, and its samples to the workers; false where ctx ended.
func (f *feeder) send(ctx context.Context, b *Batch) bool {
	select {
	case f.queue <- b:
	case <-ctx.Done():
		return false
	}
	for i := range b.work.left {
		select {
		case f.tasks <- task{b, i}:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// lay takes the images of a batch.
func (f *feeder) lay(ctx context.Context, b *Batch, first bool) (err error) {
	defer panics.Catch(&err)
	switch {
	case first:
		f.epochs.seek(b.Position)
	case b.Step == 0:
		f.epochs.begin(b.Epoch)
	}
	b.work.plan = f.options.Plan(b.Epoch)
	began := time.Now()
	defer func() { b.work.laid, b.work.workers = time.Since(began), f.options.Workers }()
	for i := range b.work.items {
		if b.work.items[i], err = f.epochs.take(ctx); err != nil {
			return err
		}
	}
	return nil
}

// spare keeps the memory of batches that were released.
type spare struct {
	mu      sync.Mutex
	batches []*Batch
	pixels  [][]byte
}

// batch returns an empty batch.
func (s *spare) batch(o *Options) *Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &Batch{First: o.Rank * o.Batch / o.World, Last: (o.Rank + 1) * o.Batch / o.World}
	if n := len(s.batches); n > 0 {
		b, s.batches = s.batches[n-1], s.batches[:n-1]
	}
	if b.Samples == nil {
		b.work.items = make([]item, o.Batch)
		for range o.Batch {
			b.Samples = append(b.Samples, &Sample{})
		}
	}
	b.work.left, b.work.done, b.work.err, b.work.busy = o.Batch, make(chan struct{}), nil, 0
	return b
}

// image returns memory for the pixels of an image.
func (s *spare) image(side int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.pixels)
	if n == 0 {
		return make([]byte, side*side*3)
	}
	pixels := s.pixels[n-1]
	s.pixels = s.pixels[:n-1]
	return pixels
}

// takeImage takes pixels back.
func (s *spare) takeImage(pixels []byte) {
	if pixels != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pixels = append(s.pixels, pixels)
	}
}

// take takes a batch back. What its texts lie in is let go.
func (s *spare) take(b *Batch) {
	for _, sample := range b.Samples {
		s.takeImage(sample.Pixels)
		sample.Pixels = nil
		if p := sample.Partner; p != nil {
			s.takeImage(p.Pixels)
		}
	}
	clear(b.work.items)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, b)
}
