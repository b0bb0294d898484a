package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// Linear implements kernels.Device. Without an activation, bias and residual are
// part of the product, where cuBLASLt can; its GELU is the approximation by tanh, which
// is not CLIP's.
func (d *Device) Linear(y, pre, x, w, b, residual kernels.Tensor, act kernels.Activation) {
	d.begin()
	t := d.rounds(x.Cols, y.Cols)
	left, right := d.operand(x, t), d.operand(w, t).transposed()
	if act == kernels.NoActivation && d.fused(t, y, b, residual, left, right) {
		return
	}
	d.product(t, y, left, right, false)
	if !b.None() || !residual.None() || act != kernels.NoActivation {
		d.launch("linear_forward", y.Address, pre.Address, b.Address, residual.Address, int(act), none, y.Rows, y.Cols)
	}
}

// fused computes y = left·right + b + residual in one product, or says that cuBLASLt
// has no algorithm for it.
func (d *Device) fused(t cublaslt.Type, y, b, residual kernels.Tensor, left, right operand) bool {
	c := plain(y).Matrix
	p := &cublaslt.Product{Type: t, M: y.Rows, K: left.cols, N: y.Cols, A: left.Matrix, B: right.Matrix, C: c, D: c, Bias: b.Address, Batch: 1}
	if !residual.None() {
		p.C.Address, p.Beta = residual.Address, 1
	}
	err := d.multiply(p)
	if errors.Is(err, cublaslt.ErrNoAlgorithm) {
		return false
	}
	d.fail(err)
	return true
}

// LinearBackward implements kernels.Device.
func (d *Device) LinearBackward(dx, dw, db kernels.Grad, dy, pre, x, w kernels.Tensor, act kernels.Activation) {
	d.begin()
	ds := dy
	if act != kernels.NoActivation {
		d.launch("linear_backward", pre.Address, dy.Address, int(act), none, dy.Rows, dy.Cols)
		ds = pre
	}
	d.columnSum(db, ds)
	if dx.None() && dw.None() {
		return
	}
	t := d.rounds(x.Cols, ds.Cols)
	slope := d.operand(ds, t)
	if !dx.None() {
		d.product(t, dx.Tensor, slope, d.operand(w, t), dx.Add)
	}
	if !dw.None() {
		d.product(t, dw.Tensor, slope.transposed(), d.operand(x, t), dw.Add)
	}
}

// rowsAPart is how many rows a part of a sum of columns has.
const rowsAPart = 128

// parts is how many parts n is shared out to.
func parts(n, each int) int { return (n + each - 1) / each }

// columnSum sums the columns of x.
func (d *Device) columnSum(to kernels.Grad, x kernels.Tensor) {
	if to.None() {
		return
	}
	sums := d.floats(parts(x.Rows, rowsAPart) * x.Cols)
	d.launch("column_parts", sums, x.Address, none, x.Rows, x.Cols)
	d.launch("column_sum", to.Address, sums, none, x.Rows, x.Cols, to.Add)
}
