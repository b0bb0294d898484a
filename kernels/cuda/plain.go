package cuda

import (
	"math"

	"capgraph/kernels"
)

// The operations on plain memory and on parameters.

// Fill implements kernels.Device.
func (d *Device) Fill(y kernels.Tensor, a float64) { d.launch("fill", y.Address, a, y.Len()) }

// Copy implements kernels.Device.
func (d *Device) Copy(y, x kernels.Tensor) {
	if d.err == nil && x.Len() > 0 {
		d.fail(d.context.Copy(y.Address, x.Address, uint64(x.Len())*elementBytes, d.stream))
	}
}

// AddScaled implements kernels.Device.
func (d *Device) AddScaled(y, x kernels.Tensor, a float64) {
	d.launch("add_scaled", y.Address, x.Address, a, x.Len())
}

// SquareSum implements kernels.Device.
func (d *Device) SquareSum(y, x kernels.Tensor, add bool) {
	d.begin()
	d.dot(y.Address, x.Address, x.Address, x.Len(), add)
}

// ClipFactor implements kernels.Device.
func (d *Device) ClipFactor(y, squares kernels.Tensor, most float64) {
	d.launch("clip_factor", y.Address, squares.Address, most)
}

// elementsAMove is how many elements of a parameter a block of AdamW moves.
const elementsAMove = 4096

// AdamW implements kernels.Device: one launch moves all parameters.
func (d *Device) AdamW(moves []kernels.Move, factor kernels.Tensor) {
	var table []uint64
	starts := []int32{0}
	var numbers []float32
	for _, m := range moves {
		n := m.P.Len()
		table = append(table, m.P.Address, m.P.Half, m.G.Address, m.M.Address, m.V.Address, uint64(n))
		starts = append(starts, starts[len(starts)-1]+int32(parts(n, elementsAMove)))
		numbers = append(numbers, numbersOf(m.AdamW)...)
	}
	d.launch("adamw", d.uploads.put(bytesOf(table)), d.uploads.put(bytesOf(starts)), d.uploads.put(bytesOf(numbers)), factor.Address, len(moves), int(starts[len(moves)]))
}

// numbersOf are the numbers of a step in the order that adamw.cu has them.
func numbersOf(o kernels.AdamW) []float32 {
	first, second := o.Corrections()
	var numbers []float32
	for _, x := range []float64{
		o.LearningRate / first, o.LearningRate * o.WeightDecay, o.Beta1, 1 - o.Beta1, o.Beta2, 1 - o.Beta2, 1 / math.Sqrt(second), o.Epsilon,
	} {
		numbers = append(numbers, float32(x))
	}
	return numbers
}

// Clamp implements kernels.Device.
func (d *Device) Clamp(x kernels.Tensor, least, most float64) {
	d.launch("clamp", x.Address, least, most, x.Len())
}
