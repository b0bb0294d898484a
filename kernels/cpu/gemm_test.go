package cpu

import (
	"fmt"
	"math"
	"testing"
	"time"

	"capgraph/internal/portable"
	"capgraph/kernels/cpu/simd"
)

func numbers(seed uint64, n int) []float32 {
	s := portable.SplitMix64(seed)
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(s.Next()>>40)/(1<<23) - 1
	}
	return x
}

func (m matrix) element(i, j int) float64 {
	if m.transposed {
		i, j = j, i
	}
	return float64(m.data[i*m.stride+j])
}

func randomMatrix(seed uint64, rows, cols, more int, transposed bool) matrix {
	m := matrix{rows: rows, cols: cols, stride: cols + more, transposed: transposed}
	long := rows
	if transposed {
		m.stride, long = rows+more, cols
	}
	m.data = numbers(seed, max(long*m.stride-more, 0))
	return m
}

// eachSet runs a test on each instruction set and for several numbers of workers.
func eachSet(t *testing.T, f func(t *testing.T, d *Device)) {
	for _, set := range simd.Available() {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s/%d", set.Name, workers), func(t *testing.T) {
				d := NewWith(set, workers)
				defer d.Close()
				f(t, d)
			})
		}
	}
}

func TestProductIsWhatItsDefinitionSays(t *testing.T) {
	eachSet(t, func(t *testing.T, d *Device) {
		for _, shape := range [][3]int{{1, 1, 1}, {3, 5, 7}, {12, 32, 4}, {13, 33, 257}, {64, 64, 300}, {97, 31, 1}, {5, 3, 600}, {100, 70, 0}, {0, 4, 3}, {4, 0, 3}} {
			for layout := range 8 {
				m, n, k := shape[0], shape[1], shape[2]
				a := randomMatrix(1, m, k, 3, layout&1 != 0)
				b := randomMatrix(2, k, n, 5, layout&2 != 0)
				c, add := randomMatrix(3, m, n, 2, false), layout&4 != 0
				want := make([]float64, m*n)
				for i := range m {
					for j := range n {
						if add {
							want[i*n+j] = c.element(i, j)
						}
						for p := range k {
							want[i*n+j] += a.element(i, p) * b.element(p, j)
						}
					}
				}
				untouched := append([]float32(nil), c.data...)
				d.multiply(c, a, b, add, nil)
				for i := range m {
					for j := range n {
						if diff := math.Abs(c.element(i, j) - want[i*n+j]); !(diff <= 2e-6*math.Sqrt(float64(k+1))) {
							t.Fatalf("%v layout %d: C[%d,%d] is %v, not %v", shape, layout, i, j, c.element(i, j), want[i*n+j])
						}
					}
				}
				for at := range c.data {
					if at%c.stride >= n && c.data[at] != untouched[at] {
						t.Fatalf("%v layout %d: wrote between the rows, at %d", shape, layout, at)
					}
				}
			}
		}
	})
}

// BenchmarkMultiply are products on one core, at the best of their rates: of the
// sizes of a small model's layers and of ViT-B/32's, forward and backward.
// testdata/openblas.py is the same with numpy.
func BenchmarkMultiply(b *testing.B) {
	for _, set := range simd.Available() {
		for _, s := range []struct {
			m, n, k int
			ta, tb  bool
		}{
			{512, 512, 512, false, false}, {512, 512, 512, false, true}, {512, 512, 512, true, false},
			{3000, 192, 64, false, true}, {3000, 64, 64, false, true}, {3000, 256, 64, false, true}, {3000, 64, 256, false, true},
			{3000, 64, 192, false, false}, {192, 64, 3000, true, false}, {64, 64, 3000, true, false}, {256, 64, 3000, true, false},
			{1088, 192, 64, false, true}, {1500, 768, 3072, false, true}, {1500, 3072, 768, false, true}, {3072, 768, 1500, true, false},
			{2048, 512, 512, false, true}, {64, 64, 64, false, true}, {17, 17, 16, false, true},
		} {
			b.Run(fmt.Sprintf("%s/%d,%d,%d,%v,%v", set.Name, s.m, s.n, s.k, s.ta, s.tb), func(b *testing.B) {
				d := NewWith(set, 1)
				defer d.Close()
				x, y, c := randomMatrix(1, s.m, s.k, 0, s.ta), randomMatrix(2, s.k, s.n, 0, s.tb), randomMatrix(3, s.m, s.n, 0, false)
				b.ReportAllocs()
				best := time.Hour // what other programs do does not count
				for b.Loop() {
					start := time.Now()
					d.multiply(c, x, y, false, nil)
					best = min(best, time.Since(start))
				}
				b.ReportMetric(2*float64(s.m)*float64(s.n)*float64(s.k)/float64(best.Nanoseconds()), "GFLOP/s")
			})
		}
	}
}
