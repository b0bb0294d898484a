package cpu

import "capgraph/kernels"

// Product implements kernels.Device: the product is followed by the epilogue of a linear layer.
func (d *Device) Product(y, pre, a, b, c kernels.Tensor, act kernels.Activation) {
	if pre.IsNone() {
		pre = y
	}
	l := &d.linear
	*l = linear{d: d, y: y, pre: pre, act: act, sums: l.sums}
	var then epilogue
	if act != kernels.NoActivation {
		then = l
	}
	if !c.IsNone() {
		d.runElementwise(opCopy, pre.F32, c.F32, 0, 0)
	}
	d.multiply(matrixOf(pre), matrixOf(a), matrixOf(b), !c.IsNone(), then)
}

// ProductBackward implements kernels.Device.
func (d *Device) ProductBackward(da, db kernels.Grad, dy, pre, a, b kernels.Tensor, act kernels.Activation) {
	ds := dy
	if act != kernels.NoActivation {
		ds = pre
		l := &d.linear
		*l = linear{d: d, act: act, sums: l.sums, rowParts: rowPartsOf(dy.Rows, dy.Cols), ds: ds, dy: dy}
		d.pool.run(l.count(), l)
	}
	if !da.IsNone() {
		d.multiply(matrixOf(da.Tensor), matrixOf(ds), matrixOf(b).transpose(), da.Add, nil)
	}
	if !db.IsNone() {
		d.multiply(matrixOf(db.Tensor), matrixOf(a).transpose(), matrixOf(ds), db.Add, nil)
	}
}
