package kernels

import "math"

// minLength is the least length that a row is divided by, as in PyTorch's normalize.
const minLength = 1e-12

type normalizeOps interface {
	// Normalize computes y = x / max(‖x‖₂, 1e-12), a row at a time: x, y [n, w]. inverse [n, 1], or
	// none, keeps 1 / max(…).
	Normalize(y, inverse, x Tensor)
	// NormalizeBackward computes the gradient of x from dy.
	NormalizeBackward(dx Grad, dy, y, inverse Tensor)
}

// Normalize scales the rows of x [n, w] to length 1.
func (t *Tape) Normalize(x *Var) *Var {
	y := t.newResult(x.Value.Rows, x.Value.Cols, x)
	r := record{backward: normalizeBackward, in: [4]*Var{x}, out: y}
	r.saved[0] = t.newSaved(y, x.Value.Rows, 1)
	t.Device.Normalize(y.Value, r.saved[0], x.Value)
	return t.addRecord(r)
}

func normalizeBackward(t *Tape, r *record) {
	t.Device.NormalizeBackward(t.gradOf(r.in[0]), r.out.Grad, r.out.Value, r.saved[0])
}

// Normalize implements Device.
func (*Reference) Normalize(y, inverse, x Tensor) {
	for i := range x.Rows {
		row := x.row(i)
		f := 1 / max(math.Sqrt(dot(row, row)), minLength)
		for k, v := range row {
			y.F64[i*y.Cols+k] = v * f
		}
		if !inverse.IsNone() {
			inverse.F64[i] = f
		}
	}
}

// NormalizeBackward implements Device.
func (*Reference) NormalizeBackward(dx Grad, dy, y, inverse Tensor) {
	for i := range y.Rows {
		row, d := y.row(i), dy.row(i)
		along := dot(d, row)
		if inverse.F64[i] == 1/minLength { // the row was divided by the constant minLength
			along = 0
		}
		for k, v := range row {
			dx.store(i*y.Cols+k, inverse.F64[i]*(d[k]-v*along))
		}
	}
}
