package simd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"capgraph/internal/portable"
)

// numbers are n numbers between -scale and scale.
func numbers(seed uint64, n int, scale float32) []float32 {
	s := portable.SplitMix64(seed)
	x := make([]float32, n)
	for i := range x {
		x[i] = scale * (float32(s.Next()>>40)/(1<<23) - 1)
	}
	return x
}

// near fails where got is not want to a relative error, or to an absolute one
// of that of size.
func near(t *testing.T, what string, got float32, want, relative, size float64) {
	t.Helper()
	if diff := math.Abs(float64(got) - want); !(diff <= relative*math.Abs(want)+1e-7*size) {
		t.Fatalf("%s is %v, not %v: off by %.2g", what, got, want, diff/math.Abs(want))
	}
}

// eachLength runs a test on each set with slices of many lengths.
func eachLength(t *testing.T, f func(t *testing.T, s Set, n int)) {
	for _, s := range Available() {
		t.Run(s.Name, func(t *testing.T) {
			for n := range 70 {
				f(t, s, n)
			}
			f(t, s, 1023)
		})
	}
}

func TestReductions(t *testing.T) {
	eachLength(t, func(t *testing.T, s Set, n int) {
		x, y, z := numbers(1, n, 2), numbers(2, n, 2), numbers(3, n, 2)
		var dot, triple, sum, variance float64
		most := math.Inf(-1)
		for i, v := range x {
			dot += float64(v) * float64(y[i])
			triple += float64(v) * float64(y[i]) * float64(z[i])
			sum += float64(v)
			variance += (float64(v) - 0.25) * (float64(v) - 0.25)
			most = max(most, float64(v))
		}
		size := 40 * math.Sqrt(float64(n))
		near(t, fmt.Sprint("dot of ", n), s.Dot(x, y), dot, 1e-6, size)
		near(t, fmt.Sprint("triple dot of ", n), s.TripleDot(x, y, z), triple, 1e-6, size)
		near(t, fmt.Sprint("sum of ", n), s.Sum(x), sum, 1e-6, size)
		near(t, fmt.Sprint("variance of ", n), s.Variance(x, 0.25), variance, 1e-6, 0)
		if got := s.Max(x); float64(got) != most {
			t.Fatalf("max of %d is %v, not %v", n, got, most)
		}
	})
}

// outcome is what a function makes of rows: got, and what it should be.
type outcome struct {
	name string
	got  []float32
	want func(i int) float64
	size float64 // of what is added up
}

func TestRows(t *testing.T) {
	eachLength(t, func(t *testing.T, s Set, n int) {
		x, y, z, w := numbers(1, n, 2), numbers(2, n, 2), numbers(3, n, 2), numbers(4, n, 2)
		f := func(x []float32, i int) float64 { return float64(x[i]) }
		// Each result has one more number than it should touch.
		made := func(f func(to []float32)) []float32 {
			to := append(slices.Clone(y), 7)
			f(to[:n])
			return to
		}
		var second []float32 // what the function before wrote too
		for _, o := range []outcome{
			{"add", made(func(to []float32) { s.Add(to, x) }), func(i int) float64 { return f(y, i) + f(x, i) }, 4},
			{"add scaled", made(func(to []float32) { s.AddScaled(to, x, 3) }), func(i int) float64 { return f(y, i) + 3*f(x, i) }, 8},
			{"scale", made(func(to []float32) { s.Scale(to, x, 3) }), func(i int) float64 { return 3 * f(x, i) }, 0},
			{"subtract", made(func(to []float32) { s.Subtract(to, x, z) }), func(i int) float64 { return f(x, i) - f(z, i) }, 4},
			{"multiply sum", made(func(to []float32) { s.MultiplySum(to, x, 3, 0.5) }), func(i int) float64 { return 3 * f(y, i) * (f(x, i) + 0.5) }, 8},
			{"normalize", made(func(to []float32) { s.Normalize(to, x, z, w, 0.5, 3) }), func(i int) float64 { return (f(x, i)-0.5)*3*f(z, i) + f(w, i) }, 20},
			{"normalize slope", made(func(to []float32) { s.NormalizeSlope(to, z, w, x, 3, 0.5, -1, 0.25) }),
				func(i int) float64 { return 3*(f(z, i)*f(w, i)+1) + 0.5*(f(x, i)-0.25) }, 20},
			{"normalize gains", made(func(to []float32) {
				second = append(slices.Clone(w), 7)
				s.NormalizeGains(to, second[:n], z, x, 0.5, 3)
			}), func(i int) float64 { return f(y, i) + f(z, i)*(f(x, i)-0.5)*3 }, 20},
			{"add squares", made(func(to []float32) { s.AddSquares(to, x, z) }),
				func(i int) float64 { return f(y, i) + (f(x, i)-f(z, i))*(f(x, i)-f(z, i)) }, 20},
			{"normalize columns", made(func(to []float32) { s.NormalizeColumns(to, x, y, z, w) }),
				func(i int) float64 { return (f(x, i)-f(y, i))*f(z, i) + f(w, i) }, 20},
			{"column gains", made(func(to []float32) {
				second = append(slices.Clone(w), 7)
				s.ColumnGains(to, second[:n], z, x, w)
			}), func(i int) float64 { return f(y, i) + f(z, i)*(f(x, i)-f(w, i)) }, 20},
			{"column sum", second, func(i int) float64 { return f(w, i) + f(z, i) }, 4},
			{"column slope", made(func(to []float32) { s.ColumnSlope(to, z, x, w, y, x, w) }),
				func(i int) float64 { return f(w, i) * (f(z, i) - f(x, i) - (f(x, i)-f(w, i))*f(y, i)) }, 30},
			{"rectify", made(func(to []float32) { s.Rectify(to) }), func(i int) float64 { return max(f(y, i), 0) }, 0},
			{"rectify slope", made(func(to []float32) {
				positive := slices.Clone(x)
				s.Rectify(positive)
				s.RectifySlope(to, positive)
			}), func(i int) float64 {
				if x[i] <= 0 {
					return 0
				}
				return f(y, i)
			}, 0},
			{"normalize bias", second, func(i int) float64 { return f(w, i) + f(z, i) }, 4},
		} {
			check(t, o, n)
		}
	})
}

