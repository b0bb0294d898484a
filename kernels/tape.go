package kernels

// Var is a value on a tape and, after Backward, its gradient.
type Var struct {
	Value Tensor
	// Grad is the gradient of the seeded values with respect to Value. A parameter owns the memory of its gradient, and
	// every Backward adds to it. The gradient of an Input is in the arena, and none if no seeded value depends on it.
	// The gradient of a result belongs to the tape: Backward overwrites and reuses it.
	Grad Tensor
	// needsGrad reports whether the gradient is wanted.
	needsGrad, isParameter bool
	halfOnly               bool // only linear layers may read the value
}

// NewParameter returns a parameter. Gradients are added to grad, which is zero at first. If grad is none, the parameter
// is frozen.
func NewParameter(value, grad Tensor) *Var {
	return &Var{Value: value, Grad: grad, needsGrad: !grad.IsNone(), isParameter: true}
}

// NeedsGrad reports whether Backward computes a gradient of v.
func (v *Var) NeedsGrad() bool { return v != nil && v.needsGrad }

// record is one executed operation, with what its backward half needs.
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

// Tape executes operations on a device and records them for Backward. Its methods are named after the operations and
// return the results. They panic if shapes do not fit, which is an error of the program, never of its input.
type Tape struct {
	Device Device
	Arena  *Arena
	// ForwardOnly says that Backward will not be called: what only it needs is not kept.
	ForwardOnly bool
	// Recompute says that the same operations were executed before in this step, so running averages are not updated
	// again.
	Recompute bool
	// Scratch is the tape on which a Part runs and is recomputed by Backward, so that only its input and result are
	// kept. If nil, all values are kept.
	Scratch *Tape
	// OnPartDone is called when the gradients of the parameters that only this part uses are final. It may be nil. part
	// is an index of Parts.
	OnPartDone func(part int)
	// Parts has, for each part since Reset, how many elements of the arena were in use before and
	// after it.
	Parts [][2]int

	records       []record
	partMark      Mark    // position of the arena when Backward began a part
	inputGradient Tensor  // the gradient that the part's input had at that time
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

// newResult allocates a result of an operation on the values of. It needs a gradient if one of them does.
func (t *Tape) newResult(rows, cols int, of ...*Var) *Var {
	return t.inheritGrad(t.Constant(t.Arena.Tensor(rows, cols)), of)
}

// newHalfResult allocates a result that only linear layers will read. If the device uses bf16, it is half-only.
func (t *Tape) newHalfResult(rows, cols int, of ...*Var) *Var {
	value := Tensor{Rows: rows, Cols: cols}
	if t.Device.UsesHalf() {
		value.Half = t.Arena.allocHalf(value.Len())
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
		v.Value.Half = t.Arena.allocHalf(v.Value.Len())
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

// newSaved allocates a tensor that the backward half of the result of will read; none if that needs no gradient.
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

// gradOf returns where an operation writes the gradient of an input; none if the input needs no gradient.
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

// passGrad adds from.Grad, the gradient of an output, to to.Grad, that of an input of the same shape. If to.Grad is
// none, it becomes from.Grad, whose memory is not needed any more.
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

// checkShape panics with the message what unless ok is true.
func checkShape(ok bool, what string) {
	if !ok {
		panic("kernels: " + what)
	}
}

// valueOf returns the value of v, or no tensor if v is nil.
func valueOf(v *Var) Tensor {
	if v == nil {
		return Tensor{}
	}
	return v.Value
}
