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
	d.resetScratch()
	d.dotProduct(y.Address, x.Address, x.Address, x.Len(), add)
}

// ClipFactor implements kernels.Device.
func (d *Device) ClipFactor(y, squares kernels.Tensor, most float64) {
	d.launch("clip_factor", y.Address, squares.Address, most)
}

// elementsPerUpdate is how many elements of a parameter a block of AdamW updates.
const elementsPerUpdate = 4096

// AdamW implements kernels.Device: one launch updates all parameters.
func (d *Device) AdamW(moves []kernels.AdamWUpdate, factor kernels.Tensor) {
	var table []uint64
	starts := []int32{0}
	var numbers []float32
	for _, m := range moves {
		n := m.P.Len()
		table = append(table, m.P.Address, m.P.Half, m.G.Address, m.M.Address, m.V.Address, uint64(n))
		starts = append(starts, starts[len(starts)-1]+int32(partCount(n, elementsPerUpdate)))
		numbers = append(numbers, adamWNumbers(m.AdamW)...)
	}
	d.launch("adamw", d.uploads.upload(bytesOf(table)), d.uploads.upload(bytesOf(starts)), d.uploads.upload(bytesOf(numbers)), factor.Address, len(moves), int(starts[len(moves)]))
}

// adamWNumbers returns the numbers of a step in the order that adamw.cu reads them.
func adamWNumbers(o kernels.AdamW) []float32 {
	first, second := o.BiasCorrections()
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
