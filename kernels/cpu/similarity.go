package cpu

import (
	"math"

	"capgraph/kernels"
)

// similarity multiplies what a product gives.
type similarity struct {
	d     *Device
	s     kernels.Tensor
	scale float32
}

// Similarity implements kernels.Device.
func (d *Device) Similarity(s, u, v, logScale kernels.Tensor) {
	d.similarity = similarity{d, s, expOf(logScale)}
	d.multiply(matrixOf(s), matrixOf(u), matrixOf(v).transpose(), false, &d.similarity)
}

// SimilarityBackward implements kernels.Device.
func (d *Device) SimilarityBackward(du, dv, dlogScale kernels.Grad, ds, s, u, v, logScale kernels.Tensor) {
	if !dlogScale.None() {
		put(dlogScale, d.innerProduct(ds.F32, s.F32))
	}
	d.elements(scaled, ds.F32, ds.F32, expOf(logScale), 0)
	if !du.None() {
		d.multiply(matrixOf(du.Tensor), matrixOf(ds), matrixOf(v), du.Add, nil)
	}
	if !dv.None() {
		d.multiply(matrixOf(dv.Tensor), matrixOf(ds).transpose(), matrixOf(u), dv.Add, nil)
	}
}

// row implements after.
func (s *similarity) row(i, first, last int) {
	line := row(s.s, i)[first:last]
	s.d.set.Scale(line, line, s.scale)
}

// expOf is e to the one number of a tensor.
func expOf(t kernels.Tensor) float32 { return float32(math.Exp(float64(t.F32[0]))) }

// put writes the one number of a gradient.
func put(g kernels.Grad, v float64) {
	if g.Add {
		v += float64(g.F32[0])
	}
	g.F32[0] = float32(v)
}
