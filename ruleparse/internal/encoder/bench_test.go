package encoder

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkEncode encodes texts by a network of bge-small's size. 14 pieces with the marks are the
// mean of COCO's captions.
func BenchmarkEncode(b *testing.B) {
	s := fromFormula(12, 100, 256)
	for _, k := range kernels() {
		before := kernel
		kernel = k
		n, err := Read(s)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct{ pieces, texts int }{{14, 1}, {14, 64}, {64, 16}, {250, 1}} {
			if k == &portable && c.texts*c.pieces > 14 {
				continue
			}
			b.Run(fmt.Sprintf("%s/pieces=%d/texts=%d", k.name, c.pieces, c.texts), func(b *testing.B) {
				texts := make([]Input, c.texts)
				for i := range texts {
					x := &texts[i]
					for p := range c.pieces {
						x.Pieces = append(x.Pieces, int32((p*7+i)%100))
					}
					x.Shapes = make([]uint8, c.pieces)
					x.First, x.Last = []int32{1}, []int32{2}
				}
				var m Memory
				least := time.Hour // of processor time, as other programs may run
				for b.Loop() {
					start := processorTime(b)
					n.Encode(&m, texts)
					least = min(least, processorTime(b)-start)
				}
				b.ReportMetric(float64(c.texts)/least.Seconds(), "texts/s")
				b.ReportMetric(float64(least.Nanoseconds())/1000/float64(c.texts*c.pieces), "µs/piece")
			})
		}
		kernel = before
	}
}
