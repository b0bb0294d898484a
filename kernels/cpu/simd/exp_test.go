package simd

import (
	"fmt"
	"math"
	"testing"
)

func TestExponentials(t *testing.T) {
	eachLength(t, func(t *testing.T, s Set, n int) {
		x, dy := numbers(uint64(n), n, 30), numbers(2, n, 2)
		// Φ + x·φ and its like of QuickGELU pass through 0: there the error is of
		// the two that are added.
		slope := func(x, d float64) (float64, float64) {
			φ := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
			return d * (math.Erfc(-x/math.Sqrt2)/2 + x*φ), 10 * math.Abs(d*x*φ)
		}
		quick := func(x, d float64) (float64, float64) {
			z := 1.702 * x
			σ := 1 / (1 + math.Exp(-z))
			return d * (σ + z*σ*(1-σ)), 10 * math.Abs(d*z*σ*(1-σ))
		}
		y := make([]float32, n+1)
		sum := s.Exp(y[:n], x, 2, 0.5)
		var total float64
		for i, v := range x {
			want := math.Exp(float64(2*v + 0.5))
			near(t, fmt.Sprintf("exp of %v", 2*v+0.5), y[i], want, 1e-6, 0)
			total += want
		}
		near(t, "sum of exp", sum, total, 1e-6, 0)
		s.GELU(y[:n], x)
		for i, v := range x {
			near(t, fmt.Sprintf("GELU of %v", v), y[i], float64(v)*math.Erfc(-float64(v)/math.Sqrt2)/2, 1e-6, 1e-22)
		}
		s.QuickGELU(y[:n], x)
		for i, v := range x {
			// The rounding of 1.702·x itself is |x| units of the last place.
			near(t, fmt.Sprintf("QuickGELU of %v", v), y[i], float64(v)/(1+math.Exp(-1.702*float64(v))), 1e-6+1e-7*math.Abs(float64(v)), 0)
		}
		s.GELUSlope(y[:n], dy, x)
		for i, v := range x {
			want, size := slope(float64(v), float64(dy[i]))
			near(t, fmt.Sprintf("slope of GELU at %v", v), y[i], want, 1e-6, size+1e-22)
		}
		s.QuickGELUSlope(y[:n], dy, x)
		for i, v := range x {
			want, size := quick(float64(v), float64(dy[i]))
			near(t, fmt.Sprintf("slope of QuickGELU at %v", v), y[i], want, 1e-6+1e-7*math.Abs(float64(v)), size*(1+math.Abs(float64(v))))
		}
		if y[n] != 0 {
			t.Fatalf("wrote beyond the end of %d", n)
		}
	})
}

func TestExponentialsAtTheEdges(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, s := range Available() {
		x := []float32{-inf, -1e30, -69.1, 0, nan, 89, inf, -68.9, 1}
		y := make([]float32, len(x))
		s.Exp(y, x, 1, 0)
		if y[0] != 0 || y[1] != 0 || y[2] != 0 || y[3] != 1 || y[4] == y[4] || y[5] < 1e38 || y[6] < 1e38 || y[7] == 0 {
			t.Errorf("%s: exp of %v is %v", s.Name, x, y)
		}
		x = []float32{-1e4, -40, 0, 0, nan, 40, 1e4}
		for name, f := range map[string]func(y, x []float32){"GELU": s.GELU, "QuickGELU": s.QuickGELU} {
			y = make([]float32, len(x))
			f(y, x)
			if math.Abs(float64(y[0])) > 1e-30 || math.Abs(float64(y[1])) > 1e-27 || y[2] != 0 || y[3] != 0 || y[4] == y[4] || y[5] != 40 || y[6] != 1e4 {
				t.Errorf("%s: %s of %v is %v", s.Name, name, x, y)
			}
		}
	}
}
