package kernels

// Var is a value on a tape, and its gradient after Backward.
type Var struct {
	Value Tensor
	// Grad is the gradient of what was seeded. A parameter owns the memory of its gradient, and
	// every Backward adds to it. An Input's is in the arena, and none if nothing that was seeded
	// depends on it. That of a result belongs to the tape: Backward overwrites and reuses it.
	Grad Tensor
	// needsGrad reports whether the gradient is wanted.
	needsGrad, isParameter bool
	halfOnly               bool // only linear layers may read it
}

// NewParameter returns a value that is learned. Gradients are added to grad, which is zero at
// first. If grad is none, the parameter is not learned.
func NewParameter(value, grad Tensor) *Var {
	return &Var{Value: value, Grad: grad, needsGrad: !grad.IsNone(), isParameter: true}
}

// NeedsGrad reports whether Backward computes a gradient of v.
func (v *Var) NeedsGrad() bool { return v != nil && v.needsGrad }

// record is one operation that was done, with what its backward half needs.
type record struct {
	backward func(*Tape, *record)
	in       [4]*Var
	out      *Var
	saved    [2]Tensor
	ints     [5]Ints
	bytes    Bytes
	number   [4]int
	factor   [3]float64
	part     PartFunc
}

// Tape does operations on a device and records them. Its methods named after operations return the
// result. They panic if shapes do not fit, which is a mistake of the program, never of its input.
type Tape struct {
	Device Device
	Arena  *Arena
	// ForwardOnly leaves out what only Backward needs.
	ForwardOnly bool
	// Recompute says that the same was done before in this step: running averages are not updated.
	Recompute bool
	// Scratch is the tape on which a Part is done, and recomputed by Backward, so that only its
	// input and result are kept. Without one, everything is kept.
	Scratch *Tape
	// OnPartDone is called when the gradients of the parameters that only this part uses are final.
	// It may be nil.
	OnPartDone func(part int)
	// Parts has, for each part since Reset, how many elements of the arena were in use before and
	// after it.
	Parts [][2]int

	records       []record
	partMark      Mark    // of the arena, when Backward reached a part
	inputGradient Tensor  // the gradient that the part's input had then
	vars          [][]Var // blocks, so that pointers to a Var stay valid
	used          int
}

// NewTape returns a tape that takes its memory from an arena.
func NewTape(d Device, a *Arena) *Tape { return &Tape{Device: d, Arena: a} }

// Reset forgets all operations and values. The arena is not emptied.
func (t *Tape) Reset() { t.records, t.used, t.Parts = t.records[:0], 0, t.Parts[:0] }

// varBlock is how many values are allocated at a time.
const varBlock = 256

// Constant puts a value on the tape that needs no gradient.
func (t *Tape) Constant(value Tensor) *Var {
	if t.used/varBlock == len(t.vars) {
		t.vars = append(t.vars, make([]Var, varBlock))
	}
	v := &t.vars[t.used/varBlock][t.used%varBlock]
	t.used++
	*v = Var{Value: value}
	return v
}

// Input puts a value on the tape that needs a gradient.
func (t *Tape) Input(value Tensor) *Var {
	v := t.Constant(value)
	v.needsGrad = !t.ForwardOnly
	return v
}

// newResult returns a new value of the arena that depends on others.
func (t *Tape) newResult(rows, cols int, of ...*Var) *Var {
	return t.inheritGrad(t.Constant(t.Arena.Tensor(rows, cols)), of)
}

// newHalfResult returns a result that only linear layers will read. If the device uses bf16, it is
// half only.
func (t *Tape) newHalfResult(rows, cols int, of ...*Var) *Var {
	value := Tensor{Rows: rows, Cols: cols}
	if t.Device.UsesHalf() {
		value.Half = t.Arena.takeHalf(value.Len())
	} else {
		value = t.Arena.Tensor(rows, cols)
	}
	v := t.inheritGrad(t.Constant(value), of)
	v.halfOnly = true
	return v
}

// withHalf adds a Half to a result that linear layers will read too.
func (t *Tape) withHalf(v *Var) *Var {
	if t.Device.UsesHalf() {
		v.Value.Half = t.Arena.takeHalf(v.Value.Len())
	}
	return v
}

// inheritGrad marks v as needing a gradient if one of its inputs does.
func (t *Tape) inheritGrad(v *Var, of []*Var) *Var {
	for _, o := range of {
		checkShape(o == nil || !o.halfOnly, "a narrow value is read by what is no linear layer")
		v.needsGrad = v.needsGrad || o.NeedsGrad() && !t.ForwardOnly
	}
	return v
}

// newSaved takes memory for what the backward half will read; none if there is no backward half.
func (t *Tape) newSaved(of *Var, rows, cols int) Tensor {
	if !of.needsGrad {
		return Tensor{}
	}
	return t.Arena.Tensor(rows, cols)
}

// addRecord records an operation, if its gradient is needed.
func (t *Tape) addRecord(r record) *Var {
	if r.out.needsGrad {
		t.records = append(t.records, r)
	}
	return r.out
}

// gradOf returns where an operation puts the gradient of an input.
func (t *Tape) gradOf(v *Var) Grad {
	switch {
	case !v.NeedsGrad():
		return Grad{}
	case v.isParameter:
		return Grad{v.Grad, true}
	case v.Grad.IsNone():
		v.Grad = t.Arena.Tensor(v.Value.Rows, v.Value.Cols)
		return Grad{v.Grad, false}
	}
	return Grad{v.Grad, true}
}

// passGrad adds the gradient of an output to the gradient of an input of the same shape, or hands over its memory: the output's gradient is not needed after this.
func (t *Tape) passGrad(from, to *Var) {
	switch {
	case !to.NeedsGrad():
	case !to.isParameter && to.Grad.IsNone():
		to.Grad = from.Grad
	default:
		t.Device.AddScaled(to.Grad, from.Grad, 1)
	}
}

// Backward computes the gradients of all recorded values with respect to the sum of seeds: values
// that Seed gave a gradient, such as a loss with gradient 1. It is called once after each Reset.
func (t *Tape) Backward() {
	for i := len(t.records) - 1; i >= 0; i-- {
		if r := &t.records[i]; !r.out.Grad.IsNone() {
			r.backward(t, r)
		}
	}
}

// Seed sets the gradient of an output before Backward, which may overwrite that memory. If grad is
// none, the gradient is 1, for a loss [1, 1].
func (t *Tape) Seed(v *Var, grad Tensor) {
	if grad.IsNone() && v.Value.Len() == 1 {
		grad = t.Arena.Tensor(1, 1)
		t.Device.Fill(grad, 1)
	}
	checkShape(grad.Rows == v.Value.Rows && grad.Cols == v.Value.Cols, "a seed is not of the shape of its value")
	v.Grad = grad
}

// checkShape panics if a shape does not fit.
func checkShape(ok bool, what string) {
	if !ok {
		panic("kernels: " + what)
	}
}

// valueOf returns the value of an input that may be missing.
func valueOf(v *Var) Tensor {
	if v == nil {
		return Tensor{}
	}
	return v.Value
}
