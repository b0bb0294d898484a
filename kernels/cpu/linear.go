package cpu

import "capgraph/kernels"

// linear is what follows the product of a linear layer: a bias, an activation, a
// residual, for as many numbers of a row as are known.
type linear struct {
	d              *Device
	y, pre         kernels.Tensor // pre is y where no other is wanted
	bias, residual kernels.Tensor
	act            kernels.Activation
	sums           columnSums
	rowParts       // backward
	ds, dy         kernels.Tensor
	withBias       bool
}

// Linear implements kernels.Device.
func (d *Device) Linear(y, pre, x, w, b, residual kernels.Tensor, act kernels.Activation) {
	if pre.None() {
		pre = y
	}
	l := &d.linear
	*l = linear{d: d, y: y, pre: pre, bias: b, residual: residual, act: act, sums: l.sums}
	var then after
	if !b.None() || !residual.None() || act != kernels.NoActivation {
		then = l
	}
	d.multiply(matrixOf(pre), matrixOf(x), matrixOf(w).transpose(), false, then)
}

// row implements after.
func (l *linear) row(i, first, last int) {
	s := row(l.pre, i)[first:last]
	if !l.bias.None() {
		l.d.set.Add(s, l.bias.F32[first:last])
	}
	y := row(l.y, i)[first:last]
	switch l.act {
	case kernels.GELU:
		l.d.set.GELU(y, s)
	case kernels.QuickGELU:
		l.d.set.QuickGELU(y, s)
	}
	if !l.residual.None() {
		l.d.set.Add(y, row(l.residual, i)[first:last])
	}
}

// LinearBackward implements kernels.Device.
func (d *Device) LinearBackward(dx, dw, db kernels.Grad, dy, pre, x, w kernels.Tensor, act kernels.Activation) {
	l := &d.linear
	*l = linear{d: d, act: act, sums: l.sums, rowParts: partsOf(dy.Rows, dy.Cols), ds: dy, dy: dy}
	if act != kernels.NoActivation {
		l.ds = pre
	}
	if act != kernels.NoActivation || !db.None() {
		l.sums.begin(l.count(), dy.Cols)
		l.withBias = !db.None()
		d.pool.run(l.count(), l)
	}
	if !dx.None() {
		d.multiply(matrixOf(dx.Tensor), matrixOf(l.ds), matrixOf(w), dx.Add, nil)
	}
	if !dw.None() {
		d.multiply(matrixOf(dw.Tensor), matrixOf(l.ds).transpose(), matrixOf(x), dw.Add, nil)
	}
	l.sums.end(d, db, l.count(), 0)
}

// part implements work: the derivative of the activation, and sums for the bias.
func (l *linear) part(_ *worker, i int) {
	first, end := l.bounds(i)
	n := l.ds.Cols
	ds, dy := l.ds.F32[first*n:end*n], l.dy.F32[first*n:end*n]
	switch l.act {
	case kernels.GELU:
		l.d.set.GELUSlope(ds, dy, ds)
	case kernels.QuickGELU:
		l.d.set.QuickGELUSlope(ds, dy, ds)
	}
	if l.withBias {
		sums := l.sums.of(i)
		for ; len(ds) > 0; ds = ds[n:] {
			l.d.set.Add(sums, ds[:n])
		}
	}
}
