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

// Peak returns the largest growth of the heap in bytes while f runs. It may include garbage of up
// to a quarter of the heap.
func Peak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	debug.FreeOSMemory()
	before := readMetric("/memory/classes/heap/objects:bytes")
	var most atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			most.Store(max(most.Load(), readMetric("/memory/classes/heap/objects:bytes")))
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

// Allocated returns roughly how many bytes the program has allocated since its start.
func Allocated() uint64 { return readMetric("/gc/heap/allocs:bytes") }

// readMetric returns the value of a runtime metric.
func readMetric(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
