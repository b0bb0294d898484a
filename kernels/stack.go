package kernels

// Stack is the rows of a and under them those of b, of one width.
func (t *Tape) Stack(a, b *Var) *Var {
	check(a.Value.Cols == b.Value.Cols, "rows of several widths cannot be one matrix")
	y := t.result(a.Value.Rows+b.Value.Rows, a.Value.Cols, a, b)
	upper, lower := t.halves(y.Value, a.Value.Rows)
	t.Device.Copy(upper, a.Value)
	t.Device.Copy(lower, b.Value)
	return t.push(record{backward: stackBackward, in: [4]*Var{a, b}, out: y})
}

func stackBackward(t *Tape, r *record) {
	upper, lower := t.halves(r.out.Grad, r.in[0].Value.Rows)
	t.pass(&Var{Grad: upper}, r.in[0])
	t.pass(&Var{Grad: lower}, r.in[1])
}

// halves are the first rows of x, and the others.
func (t *Tape) halves(x Tensor, first int) (upper, lower Tensor) {
	return t.Rows(x, 0, first), t.Rows(x, first, x.Rows)
}

// Rows are the rows of a matrix from first to last-1, in its memory.
func (t *Tape) Rows(x Tensor, first, last int) Tensor {
	return Tensor{Rows: last - first, Cols: x.Cols, Memory: t.Device.Slice(x.Memory, first*x.Cols, (last-first)*x.Cols)}
}
