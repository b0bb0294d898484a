package cpu

import (
	"math"

	"capgraph/kernels"
)

// similarity is the epilogue that multiplies a product by the scale.
type similarity struct {
	d     *Device
	s     kernels.Tensor
	scale float32
}

// Similarity implements kernels.Device.
func (d *Device) Similarity(s, u, v, logScale kernels.Tensor) {
	d.similarity = similarity{d, s, expScalar(logScale)}
	d.multiply(matrixOf(s), matrixOf(u), matrixOf(v).transpose(), false, &d.similarity)
}

// SimilarityBackward implements kernels.Device.
func (d *Device) SimilarityBackward(du, dv, dlogScale kernels.Grad, ds, s, u, v, logScale kernels.Tensor) {
	if !dlogScale.IsNone() {
		storeScalar(dlogScale, d.dot(ds.F32, s.F32))
	}
	d.runElementwise(opScale, ds.F32, ds.F32, expScalar(logScale), 0)
	if !du.IsNone() {
		d.multiply(matrixOf(du.Tensor), matrixOf(ds), matrixOf(v), du.Add, nil)
	}
	if !dv.IsNone() {
		d.multiply(matrixOf(dv.Tensor), matrixOf(ds).transpose(), matrixOf(u), dv.Add, nil)
	}
}

// applyRow implements epilogue.
func (s *similarity) applyRow(i, first, last int) {
	line := rowOf(s.s, i)[first:last]
	s.d.set.Scale(line, line, s.scale)
}

// expScalar returns e^x of a tensor [1, 1].
func expScalar(t kernels.Tensor) float32 { return float32(math.Exp(float64(t.F32[0]))) }

// storeScalar writes or adds v to a gradient [1, 1].
func storeScalar(g kernels.Grad, v float64) {
	if g.Add {
		v += float64(g.F32[0])
	}
	g.F32[0] = float32(v)
}
