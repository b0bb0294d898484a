package cpu

import (
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// tally counts how often each part was done.
type tally struct{ done []atomic.Int32 }

func (t *tally) runPart(_ *worker, i int) { t.done[i].Add(1) }

func TestEveryPartIsDoneOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, workers := range []int{1, 2, 7} {
		p := newPool(workers)
		for parts := range 40 {
			w := &tally{make([]atomic.Int32, parts)}
			p.run(parts, w)
			for i := range w.done {
				if n := w.done[i].Load(); n != 1 {
					t.Fatalf("%d workers did part %d of %d %d times", workers, i, parts, n)
				}
			}
		}
		p.close()
	}
}

// Workers that sleep are woken, those that are about to are not missed, and nobody is
// at a work that is over.
func TestWorkersThatSleepAreWoken(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := newPool(4)
	defer p.close()
	for i := range 3000 {
		w := &tally{make([]atomic.Int32, 1+i%9)}
		p.run(len(w.done), w)
		if i%10 == 0 {
			time.Sleep(time.Duration(i) * 100 * time.Nanosecond)
		}
		for k := range w.done {
			if n := w.done[k].Load(); n != 1 {
				t.Fatalf("run %d: part %d was done %d times", i, k, n)
			}
		}
	}
}

func TestADeviceIsClosedTwice(t *testing.T) {
	defer goleak.VerifyNone(t)
	d := New()
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkPool(b *testing.B) {
	p, w := newPool(2), &tally{make([]atomic.Int32, 8)}
	defer p.close()
	for b.Loop() {
		p.run(len(w.done), w)
	}
}
