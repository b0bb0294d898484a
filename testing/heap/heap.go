// Package heap measures memory, for tests that bound it.
//
//	if n := heap.Peak(func() { err = read(file) }); n > 64<<20 { … }
package heap

import (
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// Peak returns how many bytes the heap grows while f runs, at its largest. Garbage of a quarter of
// the heap is included.
func Peak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	debug.FreeOSMemory()
	before := read("/memory/classes/heap/objects:bytes")
	var most atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			most.Store(max(most.Load(), read("/memory/classes/heap/objects:bytes")))
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-done
	return most.Load() - min(before, most.Load())
}

// Allocated returns how many bytes were allocated since the program began, about.
func Allocated() uint64 { return read("/gc/heap/allocs:bytes") }

// read returns a metric of the runtime.
func read(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
