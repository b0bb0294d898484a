package loader

import (
	"context"
	"sync"
	"time"

	"capgraph/internal/panics"
)

// feeder chooses the images of batches in advance, and queues them for the workers.
type feeder struct {
	options *Options
	epochs  *epochs
	queue   chan *Batch // in order, while workers make their samples
	tasks   chan task
	pool    bufferPool
}

// task is a sample that a worker is to make.
type task struct {
	batch *Batch
	index int
}

// batchWork is the state of the work on a batch.
type batchWork struct {
	plan    Plan
	items   []item
	done    chan struct{} // closed when all samples are finished
	workers int

	readTime time.Duration // time to read the texts of its images

	mu       sync.Mutex
	workTime time.Duration // time of all workers together on its samples
	pending  int
	errIndex int // the first sample that failed: its error is returned, whatever the order of workers
	err      error
}

// finishSample records that sample number at is finished after the time took, with err unless it is
// nil.
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

// feedBatches queues batches from a position on, until ctx ends or one fails.
func (f *feeder) feedBatches(ctx context.Context, at Position) {
	defer f.epochs.close()
	for first := true; ; first = false {
		b := f.pool.takeBatch(f.options)
		b.Position = at
		if err := f.readItems(ctx, b, first); err != nil {
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

// sendBatch queues a batch, and its samples for the workers. It returns false if ctx has ended.
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

// readItems reads the images of a batch from the streams. first says that it is the first batch.
func (f *feeder) readItems(ctx context.Context, b *Batch, first bool) (err error) {
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

// bufferPool keeps the memory of released batches for reuse.
type bufferPool struct {
	mu      sync.Mutex
	batches []*Batch
	pixels  [][]byte
}

// takeBatch returns an empty batch, in reused memory if there is any.
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

// takePixels returns memory for the pixels of an image of side·side pixels.
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

// releaseBatch returns a batch for reuse. The memory of its texts is not reused.
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
