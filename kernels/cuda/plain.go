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

// AdamW implements kernels.Device.
func (d *Device) AdamW(p, g, m, v, factor kernels.Tensor, o kernels.AdamW) {
	numbers, ok := d.numbers[o]
	if !ok {
		numbers = d.uploads.put(numbersOf(o))
		d.numbers[o] = numbers
	}
	d.launch("adamw", p.Address, none, g.Address, m.Address, v.Address, factor.Address, numbers, none, p.Len())
}

// numbersOf are the numbers of a step in the order that adamw.cu has them.
func numbersOf(o kernels.AdamW) []byte {
	first, second := o.Corrections()
	bits := make([]int32, 0, 8)
	for _, x := range []float64{
		o.LearningRate / first, o.LearningRate * o.WeightDecay, o.Beta1, 1 - o.Beta1, o.Beta2, 1 - o.Beta2, 1 / math.Sqrt(second), o.Epsilon,
	} {
		bits = append(bits, int32(math.Float32bits(float32(x))))
	}
	return bytesOf(bits)
}

// Clamp implements kernels.Device.
func (d *Device) Clamp(x kernels.Tensor, least, most float64) {
	d.launch("clamp", x.Address, least, most, x.Len())
}
