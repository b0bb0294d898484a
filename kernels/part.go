package kernels

// Work makes a result of x and of parameters, and of nothing else that wants a
// gradient. starts are the sequences of x.
type Work func(t *Tape, x *Var, starts Ints) *Var

// Part does a part of the work, such as a block of a tower. What Backward takes for it
// is free once it is through it. Where the tape has a Scratch, nothing is kept but x
// and the result, and Backward does the part again (Chen et al. 2016): the same bits
// in less memory. Parts do not lie within parts.
func (t *Tape) Part(x *Var, starts Ints, do Work) *Var {
	before := t.Arena.Used()
	y := t.part(x, starts, do)
	t.Parts = append(t.Parts, [2]int{before, t.Arena.Used()})
	return y
}

func (t *Tape) part(x *Var, starts Ints, do Work) *Var {
	if t.Scratch == nil {
		first := len(t.records)
		t.records = append(t.records, record{})
		y := do(t, x, starts)
		if !y.needs {
			t.records = t.records[:first]
			return y
		}
		t.records[first] = record{backward: partDone, in: [4]*Var{x}, out: y, number: [4]int{len(t.Parts)}}
		t.records = append(t.records, record{backward: partReached, in: [4]*Var{x}, out: y})
		return y
	}
	s := t.Scratch.begin(true, t.Again)
	result := do(s, s.Constant(x.Value), starts)
	y := t.result(result.Value.Rows, result.Value.Cols, x)
	y.needs = !t.Forward
	t.Device.Copy(y.Value, result.Value)
	return t.push(record{backward: partAgain, in: [4]*Var{x}, out: y, ints: [5]Ints{starts}, part: do, number: [4]int{len(t.Parts)}})
}

// begin makes a tape ready for a part.
func (t *Tape) begin(forward, again bool) *Tape {
	t.Reset()
	t.Arena.Empty()
	t.Forward, t.Again = forward, again
	return t
}

// partReached is where Backward comes to a part, from its result.
func partReached(t *Tape, r *record) { t.begun, t.had = t.Arena.Mark(), r.in[0].Grad }

// partDone is where Backward is through a part: what it took is free.
func partDone(t *Tape, r *record) {
	t.through(r.number[0])
	if x := r.in[0]; !x.Grad.None() && t.had.None() && !t.keep(x, x.Grad, r.out) {
		return
	}
	t.Arena.Release(t.begun)
}

// partAgain does a part again, for its gradients.
func partAgain(t *Tape, r *record) {
	x, y := r.in[0], r.out
	s := t.Scratch.begin(false, true)
	in := s.Constant(x.Value)
	in.needs, in.Grad = x.Needs(), x.Grad
	s.Seed(r.part(s, in, r.ints[0]), y.Grad)
	s.Backward()
	if x.Needs() && x.Grad.None() && !in.Grad.None() && !t.keep(x, in.Grad, y) {
		t.Device.Copy(t.grad(x).Tensor, in.Grad)
	}
	t.through(r.number[0])
}

// through tells of a part.
func (t *Tape) through(part int) {
	if t.Through != nil {
		t.Through(part)
	}
}

// keep makes g the gradient of x, in the memory that the gradient of y had, which
// nobody needs any more; false where it does not fit there.
func (t *Tape) keep(x *Var, g Tensor, y *Var) bool {
	if g.Len() != y.Grad.Len() {
		return false
	}
	if !g.At(y.Grad.Memory) {
		t.Device.Copy(y.Grad, g)
	}
	x.Grad = Tensor{Rows: g.Rows, Cols: g.Cols, Memory: y.Grad.Memory}
	return true
}
