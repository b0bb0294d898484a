package model

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"capgraph/internal/portable"
)

// law is what a parameter's elements are at the start: all of them mean, or
// drawn around it. At most one of deviation and bound is above 0.
type law struct {
	mean      float64
	list      []float64 // one after another, in place of mean
	deviation float64   // of a normal distribution
	bound     float64   // of a uniform one
}

func constant(a float64) law { return law{mean: a} }

// listed are the numbers themselves.
func listed(numbers ...float64) law { return law{list: numbers} }

func normal(deviation float64) law { return law{deviation: deviation} }

func uniform(bound float64) law { return law{bound: bound} }

// fanIn is the default of PyTorch's linear and convolution layers, weights and
// biases: uniform within 1/√n, n the inputs of an output (He et al. 2015 with a = √5).
func fanIn(n int) law { return uniform(1 / math.Sqrt(float64(n))) }

// Initialise fills to, of length s.Len(), with what the parameter begins with
// in open_clip: the distributions of its CLIP class, in the tape's order. The
// numbers depend on seed and on the parameter's name and shape alone, and are
// float32's, so that devices of either precision begin alike.
func (s Spec) Initialise(seed uint64, to []float64) {
	digest := sha256.Sum256(fmt.Appendf(nil, "initialise\n%d\n%s", seed, s.Name))
	random := portable.SplitMix64(binary.LittleEndian.Uint64(digest[:]))
	switch {
	case s.law.deviation > 0:
		for i := 0; i < len(to); i += 2 {
			a, b := gauss(&random)
			to[i] = float64(float32(a * s.law.deviation))
			if i+1 < len(to) {
				to[i+1] = float64(float32(b * s.law.deviation))
			}
		}
	case s.law.bound > 0:
		for i := range to {
			to[i] = float64(float32(within(&random) * s.law.bound))
		}
	default:
		for i := range to {
			to[i] = float64(float32(s.law.mean))
		}
		for i, x := range s.law.list {
			to[i] = float64(float32(x))
		}
	}
}

// within returns a number that is uniform in (-1, 1), never 0.
func within(random *portable.SplitMix64) float64 {
	return float64(int64(random.Next()>>11)*2-(1<<53-1)) / (1 << 53)
}

// gauss returns two independent standard normal numbers: Marsaglia's polar
// method, which needs no function but those that are the same everywhere.
func gauss(random *portable.SplitMix64) (float64, float64) {
	for {
		x, y := within(random), within(random)
		r := float64(x*x) + float64(y*y)
		if r < 1 {
			f := math.Sqrt(-2 * portable.Log(r) / r)
			return x * f, y * f
		}
	}
}
