package cpu

import "capgraph/kernels"

// linear is what follows the product of a linear layer: bias, activation and residual. As a task it
// is the backward half.
type linear struct {
	d              *Device
	y, pre         kernels.Tensor // pre is y if pre is not kept
	bias, residual kernels.Tensor
	act            kernels.Activation
	sums           columnSums
	rowParts       // backward
	ds, dy         kernels.Tensor
	withBias       bool
}

// Linear implements kernels.Device.
func (d *Device) Linear(y, pre, x, w, b, residual kernels.Tensor, act kernels.Activation) {
	if pre.IsNone() {
		pre = y
	}
	l := &d.linear
	*l = linear{d: d, y: y, pre: pre, bias: b, residual: residual, act: act, sums: l.sums}
	var then epilogue
	if !b.IsNone() || !residual.IsNone() || act != kernels.NoActivation {
		then = l
	}
	d.multiply(matrixOf(pre), matrixOf(x), matrixOf(w).transpose(), false, then)
}

// applyRow implements epilogue.
func (l *linear) applyRow(i, first, last int) {
	s := rowOf(l.pre, i)[first:last]
	if !l.bias.IsNone() {
		l.d.set.Add(s, l.bias.F32[first:last])
	}
	y := rowOf(l.y, i)[first:last]
	switch l.act {
	case kernels.GELU:
		l.d.set.GELU(y, s)
	case kernels.QuickGELU:
		l.d.set.QuickGELU(y, s)
	}
	if !l.residual.IsNone() {
		l.d.set.Add(y, rowOf(l.residual, i)[first:last])
	}
}

// LinearBackward implements kernels.Device.
func (d *Device) LinearBackward(dx, dw, db kernels.Grad, dy, pre, x, w kernels.Tensor, act kernels.Activation) {
	l := &d.linear
	*l = linear{d: d, act: act, sums: l.sums, rowParts: rowPartsOf(dy.Rows, dy.Cols), ds: dy, dy: dy}
	if act != kernels.NoActivation {
		l.ds = pre
	}
	if act != kernels.NoActivation || !db.IsNone() {
		l.sums.reset(l.count(), dy.Cols)
		l.withBias = !db.IsNone()
		d.pool.run(l.count(), l)
	}
	if !dx.IsNone() {
		d.multiply(matrixOf(dx.Tensor), matrixOf(l.ds), matrixOf(w), dx.Add, nil)
	}
	if !dw.IsNone() {
		d.multiply(matrixOf(dw.Tensor), matrixOf(l.ds).transpose(), matrixOf(x), dw.Add, nil)
	}
	l.sums.addTo(d, db, l.count(), 0)
}

// runPart implements task: it applies the activation's derivative and sums the gradient of the
// bias.
func (l *linear) runPart(_ *worker, i int) {
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
		sums := l.sums.part(i)
		for ; len(ds) > 0; ds = ds[n:] {
			l.d.set.Add(sums, ds[:n])
		}
	}
}
