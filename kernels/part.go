package kernels

// PartFunc computes a part of the work from x. It may use parameters, but no other value that needs
// a gradient. starts are the sequences of x.
type PartFunc func(t *Tape, x *Var, starts Ints) *Var

// Part runs do, a part of the work such as a block of a tower, and returns its result. What
// Backward allocates for the part is freed after the part. If the tape has a Scratch, only x and
// the result are kept, and Backward recomputes the part (Chen et al. 2016), which gives the same
// bits in less memory. Parts are not nested.
func (t *Tape) Part(x *Var, starts Ints, do PartFunc) *Var {
	before := t.Arena.Used()
	y := t.runPart(x, starts, do)
	t.Parts = append(t.Parts, [2]int{before, t.Arena.Used()})
	return y
}

func (t *Tape) runPart(x *Var, starts Ints, do PartFunc) *Var {
	if t.Scratch == nil {
		first := len(t.records)
		t.records = append(t.records, record{})
		y := do(t, x, starts)
		if !y.needsGrad {
			t.records = t.records[:first]
			return y
		}
		t.records[first] = record{backward: leavePart, in: [4]*Var{x}, out: y, number: [4]int{len(t.Parts)}}
		t.records = append(t.records, record{backward: enterPart, in: [4]*Var{x}, out: y})
		return y
	}
	s := t.Scratch.restart(true, t.Recompute)
	result := do(s, s.Constant(x.Value), starts)
	y := t.newResult(result.Value.Rows, result.Value.Cols, x)
	y.needsGrad = !t.ForwardOnly
	t.Device.Copy(y.Value, result.Value)
	return t.addRecord(record{backward: recomputePart, in: [4]*Var{x}, out: y, ints: [5]Ints{starts}, part: do, number: [4]int{len(t.Parts)}})
}

// restart empties a tape, sets its ForwardOnly and Recompute, and returns it.
func (t *Tape) restart(forward, again bool) *Tape {
	t.Reset()
	t.Arena.Reset()
	t.ForwardOnly, t.Recompute = forward, again
	return t
}

// enterPart is called when Backward begins a part. It marks the arena's position and keeps the
// part's input gradient.
func enterPart(t *Tape, r *record) { t.partMark, t.inputGradient = t.Arena.Mark(), r.in[0].Grad }

// leavePart is called when Backward has finished a part. It frees what Backward allocated since
// enterPart.
func leavePart(t *Tape, r *record) {
	t.callOnPartDone(r.number[0])
	if x := r.in[0]; !x.Grad.IsNone() && t.inputGradient.IsNone() && !t.reuseGradient(x, x.Grad, r.out) {
		return
	}
	t.Arena.Release(t.partMark)
}

// recomputePart runs a part again, on the Scratch tape, and computes its gradients.
func recomputePart(t *Tape, r *record) {
	x, y := r.in[0], r.out
	s := t.Scratch.restart(false, true)
	in := s.Constant(x.Value)
	in.needsGrad, in.Grad = x.NeedsGrad(), x.Grad
	s.Seed(r.part(s, in, r.ints[0]), y.Grad)
	s.Backward()
	if x.NeedsGrad() && x.Grad.IsNone() && !in.Grad.IsNone() && !t.reuseGradient(x, in.Grad, y) {
		t.Device.Copy(t.gradOf(x).Tensor, in.Grad)
	}
	t.callOnPartDone(r.number[0])
}

// callOnPartDone calls OnPartDone, if there is one.
func (t *Tape) callOnPartDone(part int) {
	if t.OnPartDone != nil {
		t.OnPartDone(part)
	}
}

// reuseGradient makes g the gradient of x, in the memory of y's gradient, which is no longer
// needed. It reports whether g has the size of that memory; if not, nothing is done.
func (t *Tape) reuseGradient(x *Var, g Tensor, y *Var) bool {
	if g.Len() != y.Grad.Len() {
		return false
	}
	if !g.StartsAt(y.Grad.Memory) {
		t.Device.Copy(y.Grad, g)
	}
	x.Grad = Tensor{Rows: g.Rows, Cols: g.Cols, Memory: y.Grad.Memory}
	return true
}
