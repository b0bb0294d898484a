package cpu

import "capgraph/kernels"

// rowDot is the scaled similarity of pairs of rows; backward where ds is one.
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
	d.rowDot = rowDot{rowParts: partsOf(a.Rows, a.Cols), d: d, s: s, a: a, b: b, scale: expOf(logScale)}
	d.pool.run(d.rowDot.count(), &d.rowDot)
}

// RowDotBackward implements kernels.Device.
func (d *Device) RowDotBackward(da, db, dlogScale kernels.Grad, ds, s, a, b, logScale kernels.Tensor) {
	d.rowDot = rowDot{rowParts: partsOf(a.Rows, a.Cols), d: d, a: a, b: b, scale: expOf(logScale), da: da, db: db, ds: ds}
	d.pool.run(d.rowDot.count(), &d.rowDot)
	if !dlogScale.None() {
		put(dlogScale, d.innerProduct(ds.F32, s.F32))
	}
}

// part implements work.
func (r *rowDot) part(_ *worker, i int) {
	first, end := r.bounds(i)
	for i := first; i < end; i++ {
		if r.ds.None() {
			r.s.F32[i] = r.scale * r.d.set.Dot(row(r.a, i), row(r.b, i))
			continue
		}
		r.backward(r.da, i, row(r.b, i))
		r.backward(r.db, i, row(r.a, i))
	}
}

// backward is the gradient of row i of one side, given the other.
func (r *rowDot) backward(g kernels.Grad, i int, other []float32) {
	switch f := r.scale * r.ds.F32[i]; {
	case g.None():
	case g.Add:
		r.d.set.AddScaled(row(g.Tensor, i), other, f)
	default:
		r.d.set.Scale(row(g.Tensor, i), other, f)
	}
}
