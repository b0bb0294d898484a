package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// Linear implements kernels.Device. cuBLASLt adds bias and residual in the product if it can. Its
// GELU is not used: it is the approximation by tanh, which is not CLIP's.
func (d *Device) Linear(y, pre, x, w, b, residual kernels.Tensor, act kernels.Activation) {
	d.resetScratch()
	t := d.productType(x.Cols, y.Cols)
	left, right := d.operandOf(x, t), d.operandOf(w, t).transpose()
	if act == kernels.NoActivation {
		if !d.multiplyFused(t, y, b, residual, left, right) {
			d.multiplyTensor(t, y, left, right, false)
			d.launch("linear_forward", y.Address, y.Half, none, y.Address, b.Address, residual.Address, int(act), none, y.Rows, y.Cols)
		}
		return
	}
	to := y // the input of the activation
	switch {
	case !pre.IsNone():
		to = pre
	case y.Address == 0:
		to.Address = d.scratchFloats(y.Len())
	}
	keep, bias := none, none
	if !d.multiplyFused(t, to, b, kernels.Tensor{}, left, right) {
		d.multiplyTensor(t, to, left, right, false)
		keep, bias = pre.Address, b.Address
	}
	d.launch("linear_forward", y.Address, y.Half, keep, to.Address, bias, residual.Address, int(act), none, y.Rows, y.Cols)
}

// multiplyFused computes y = left·right + b + residual in one product. It returns false if cuBLASLt
// has no algorithm for it.
func (d *Device) multiplyFused(t cublaslt.Type, y, b, residual kernels.Tensor, left, right operand) bool {
	c := float32Operand(y).Matrix
	p := &cublaslt.Product{Type: t, M: y.Rows, K: left.cols, N: y.Cols, A: left.Matrix, B: right.Matrix, C: c, D: c, Bias: b.Address, Batch: 1}
	if !residual.IsNone() {
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
	d.resetScratch()
	t := d.productType(x.Cols, dy.Cols)
	slope := d.activationGradient(db, dy, pre, act, t, !dx.IsNone() || !dw.IsNone())
	if !dx.IsNone() {
		d.multiplyTensor(t, dx.Tensor, slope, d.operandOf(w, t), dx.Add)
	}
	if !dw.IsNone() {
		d.multiplyTensor(t, dw.Tensor, slope.transpose(), d.operandOf(x, t), dw.Add)
	}
}

// activationGradient returns the gradient of the activation's input, as an operand of type t if
// products is true, and computes db, its sum over rows. One kernel computes both.
func (d *Device) activationGradient(db kernels.Grad, dy, pre kernels.Tensor, act kernels.Activation, t cublaslt.Type, products bool) operand {
	ds, to, half, sums := dy, none, none, none
	if act != kernels.NoActivation && t == cublaslt.Float32 {
		ds, to = pre, pre.Address
	}
	slope := float32Operand(ds)
	if products && t == cublaslt.BFloat16 {
		half = d.scratchHalves(dy.Len())
		slope.Address = half
	}
	if !db.IsNone() {
		sums = d.scratchFloats(partCount(dy.Rows, rowsPerPart) * dy.Cols)
	}
	if to != none || half != none || sums != none {
		d.launch("linear_backward", to, half, sums, pre.Address, dy.Address, int(act), none, dy.Rows, dy.Cols)
	}
	if !db.IsNone() {
		d.launch("column_sum", db.Address, none, sums, none, dy.Rows, rowsPerPart, dy.Cols, 1, db.Add, false)
	}
	return slope
}

// The number of rows in a part of a column sum, and in a part of the column sums of a layer norm.
const (
	rowsPerPart     = 128
	normRowsPerPart = 16
)

// partCount returns how many parts of at most each elements n elements have.
func partCount(n, each int) int { return (n + each - 1) / each }
