package simd

import "math"

// exponential returns e^x, computed in float64, with the bounds of Set.Exp.
func exponential(x float64) float64 {
	if x < -69 {
		return 0
	}
	return math.Exp(min(x, 88))
}

func exp(y, x []float32, a, b float32) float32 {
	var s float32
	for i, v := range x[:len(y)] {
		y[i] = float32(exponential(float64(a*v + b)))
		s += y[i]
	}
	return s
}

// normal returns the distribution function and the density of the standard normal distribution at
// x.
func normal(x float64) (distribution, density float64) {
	return math.Erfc(-x/math.Sqrt2) / 2, math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
}

func gelu(y, x []float32) {
	for i, v := range x[:len(y)] {
		distribution, _ := normal(float64(v))
		y[i] = float32(float64(v) * distribution)
	}
}

func geluSlope(d, dy, x []float32) {
	for i, v := range x[:len(d)] {
		distribution, density := normal(float64(v))
		d[i] = dy[i] * float32(distribution+float64(v)*density)
	}
}

func quickGELU(y, x []float32) {
	for i, v := range x[:len(y)] {
		y[i] = float32(float64(v) / (1 + math.Exp(-1.702*float64(v))))
	}
}

func quickGELUSlope(d, dy, x []float32) {
	for i, v := range x[:len(d)] {
		z := 1.702 * float64(v)
		s := 1 / (1 + math.Exp(-z))
		d[i] = dy[i] * float32(s+z*s*(1-s))
	}
}
