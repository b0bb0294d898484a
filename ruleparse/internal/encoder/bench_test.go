package encoder

import (
	"fmt"
	"testing"
)

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
		for _, c := range []struct{ pieces, texts int }{{14, 1}, {14, 16}, {64, 4}, {250, 1}} {
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
				for b.Loop() {
					n.Encode(&m, texts)
				}
				b.ReportMetric(float64(b.N*c.texts)/b.Elapsed().Seconds(), "texts/s")
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*c.texts*c.pieces), "µs/piece")
			})
		}
		kernel = before
	}
}
