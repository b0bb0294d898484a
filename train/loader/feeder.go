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
	pool    bufferPool
}

// task is a sample to be made.
type task struct {
	batch *Batch
	index int
}

// batchWork is the unfinished work on a batch.
type batchWork struct {
	plan    Plan
	items   []item
	done    chan struct{} // closed when nothing is left to do
	workers int

	readTime time.Duration // how long reading its images' texts took

	mu       sync.Mutex
	workTime time.Duration // the time of all workers on its samples
	pending  int
	errIndex int // the first sample that failed, so that the same error is returned each time
	err      error
}

// finishSample ends the work on a sample, which took some time. err is a failure of the machine.
func (w *batchWork) finishSample(at int, took time.Duration, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.workTime += took
	if err != nil && (w.err == nil || at < w.errIndex) {
		w.err, w.errIndex = err, at
	}
	if w.pending--; w.pending == 0 {
		close(w.done)
	}
}

// feedBatches lays out batches from a position on, until ctx ends or one fails.
func (f *feeder) feedBatches(ctx context.Context, at Position) {
	defer f.epochs.close()
	for first := true; ; first = false {
		b := f.pool.takeBatch(f.options)
		b.Position = at
		if err := f.takeItems(ctx, b, first); err != nil {
			b.work.pending, b.work.err = 0, err
			close(b.work.done)
		}
		failed := b.work.err != nil
		if !f.sendBatch(ctx, b) || failed {
			return
		}
		at = f.epochs.normalize(Position{at.Epoch, at.Step + 1})
	}
}

// sendBatch queues a batch, and its samples for the workers. It reports whether ctx is still alive.
func (f *feeder) sendBatch(ctx context.Context, b *Batch) bool {
	select {
	case f.queue <- b:
	case <-ctx.Done():
		return false
	}
	for i := range b.work.pending {
		select {
		case f.tasks <- task{b, i}:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// takeItems takes the images of a batch from the streams.
func (f *feeder) takeItems(ctx context.Context, b *Batch, first bool) (err error) {
	defer panics.Catch(&err)
	switch {
	case first:
		f.epochs.seek(b.Position)
	case b.Step == 0:
		f.epochs.beginEpoch(b.Epoch)
	}
	b.work.plan = f.options.Plan(b.Epoch)
	began := time.Now()
	defer func() { b.work.readTime, b.work.workers = time.Since(began), f.options.Workers }()
	for i := range b.work.items {
		if b.work.items[i], err = f.epochs.nextItem(ctx); err != nil {
			return err
		}
	}
	return nil
}

// bufferPool keeps the memory of released batches.
type bufferPool struct {
	mu      sync.Mutex
	batches []*Batch
	pixels  [][]byte
}

// takeBatch returns an empty batch.
func (s *bufferPool) takeBatch(o *Options) *Batch {
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
	b.work.pending, b.work.done, b.work.err, b.work.workTime = o.Batch, make(chan struct{}), nil, 0
	return b
}

// takePixels returns memory for the pixels of an image.
func (s *bufferPool) takePixels(side int) []byte {
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

// releasePixels returns pixels for reuse.
func (s *bufferPool) releasePixels(pixels []byte) {
	if pixels != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pixels = append(s.pixels, pixels)
	}
}

// releaseBatch returns a batch for reuse. The memory of its texts is not kept.
func (s *bufferPool) releaseBatch(b *Batch) {
	for _, sample := range b.Samples {
		s.releasePixels(sample.Pixels)
		sample.Pixels = nil
		if p := sample.Partner; p != nil {
			s.releasePixels(p.Pixels)
		}
	}
	clear(b.work.items)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, b)
}
