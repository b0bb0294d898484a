package cpu

import (
	"sync"
	"sync/atomic"
)

// task is work that is split into parts, which can run in any order.
type task interface {
	// runPart runs part i on the worker w, whose scratch memory it may use.
	runPart(w *worker, i int)
}

// worker is the state of one goroutine of a pool.
type worker struct {
	scratch []float32

	state  atomic.Int32
	asleep atomic.Bool
	wake   chan struct{} // receives an element when a sleeping worker is to wake up
	ended  atomic.Bool
}

// The states of a worker.
const (
	idle    int32 = iota
	called        // to work on the task; the caller may cancel the call
	working       // on the task
)

// floats returns scratch memory for n numbers, not initialised, valid until the next call.
func (w *worker) floats(n int) []float32 {
	if len(w.scratch) < n {
		w.scratch = make([]float32, n)
	}
	return w.scratch[:n]
}

// pool is a set of goroutines that wait for a task. The caller of run is one of the workers.
//
// Waking up a sleeping goroutine takes longer than a small operation. So workers spin for a while
// before they sleep, and run does not wait for workers that have not started when no part is left.
type pool struct {
	workers []worker
	close   func() // ends the goroutines
	// The current task, its number of parts, the next part, and how many workers are called.
	task  task
	parts int64
	next  atomic.Int64
	busy  sync.WaitGroup
}

// spinCount is how often a worker looks for work before it sleeps. This takes some 20 µs, about as
// long as waking up.
const spinCount = 1 << 14

func newPool(workers int) *pool {
	p := &pool{workers: make([]worker, workers)}
	var ended sync.WaitGroup
	p.close = sync.OnceFunc(func() {
		for i := range p.workers[1:] {
			w := &p.workers[1+i]
			w.ended.Store(true)
			w.wakeUp()
		}
		ended.Wait()
	})
	for i := range p.workers[1:] {
		w := &p.workers[1+i]
		w.wake = make(chan struct{}, 1)
		ended.Go(func() {
			for w.waitForCall() {
				if w.state.CompareAndSwap(called, working) {
					p.runParts(w)
					w.state.Store(idle)
					p.busy.Done()
				}
			}
		})
	}
	return p
}

// waitForCall waits until the worker is called to a task. It returns false if the pool was closed.
func (w *worker) waitForCall() bool {
	for range spinCount {
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

// wakeUp wakes the worker if it is asleep.
func (w *worker) wakeUp() {
	if w.asleep.CompareAndSwap(true, false) {
		w.wake <- struct{}{}
	}
}

// run runs all parts of a task, and returns when they are done.
func (p *pool) run(parts int, w task) {
	p.task, p.parts = w, int64(parts)
	p.next.Store(0)
	others := p.workers[1:max(1, min(len(p.workers), parts))]
	for i := range others {
		p.busy.Add(1)
		others[i].state.Store(called)
		others[i].wakeUp()
	}
	p.runParts(&p.workers[0])
	for i := range others {
		if others[i].state.CompareAndSwap(called, idle) {
			p.busy.Done()
			continue
		}
		for n := 0; n < spinCount && others[i].state.Load() == working; n++ {
		}
	}
	p.busy.Wait()
	p.task = nil
}

// runParts runs parts of the current task on worker w until none is left.
func (p *pool) runParts(w *worker) {
	for {
		i := p.next.Add(1) - 1
		if i >= p.parts {
			return
		}
		p.task.runPart(w, int(i))
	}
}
