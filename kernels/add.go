package kernels

type addOps interface {
	// Fill sets all elements to a.
	Fill(y Tensor, a float64)
	// Copy sets y to x, of the same number of elements.
	Copy(y, x Tensor)
	// AddScaled adds a·x to y, of the same number of elements.
	AddScaled(y, x Tensor, a float64)
}

// Sum returns Σ weights[i]·terms[i], such as a loss of several objectives. All terms have the same
// shape. Terms of weight 0 are skipped. There is at least one term.
func (t *Tape) Sum(terms []*Var, weights []float64) *Var {
	checkShape(len(terms) > 0 && len(terms) == len(weights), "the terms of a sum are not its weights")
	y := t.newResult(terms[0].Value.Rows, terms[0].Value.Cols)
	t.Device.Zero(y.Value)
	for i, x := range terms {
		checkShape(x.Value.Rows == y.Value.Rows && x.Value.Cols == y.Value.Cols, "the terms of a sum have several shapes")
		if weights[i] == 0 {
			continue
		}
		t.Device.AddScaled(y.Value, x.Value, weights[i])
		y.needsGrad = y.needsGrad || x.NeedsGrad() && !t.ForwardOnly
		t.addRecord(record{backward: sumBackward, in: [4]*Var{x}, out: y, factor: [3]float64{weights[i]}})
	}
	return y
}

func sumBackward(t *Tape, r *record) {
	if g := t.gradOf(r.in[0]); !g.IsNone() {
		if !g.Add {
			t.Device.Zero(g.Tensor)
		}
		t.Device.AddScaled(g.Tensor, r.out.Grad, r.factor[0])
	}
}

// SumRow returns weight·Σ_k x_k [1, 1] of x [1, n].
func (t *Tape) SumRow(x *Var, weight float64) *Var {
	checkShape(x.Value.Rows == 1, "a sum is of several rows")
	weights := t.Arena.Tensor(1, x.Value.Cols)
	t.Device.Fill(weights, weight)
	return t.RowDot(t.Constant(weights), x, t.Scalar(0))
}

// Scalar returns a constant [1, 1].
func (t *Tape) Scalar(x float64) *Var {
	v := t.Arena.Tensor(1, 1)
	t.Device.Fill(v, x)
	return t.Constant(v)
}

// Fill implements Device.
func (*Reference) Fill(y Tensor, a float64) {
	for i := range y.F64 {
		y.F64[i] = a
	}
}

// Copy implements Device.
func (*Reference) Copy(y, x Tensor) { copy(y.F64, x.F64) }

// AddScaled implements Device.
func (*Reference) AddScaled(y, x Tensor, a float64) {
	for i, v := range x.F64 {
		y.F64[i] += a * v
	}
}
