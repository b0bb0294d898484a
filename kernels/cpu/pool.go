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

	state  atomic.Int32
	asleep atomic.Bool
	wake   chan struct{} // has one for a worker that is no longer asleep
	ended  atomic.Bool
}

// The states of a worker.
const (
	idle    int32 = iota
	called        // to the work at hand; the caller may think better of it
	working       // at it
)

// floats is memory for n numbers, with whatever was in it, until the next call.
func (w *worker) floats(n int) []float32 {
	if len(w.scratch) < n {
		w.scratch = make([]float32, n)
	}
	return w.scratch[:n]
}

// pool is goroutines that wait for work. The one that calls run is one of them.
//
// The work of a small operation is over before a goroutine that sleeps is awake, so
// workers look out for more of it for a while before they sleep, and who is not yet at
// it when nothing is left to do is not waited for.
type pool struct {
	workers []worker
	close   func() // ends the goroutines
	// Of the work at hand: what it is, how many parts it has, which is next, and
	// how many workers are called to it.
	work  work
	parts int64
	next  atomic.Int64
	busy  sync.WaitGroup
}

// looks is how often is looked for what is about to happen, before one sleeps: some
// 20 µs, in which a sleeper just about wakes.
const looks = 1 << 14

func newPool(workers int) *pool {
	p := &pool{workers: make([]worker, workers)}
	var ended sync.WaitGroup
	p.close = sync.OnceFunc(func() {
		for i := range p.workers[1:] {
			w := &p.workers[1+i]
			w.ended.Store(true)
			w.rouse()
		}
		ended.Wait()
	})
	for i := range p.workers[1:] {
		w := &p.workers[1+i]
		w.wake = make(chan struct{}, 1)
		ended.Go(func() {
			for w.wait() {
				if w.state.CompareAndSwap(called, working) {
					p.take(w)
					w.state.Store(idle)
					p.busy.Done()
				}
			}
		})
	}
	return p
}

// wait returns once the worker is called; false where it is to end.
func (w *worker) wait() bool {
	for range looks {
		if w.state.Load() == called {
			return true
		}
	}
	w.asleep.Store(true)
	if (w.state.Load() == called || w.ended.Load()) && w.asleep.CompareAndSwap(true, false) {
		return !w.ended.Load()
	}
	<-w.wake
	return !w.ended.Load()
}

// rouse wakes the worker where it is asleep.
func (w *worker) rouse() {
	if w.asleep.CompareAndSwap(true, false) {
		w.wake <- struct{}{}
	}
}

// run does all parts of a work, and returns once they are done.
func (p *pool) run(parts int, w work) {
	p.work, p.parts = w, int64(parts)
	p.next.Store(0)
	others := p.workers[1:max(1, min(len(p.workers), parts))]
	for i := range others {
		p.busy.Add(1)
		others[i].state.Store(called)
		others[i].rouse()
	}
	p.take(&p.workers[0])
	for i := range others {
		if others[i].state.CompareAndSwap(called, idle) {
			p.busy.Done()
			continue
		}
		for n := 0; n < looks && others[i].state.Load() == working; n++ {
		}
	}
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
