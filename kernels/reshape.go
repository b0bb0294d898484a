package kernels

// Reshape returns the elements of x, in their order, as rows of cols numbers. The result shares x's
// memory.
func (t *Tape) Reshape(x *Var, cols int) *Var {
	checkShape(cols > 0 && x.Value.Len()%cols == 0, "a matrix cannot have rows of that width")
	y := t.inheritGrad(t.Constant(x.Value.withColumns(cols)), []*Var{x})
	return t.addRecord(record{backward: reshapeBackward, in: [4]*Var{x}, out: y})
}

func reshapeBackward(t *Tape, r *record) {
	t.passGrad(&Var{Grad: r.out.Grad.withColumns(r.in[0].Value.Cols)}, r.in[0])
}

// withColumns returns the elements as rows of cols numbers.
func (t Tensor) withColumns(cols int) Tensor {
	t.Rows, t.Cols = t.Len()/cols, cols
	return t
}
