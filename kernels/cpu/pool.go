package cpu

import (
	"sync"
	"sync/atomic"
)

// work is something that falls into parts which can be done in any order.
type work interface {
	// part does part i. w is its worker's own memory.
	part(w *worker, i int)
}

// worker is what one goroutine of a pool has for itself.
type worker struct {
	scratch []float32
}

// floats is memory for n numbers, with whatever was in it, until the next call.
func (w *worker) floats(n int) []float32 {
	if len(w.scratch) < n {
		w.scratch = make([]float32, n)
	}
	return w.scratch[:n]
}

// pool is goroutines that wait for work. The one that calls run is one of them.
type pool struct {
	workers []worker
	wake    chan struct{} // one for each other worker that is to take part
	close   func()        // ends the goroutines
	// Of the work at hand: what it is, how many parts it has, which is next, and
	// how many workers are still at it.
	work  work
	parts int64
	next  atomic.Int64
	busy  sync.WaitGroup
}

func newPool(workers int) *pool {
	p := &pool{workers: make([]worker, workers), wake: make(chan struct{}, workers)}
	var ended sync.WaitGroup
	p.close = sync.OnceFunc(func() {
		close(p.wake)
		ended.Wait()
	})
	for i := range workers - 1 {
		ended.Go(func() {
			for range p.wake {
				p.take(&p.workers[i+1])
				p.busy.Done()
			}
		})
	}
	return p
}

// run does all parts of a work, and returns once they are done.
func (p *pool) run(parts int, w work) {
	others := min(len(p.workers), parts) - 1
	p.work, p.parts = w, int64(parts)
	p.next.Store(0)
	for range others {
		p.busy.Add(1)
		p.wake <- struct{}{}
	}
	p.take(&p.workers[0])
	p.busy.Wait()
	p.work = nil
}

// take does parts until none is left.
func (p *pool) take(w *worker) {
	for {
		i := p.next.Add(1) - 1
		if i >= p.parts {
			return
		}
		p.work.part(w, int(i))
	}
}
