package kernels

// Var is a value on a tape, and its gradient once Backward has it.
type Var struct {
	Value Tensor
	// Grad is the gradient of what Backward was asked for. Of a parameter it is
	// memory of its own, to which every Backward adds; of an Input it is of the
	// arena, and none where nothing that was seeded depends on it. Of a result it is
	// the tape's: Backward overwrites it and hands it on once it is used.
	Grad Tensor
	// needs says whether anybody wants the gradient.
	needs, param bool
	narrow       bool // linear layers alone may read it
}

// NewParameter returns a value that is learned: gradients are added to grad,
// which is zero at first; a grad that is None leaves the parameter as it is.
func NewParameter(value, grad Tensor) *Var {
	return &Var{Value: value, Grad: grad, needs: !grad.None(), param: true}
}

// Needs says whether Backward will make a gradient of it.
func (v *Var) Needs() bool { return v != nil && v.needs }

// record is one operation that was done: what its backward half needs.
type record struct {
	backward func(*Tape, *record)
	in       [4]*Var
	out      *Var
	saved    [2]Tensor
	ints     [5]Ints
	bytes    Bytes
	number   [4]int
	factor   [2]float64
	part     Work
}

// Tape does operations on a device and remembers them. Its methods named after
// operations return the result; they panic where shapes do not fit, which is a
// mistake of the program, never of its input.
type Tape struct {
	Device Device
	Arena  *Arena
	// Forward leaves out all that only Backward needs.
	Forward bool
	// Again says that all of it was done before in the same step: running averages stay.
	Again bool
	// Scratch is where the work of a Part is done, and done again by Backward, so that
	// no more of it is kept than its input and its result. Without one, all is kept.
	Scratch *Tape
	// Through is told where Backward is through a part: it has taken back all that
	// comes after the part's input, so that nothing is added any more to the gradients of
	// parameters that are there alone. nil for nobody.
	Through func(part int)
	// Parts tell, part after part since Reset, how much of the arena was in use before
	// and after it, in elements.
	Parts [][2]int

	records []record
	begun   Mark    // of the arena, where Backward came to a part
	had     Tensor  // the gradient that the part's input had then
	vars    [][]Var // blocks, so that a Var stays where it is
	used    int
}

// NewTape returns a tape that takes its memory from an arena.
func NewTape(d Device, a *Arena) *Tape { return &Tape{Device: d, Arena: a} }

// Reset forgets all operations and values; the arena is not emptied.
func (t *Tape) Reset() { t.records, t.used, t.Parts = t.records[:0], 0, t.Parts[:0] }

// varBlock is how many values are allocated at a time.
const varBlock = 256

// Constant puts a value on the tape of which nobody wants a gradient.
func (t *Tape) Constant(value Tensor) *Var {
	if t.used/varBlock == len(t.vars) {
		t.vars = append(t.vars, make([]Var, varBlock))
	}
	v := &t.vars[t.used/varBlock][t.used%varBlock]
	t.used++
	*v = Var{Value: value}
	return v
}

// Input puts a value on the tape of which the gradient is wanted.
func (t *Tape) Input(value Tensor) *Var {
	v := t.Constant(value)
	v.needs = !t.Forward
	return v
}

// result is a new value of the arena that depends on others.
func (t *Tape) result(rows, cols int, of ...*Var) *Var {
	return t.depends(t.Constant(t.Arena.Tensor(rows, cols)), of)
}

// narrow is a result that linear layers alone will read: where the device halves,
// it is a narrow tensor.
func (t *Tape) narrow(rows, cols int, of ...*Var) *Var {
	value := Tensor{Rows: rows, Cols: cols}
	if t.Device.Halves() {
		value.Half = t.Arena.half(value.Len())
	} else {
		value = t.Arena.Tensor(rows, cols)
	}
	v := t.depends(t.Constant(value), of)
	v.narrow = true
	return v
}

// halved adds to a result, which linear layers will read too, its Half.
func (t *Tape) halved(v *Var) *Var {
	if t.Device.Halves() {
		v.Value.Half = t.Arena.half(v.Value.Len())
	}
	return v
}

func (t *Tape) depends(v *Var, of []*Var) *Var {
	for _, o := range of {
		check(o == nil || !o.narrow, "a narrow value is read by what is no linear layer")
		v.needs = v.needs || o.Needs() && !t.Forward
	}
	return v
}

// save takes memory for what the backward half will read; none where there will
// be none.
func (t *Tape) save(of *Var, rows, cols int) Tensor {
	if !of.needs {
		return Tensor{}
	}
	return t.Arena.Tensor(rows, cols)
}

// push remembers an operation, where its gradient is wanted.
func (t *Tape) push(r record) *Var {
	if r.out.needs {
		t.records = append(t.records, r)
	}
	return r.out
}

// grad says where an operation puts the gradient of an input.
func (t *Tape) grad(v *Var) Grad {
	switch {
	case !v.Needs():
		return Grad{}
	case v.param:
		return Grad{v.Grad, true}
	case v.Grad.None():
		v.Grad = t.Arena.Tensor(v.Value.Rows, v.Value.Cols)
		return Grad{v.Grad, false}
	}
	return Grad{v.Grad, true}
}

// pass adds the gradient of an output to that of an input of the same shape,
// or hands its memory on: the output's is needed by nobody after this.
func (t *Tape) pass(from, to *Var) {
	switch {
	case !to.Needs():
	case !to.param && to.Grad.None():
		to.Grad = from.Grad
	default:
		t.Device.AddScaled(to.Grad, from.Grad, 1)
	}
}

// Backward computes the gradients of all that was recorded, of the sum of
// seeds: values that Seed gave a gradient, as a loss of gradient 1. It is called
// once for what was recorded since Reset.
func (t *Tape) Backward() {
	for i := len(t.records) - 1; i >= 0; i-- {
		if r := &t.records[i]; !r.out.Grad.None() {
			r.backward(t, r)
		}
	}
}

// Seed sets the gradient of an output before Backward, which may overwrite that
// memory; 1 where grad is none, of a loss [1, 1].
func (t *Tape) Seed(v *Var, grad Tensor) {
	if grad.None() && v.Value.Len() == 1 {
		grad = t.Arena.Tensor(1, 1)
		t.Device.Fill(grad, 1)
	}
	check(grad.Rows == v.Value.Rows && grad.Cols == v.Value.Cols, "a seed is not of the shape of its value")
	v.Grad = grad
}

// check is what every operation asks of its shapes.
func check(ok bool, what string) {
	if !ok {
		panic("kernels: " + what)
	}
}

// tensorOf is the value of an input that may be missing.
func tensorOf(v *Var) Tensor {
	if v == nil {
		return Tensor{}
	}
	return v.Value
}
