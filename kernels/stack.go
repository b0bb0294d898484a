package kernels

// Stack puts the rows of b below the rows of a. Both have the same width.
func (t *Tape) Stack(a, b *Var) *Var {
	checkShape(a.Value.Cols == b.Value.Cols, "rows of several widths cannot be one matrix")
	y := t.newResult(a.Value.Rows+b.Value.Rows, a.Value.Cols, a, b)
	upper, lower := t.splitRows(y.Value, a.Value.Rows)
	t.Device.Copy(upper, a.Value)
	t.Device.Copy(lower, b.Value)
	return t.addRecord(record{backward: stackBackward, in: [4]*Var{a, b}, out: y})
}

func stackBackward(t *Tape, r *record) {
	upper, lower := t.splitRows(r.out.Grad, r.in[0].Value.Rows)
	t.passGrad(&Var{Grad: upper}, r.in[0])
	t.passGrad(&Var{Grad: lower}, r.in[1])
}

// splitRows returns the first rows of x, and the others.
func (t *Tape) splitRows(x Tensor, first int) (upper, lower Tensor) {
	return t.Rows(x, 0, first), t.Rows(x, first, x.Rows)
}

// Rows returns the rows first to last-1 of a matrix, in its memory.
func (t *Tape) Rows(x Tensor, first, last int) Tensor {
	return Tensor{Rows: last - first, Cols: x.Cols, Memory: t.Device.Slice(x.Memory, first*x.Cols, (last-first)*x.Cols)}
}
