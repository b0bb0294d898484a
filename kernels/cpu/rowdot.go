package cpu

import "capgraph/kernels"

// rowDot computes the scaled similarities of pairs of rows. It is the backward half if ds is set.
type rowDot struct {
	rowParts
	d       *Device
	s, a, b kernels.Tensor
	scale   float32
	da, db  kernels.Grad
	ds      kernels.Tensor
}

// RowDot implements kernels.Device.
func (d *Device) RowDot(s, a, b, logScale kernels.Tensor) {
	d.rowDot = rowDot{rowParts: rowPartsOf(a.Rows, a.Cols), d: d, s: s, a: a, b: b, scale: expScalar(logScale)}
	d.pool.run(d.rowDot.count(), &d.rowDot)
}

// RowDotBackward implements kernels.Device.
func (d *Device) RowDotBackward(da, db, dlogScale kernels.Grad, ds, s, a, b, logScale kernels.Tensor) {
	d.rowDot = rowDot{rowParts: rowPartsOf(a.Rows, a.Cols), d: d, a: a, b: b, scale: expScalar(logScale), da: da, db: db, ds: ds}
	d.pool.run(d.rowDot.count(), &d.rowDot)
	if !dlogScale.IsNone() {
		storeScalar(dlogScale, d.dot(ds.F32, s.F32))
	}
}

// runPart implements task.
func (r *rowDot) runPart(_ *worker, i int) {
	first, end := r.bounds(i)
	for i := first; i < end; i++ {
		if r.ds.IsNone() {
			r.s.F32[i] = r.scale * r.d.set.Dot(rowOf(r.a, i), rowOf(r.b, i))
			continue
		}
		r.backward(r.da, i, rowOf(r.b, i))
		r.backward(r.db, i, rowOf(r.a, i))
	}
}

// backward computes row i of the gradient of a or b, given other, row i of the other one.
func (r *rowDot) backward(g kernels.Grad, i int, other []float32) {
	switch f := r.scale * r.ds.F32[i]; {
	case g.IsNone():
	case g.Add:
		r.d.set.AddScaled(rowOf(g.Tensor, i), other, f)
	default:
		r.d.set.Scale(rowOf(g.Tensor, i), other, f)
	}
}
