//go:build amd64 || arm64

package convnet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// eachKernel calls test with each kernel of this processor.
func eachKernel(t *testing.T, test func(t *testing.T)) {
	if !hasDense {
		t.Skip("this processor has no kernel")
	}
	defer func(before bool) { hasDot = before }(hasDot)
	if hasDot {
		t.Run("dot", test)
	}
	hasDot = false
	t.Run("plain", test)
}

// chooseBytes returns n random choices of these.
func chooseBytes(rnd *rand.Rand, n int, choices []byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = choices[rnd.IntN(len(choices))]
	}
	return b
}

var (
	someValues  = [][]byte{{0}, {1}, {maxValue}, {0, maxValue}, countUp(maxValue + 1)}
	someWeights = [][]byte{{0}, {1}, {127}, {128}, {255}, {127, 128}, countUp(256)} // of int8
)

func countUp(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// TestKernelsAgree compares each kernel with plain sums, for values and weights of any size.
func TestKernelsAgree(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(3, 4))
		for _, v := range someValues {
			for _, w := range someWeights {
				values := tokenValues(chooseBytes(rnd, channels, v))
				weights := chooseBytes(rnd, channels*channels, w)
				var start channelSums
				for c := range start {
					start[c] = int32(rnd.Uint32())
				}
				want, got := start, start
				for c := range channels {
					for k, v := range values {
						want[c] += int32(v) * int32(int8(weights[k*channels+c]))
					}
				}
				if addDense(&got, &values, packDense(string(weights))); got != want {
					t.Fatalf("values %v, weights of %v: sums %v, want %v", values, w, got, want)
				}
			}
		}
	})
}

// TestKernelsAgreeOnTexts compares the sums of each token and its neighbours with those of packed
// rows, for texts of few tokens.
func TestKernelsAgreeOnTexts(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(5, 6))
		for n := range 8 {
			for width := 1; width <= 5; width += 2 {
				weights := string(chooseBytes(rnd, width*channels*channels, someWeights[rnd.IntN(len(someWeights))]))
				dense, packed := packDense(weights), packRows(weights)
				m := Memory{tokens: make([]tokenValues, n)}
				for i := range m.tokens {
					m.tokens[i] = tokenValues(chooseBytes(rnd, channels, someValues[rnd.IntN(len(someValues))]))
				}
				for i := range n {
					var got, want channelSums
					got.addNeighbours(m.tokens, i, width, dense)
					m.gatherNeighbours(i, width)
					want.addProducts(m.terms, packed)
					if !slices.Equal(got[:channels], want[:channels]) {
						t.Fatalf("token %d of %d, %d neighbours: sums %v, want %v", i, n, width, got, want)
					}
				}
			}
		}
	})
}

// TestResidualKernelAgrees compares the kernel with plain Go for sums at the limits of values.
func TestResidualKernelAgrees(t *testing.T) {
	if !hasDense {
		t.Skip("this processor has no kernel")
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	edges := []int32{math.MinInt32, math.MaxInt32, -1 << 24, 1 << 24, -1 << 15, 1 << 15, 0, maxValue << weightBits}
	for n := range 100 {
		before := tokenValues(chooseBytes(rnd, channels, someValues[n%len(someValues)]))
		var sums channelSums
		for c := range sums {
			sums[c] = edges[rnd.IntN(len(edges))] + int32(rnd.IntN(4<<weightBits)) - 2<<weightBits
		}
		var got, want tokenValues
		setResidual(&got, &before, &sums)
		if want.setResidual(&before, &sums); got != want {
			t.Fatalf("before %v, sums %v: values %v, want %v", before, sums, got, want)
		}
	}
}
