package cpu

import "capgraph/kernels"

// Product implements kernels.Device: what follows the product is as of a linear layer.
func (d *Device) Product(y, pre, a, b, c kernels.Tensor, act kernels.Activation) {
	if pre.None() {
		pre = y
	}
	l := &d.linear
	*l = linear{d: d, y: y, pre: pre, act: act, sums: l.sums}
	var then after
	if act != kernels.NoActivation {
		then = l
	}
	if !c.None() {
		d.elements(copied, pre.F32, c.F32, 0, 0)
	}
	d.multiply(matrixOf(pre), matrixOf(a), matrixOf(b), !c.None(), then)
}

// ProductBackward implements kernels.Device.
func (d *Device) ProductBackward(da, db kernels.Grad, dy, pre, a, b kernels.Tensor, act kernels.Activation) {
	ds := dy
	if act != kernels.NoActivation {
		ds = pre
		l := &d.linear
		*l = linear{d: d, act: act, sums: l.sums, rowParts: partsOf(dy.Rows, dy.Cols), ds: ds, dy: dy}
		d.pool.run(l.count(), l)
	}
	if !da.None() {
		d.multiply(matrixOf(da.Tensor), matrixOf(ds), matrixOf(b).transpose(), da.Add, nil)
	}
	if !db.None() {
		d.multiply(matrixOf(db.Tensor), matrixOf(a).transpose(), matrixOf(ds), db.Add, nil)
	}
}
