package cuda

import (
	"encoding/binary"
	"math"
	"testing"

	"capgraph/kernels"
)

// The copies in bf16 of weights are what the weights are, rounded, however they move.
func TestCopiesOfWeightsFollowThem(t *testing.T) {
	card := newFakeCard(t)
	d := card.device(BFloat16)
	if !d.UsesHalf() || card.device(Float32).UsesHalf() {
		t.Error("a device of float32 halves, or one of bf16 does not")
	}
	const n = 8 * 1000
	tensor := func() kernels.Tensor {
		return kernels.Tensor{Rows: 1000, Cols: 8, Memory: d.Alloc(n)}
	}
	m := kernels.AdamWUpdate{P: tensor(), G: tensor(), M: tensor(), V: tensor(), AdamW: kernels.AdamW{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, Step: 1}}
	m.P.Half = d.Alloc(n / 2).Address
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = math.Sin(float64(i))
	}
	check := func(when string) {
		t.Helper()
		d.Read(numbers, m.P)
		half := card.at(m.P.Half, 2*n)
		for i, v := range numbers {
			u := math.Float32bits(float32(v))
			if got := binary.LittleEndian.Uint16(half[2*i:]); got != uint16((u+0x7fff+u>>16&1)>>16) {
				t.Fatalf("%s, the copy of %v is %x", when, v, got)
			}
		}
	}
	d.Write(m.P, numbers)
	check("written")
	d.Write(m.G, numbers)
	factor := kernels.Tensor{Rows: 1, Cols: 1, Memory: d.Alloc(1)}
	d.Fill(factor, 1)
	d.AdamW([]kernels.AdamWUpdate{m}, factor)
	before := numbers[5]
	if check("moved"); numbers[5] == before || d.Err() != nil {
		t.Errorf("nothing has moved: %v", d.Err())
	}
}
