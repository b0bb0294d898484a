package kernels

type productOps interface {
	// Product computes y = act(a·b + c): a [n, k], b [k, m], c and y [n, m]. c may be none. If
	// there is an activation, pre [n, m], or none, keeps a·b + c.
	Product(y, pre, a, b, c Tensor, act Activation)
	// ProductBackward computes the gradients of a and b from dy [n, m]. Each may be none. If there
	// is an activation, pre is overwritten with the gradient of a·b + c, which is also c's.
	ProductBackward(da, db Grad, dy, pre, a, b Tensor, act Activation)
}

// Product returns act(a·b + c), where a [n, k] and b [k, m] are results rather than weights; c is
// [n, m] or nil. OC-CLIP's binding multiplies the attention of queries to patches with values of
// the patches (eq. 1).
func (t *Tape) Product(a, b, c *Var, act Activation) *Var {
	n, m := a.Value.Rows, b.Value.Cols
	checkShape(a.Value.Cols == b.Value.Rows, "the factors of a product do not fit each other")
	checkShape(c == nil || c.Value.Rows == n && c.Value.Cols == m, "what is added to a product does not fit")
	y := t.newResult(n, m, a, b, c)
	r := record{backward: productBackward, in: [4]*Var{a, b, c}, out: y, number: [4]int{int(act)}}
	if act != NoActivation {
		r.saved[0] = t.newSaved(y, n, m)
	}
	t.Device.Product(y.Value, r.saved[0], a.Value, b.Value, valueOf(c), act)
	return t.addRecord(r)
}

func productBackward(t *Tape, r *record) {
	a, b := r.in[0], r.in[1]
	t.Device.ProductBackward(t.gradOf(a), t.gradOf(b), r.out.Grad, r.saved[0], a.Value, b.Value, Activation(r.number[0]))
	if r.in[2] == nil {
		return
	}
	if Activation(r.number[0]) != NoActivation {
		r.out.Grad = r.saved[0]
	}
	t.passGrad(r.out, r.in[2])
}

// Product implements Device.
func (*Reference) Product(y, pre, a, b, c Tensor, act Activation) {
	for i := range a.Rows {
		for j := range b.Cols {
			var s float64
			for k, v := range a.row(i) {
				s += v * b.F64[k*b.Cols+j]
			}
			at := i*y.Cols + j
			if !c.IsNone() {
				s += c.F64[at]
			}
			if !pre.IsNone() {
				pre.F64[at] = s
			}
			y.F64[at] = act.apply(s)
		}
	}
}

// ProductBackward implements Device.
func (*Reference) ProductBackward(da, db Grad, dy, pre, a, b Tensor, act Activation) {
	ds := act.backward(dy, pre)
	if !da.IsNone() {
		for i := range a.Rows {
			for k := range a.Cols {
				da.store(i*a.Cols+k, dot(ds.row(i), b.row(k)))
			}
		}
	}
	if db.IsNone() {
		return
	}
	for k := range b.Rows {
		for j := range b.Cols {
			var s float64
			for i := range a.Rows {
				s += a.F64[i*a.Cols+k] * ds.F64[i*ds.Cols+j]
			}
			db.store(k*b.Cols+j, s)
		}
	}
}
