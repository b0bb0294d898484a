package model

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"capgraph/internal/portable"
)

// distribution describes the initial elements of a parameter. All are mean, unless one of the other
// fields is set.
type distribution struct {
	mean      float64
	list      []float64 // the elements themselves
	deviation float64   // standard deviation of a normal distribution around 0
	bound     float64   // elements are uniform between -bound and bound
}

func constant(a float64) distribution { return distribution{mean: a} }

// listedValues returns a distribution that gives these elements.
func listedValues(numbers ...float64) distribution { return distribution{list: numbers} }

func normal(deviation float64) distribution { return distribution{deviation: deviation} }

func uniform(bound float64) distribution { return distribution{bound: bound} }

// fanIn returns PyTorch's default for weights and biases of linear and convolution layers: uniform
// between ±1/√n, where n is the number of inputs of an output (He et al. 2015 with a = √5).
func fanIn(n int) distribution { return uniform(1 / math.Sqrt(float64(n))) }

// Initialise sets to, of length s.Len(), to initial values of the parameter, in the tape's order,
// with the distribution that open_clip uses. They depend only on seed and on the parameter's name
// and shape. They are exact in float32, so that they are the same on devices of either precision.
func (s Spec) Initialise(seed uint64, to []float64) {
	digest := sha256.Sum256(fmt.Appendf(nil, "initialise\n%d\n%s", seed, s.Name))
	random := portable.SplitMix64(binary.LittleEndian.Uint64(digest[:]))
	switch {
	case s.law.deviation > 0:
		for i := 0; i < len(to); i += 2 {
			a, b := normalPair(&random)
			to[i] = float64(float32(a * s.law.deviation))
			if i+1 < len(to) {
				to[i+1] = float64(float32(b * s.law.deviation))
			}
		}
	case s.law.bound > 0:
		for i := range to {
			to[i] = float64(float32(uniformUnit(&random) * s.law.bound))
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

// uniformUnit returns a uniform random number in (-1, 1), never 0.
func uniformUnit(random *portable.SplitMix64) float64 {
	return float64(int64(random.Next()>>11)*2-(1<<53-1)) / (1 << 53)
}

// normalPair returns two independent standard normal numbers, by Marsaglia's polar method. It uses
// only functions that give the same bits on all machines.
func normalPair(random *portable.SplitMix64) (float64, float64) {
	for {
		x, y := uniformUnit(random), uniformUnit(random)
		r := float64(x*x) + float64(y*y)
		if r < 1 {
			f := math.Sqrt(-2 * portable.Log(r) / r)
			return x * f, y * f
		}
	}
}
