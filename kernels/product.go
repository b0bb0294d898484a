package kernels

type productOps interface {
	// Product is y = act(a·b + c): a [n, k], b [k, m], c and y [n, m]. c may be none.
	// Where act is one and pre is not none, pre [n, m] keeps a·b + c.
	Product(y, pre, a, b, c Tensor, act Activation)
	// ProductBackward takes dy [n, m] back to a and b, each of which may be none. Where
	// act is one, pre becomes the gradient of a·b + c, and so of c.
	ProductBackward(da, db Grad, dy, pre, a, b Tensor, act Activation)
}

// Product is act(a·b + c) of values that are none of them weights: a [n, k], b [k,
// m], c [n, m] or nil. With it what a query takes of each patch meets what was made of
// the patches once (OC-CLIP eq. 1).
func (t *Tape) Product(a, b, c *Var, act Activation) *Var {
	n, m := a.Value.Rows, b.Value.Cols
	check(a.Value.Cols == b.Value.Rows, "the factors of a product do not fit each other")
	check(c == nil || c.Value.Rows == n && c.Value.Cols == m, "what is added to a product does not fit")
	y := t.result(n, m, a, b, c)
	r := record{backward: productBackward, in: [4]*Var{a, b, c}, out: y, number: [4]int{int(act)}}
	if act != NoActivation {
		r.saved[0] = t.save(y, n, m)
	}
	t.Device.Product(y.Value, r.saved[0], a.Value, b.Value, tensorOf(c), act)
	return t.push(r)
}

func productBackward(t *Tape, r *record) {
	a, b := r.in[0], r.in[1]
	t.Device.ProductBackward(t.grad(a), t.grad(b), r.out.Grad, r.saved[0], a.Value, b.Value, Activation(r.number[0]))
	if r.in[2] == nil {
		return
	}
	if Activation(r.number[0]) != NoActivation {
		r.out.Grad = r.saved[0]
	}
	t.pass(r.out, r.in[2])
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
			if !c.None() {
				s += c.F64[at]
			}
			if !pre.None() {
				pre.F64[at] = s
			}
			y.F64[at] = act.of(s)
		}
	}
}

// ProductBackward implements Device.
func (*Reference) ProductBackward(da, db Grad, dy, pre, a, b Tensor, act Activation) {
	ds := dy
	if act != NoActivation {
		ds = pre
		for i, s := range pre.F64 {
			ds.F64[i] = dy.F64[i] * act.slope(s)
		}
	}
	if !da.None() {
		for i := range a.Rows {
			for k := range a.Cols {
				da.put(i*a.Cols+k, dot(ds.row(i), b.row(k)))
			}
		}
	}
	if db.None() {
		return
	}
	for k := range b.Rows {
		for j := range b.Cols {
			var s float64
			for i := range a.Rows {
				s += a.F64[i*a.Cols+k] * ds.F64[i*ds.Cols+j]
			}
			db.put(k*b.Cols+j, s)
		}
	}
}
