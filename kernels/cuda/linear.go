package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// Linear implements kernels.Device. Bias and residual are part of the product, where
// cuBLASLt can; its GELU is the approximation by tanh, which is not CLIP's.
func (d *Device) Linear(y, pre, x, w, b, residual kernels.Tensor, act kernels.Activation) {
	d.begin()
	t := d.rounds(x.Cols, y.Cols)
	left, right := d.operand(x, t), d.operand(w, t).transposed()
	if act == kernels.NoActivation {
		if !d.fused(t, y, b, residual, left, right) {
			d.product(t, y, left, right, false)
			d.launch("linear_forward", y.Address, y.Half, none, y.Address, b.Address, residual.Address, int(act), none, y.Rows, y.Cols)
		}
		return
	}
	to := y // what the activation is of
	switch {
	case !pre.None():
		to = pre
	case y.Address == 0:
		to.Address = d.floats(y.Len())
	}
	keep, bias := none, none
	if !d.fused(t, to, b, kernels.Tensor{}, left, right) {
		d.product(t, to, left, right, false)
		keep, bias = pre.Address, b.Address
	}
	d.launch("linear_forward", y.Address, y.Half, keep, to.Address, bias, residual.Address, int(act), none, y.Rows, y.Cols)
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
	t := d.rounds(x.Cols, dy.Cols)
	slope := d.slope(db, dy, pre, act, t, !dx.None() || !dw.None())
	if !dx.None() {
		d.product(t, dx.Tensor, slope, d.operand(w, t), dx.Add)
	}
	if !dw.None() {
		d.product(t, dw.Tensor, slope.transposed(), d.operand(x, t), dw.Add)
	}
}

// slope is the gradient before an activation, for products of a type where they are
// wanted; db is its sum over rows. One kernel makes all of it.
func (d *Device) slope(db kernels.Grad, dy, pre kernels.Tensor, act kernels.Activation, t cublaslt.Type, products bool) operand {
	ds, to, half, sums := dy, none, none, none
	if act != kernels.NoActivation && t == cublaslt.Float32 {
		ds, to = pre, pre.Address
	}
	slope := plain(ds)
	if products && t == cublaslt.BFloat16 {
		half = d.halves(dy.Len())
		slope.Address = half
	}
	if !db.None() {
		sums = d.floats(parts(dy.Rows, rowsAPart) * dy.Cols)
	}
	if to != none || half != none || sums != none {
		d.launch("linear_backward", to, half, sums, pre.Address, dy.Address, int(act), none, dy.Rows, dy.Cols)
	}
	if !db.None() {
		d.launch("column_sum", db.Address, none, sums, none, dy.Rows, rowsAPart, dy.Cols, 1, db.Add, false)
	}
	return slope
}

// How many rows a part of a sum of columns has, and one of a layer norm's.
const (
	rowsAPart     = 128
	rowsAPartNorm = 16
)

// parts is how many parts n is shared out to.
func parts(n, each int) int { return (n + each - 1) / each }