// What is rectified is never −0, and NaN stays.
func TestRectifiedEdges(t *testing.T) {
	eachLength(t, func(t *testing.T, s Set, n int) {
		y, d := make([]float32, n), make([]float32, n)
		for i := range y {
			y[i], d[i] = []float32{float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e-45}[i%5], 3
		}
		s.Rectify(y)
		s.RectifySlope(d, y)
		for i, v := range y {
			var ok bool
			switch i % 5 {
			case 0, 3:
				ok = math.Float32bits(v) == 0 && d[i] == 0
			case 1:
				ok = v != v
			case 2:
				ok = math.IsInf(float64(v), 1) && d[i] == 3
			case 4:
				ok = v == 1e-45 && d[i] == 3
			}
			if !ok {
				t.Fatalf("%d of %d is %v, with the slope %v", i, n, v, d[i])
			}
		}
	})
}

func check(t *testing.T, o outcome, n int) {
	t.Helper()
	for i := range n {
		near(t, fmt.Sprintf("%s of %d: number %d", o.name, n, i), o.got[i], o.want(i), 1e-6, o.size)
	}
	if o.got[n] != 7 {
		t.Fatalf("%s of %d wrote beyond the end", o.name, n)
	}
}

func TestAdamW(t *testing.T) {
	eachLength(t, func(t *testing.T, s Set, n int) {
		p, g, m, v := numbers(1, n, 2), numbers(2, n, 2), numbers(3, n, 2), numbers(4, n, 2)
		for i := range v {
			v[i] *= v[i]
		}
		o := AdamW{0.5, 0.9, 0.1, 0.98, 0.02, 0.999, 0.01, 2, 1e-6}
		p0, m0, v0 := slices.Clone(p), slices.Clone(m), slices.Clone(v)
		s.AdamW(p, g, m, v, &o)
		for i := range n {
			d := float64(g[i]) * 0.5
			m1, v1 := 0.9*float64(m0[i])+0.1*d, 0.98*float64(v0[i])+0.02*d*d
			near(t, "first moment", m[i], m1, 1e-6, 1)
			near(t, "second moment", v[i], v1, 1e-6, 0)
			near(t, "parameter", p[i], 0.999*float64(p0[i])-0.01*m1/(math.Sqrt(2*v1)+1e-6), 1e-6, 2)
		}
	})
}

func TestTranspose(t *testing.T) {
	eachLength(t, func(t *testing.T, s Set, n int) {
		from, to := numbers(1, 4*(n+3), 1), make([]float32, 5*n+1)
		s.Transpose(to, 5, from, n+3, n)
		for p := range n {
			for j := range 5 {
				want := float32(0) // between the columns
				if j < 4 {
					want = from[j*(n+3)+p]
				}
				if to[5*p+j] != want {
					t.Fatalf("number %d of column %d of %d is %v, not %v", j, p, n, to[5*p+j], want)
				}
			}
		}
	})
}

func TestMomentsDieOut(t *testing.T) {
	eachLength(t, func(t *testing.T, s Set, n int) {
		p, g, m, v := make([]float32, n), make([]float32, n), numbers(1, n, 1e-37), numbers(2, n, 1e-37)
		for i := range v {
			v[i] = max(v[i], -v[i])
		}
		o := AdamW{1, 0.9, 0.1, 0.98, 0.02, 1, 0, 1, 1e-6}
		for range 400 {
			s.AdamW(p, g, m, v, &o)
		}
		for i := range n {
			if m[i] != 0 || v[i] != 0 {
				t.Fatalf("%d: without gradients the moments are %v and %v", n, m[i], v[i])
			}
		}
	})
}
