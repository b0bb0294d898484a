package kernels

import "math"

// Activation is the function that a linear layer applies to its sums.
type Activation int

// The activations of CLIP: none, GELU with erf (Hendrycks and Gimpel 2016), and
// x·σ(1.702·x), of OpenAI's weights.
const (
	NoActivation Activation = iota
	GELU
	QuickGELU
)

type linearOps interface {
	// Linear computes y = act(x·wᵀ + b) + residual: x [n, in], w [out, in], b [1, out], residual
	// and y [n, out]. b and residual may be none; x may be half-only, and so may y if there is an
	// activation. If there is an activation, pre [n, out], or none, keeps x·wᵀ + b.
	Linear(y, pre, x, w, b, residual Tensor, act Activation)
	// LinearBackward computes the gradients of x, w and b from dy [n, out]. Each may be none. If
	// there is an activation, pre is overwritten.
	LinearBackward(dx, dw, db Grad, dy, pre, x, w Tensor, act Activation)
}

// Linear returns act(x·wᵀ + b) + residual, of x [n, in], w [out, in], b [1, out] or nil, residual
// [n, out] or nil.
func (t *Tape) Linear(x, w, b, residual *Var, act Activation) *Var {
	return t.linear(t.newResult(x.Value.Rows, w.Value.Rows, w, b, residual), x, w, b, residual, act)
}

// HiddenLinear returns act(x·wᵀ + b). There is an activation, and only linear layers may read the
// result.
func (t *Tape) HiddenLinear(x, w, b *Var, act Activation) *Var {
	return t.linear(t.newHalfResult(x.Value.Rows, w.Value.Rows, w, b), x, w, b, nil, act)
}

func (t *Tape) linear(y, x, w, b, residual *Var, act Activation) *Var {
	n, out := x.Value.Rows, w.Value.Rows
	checkShape(x.Value.Cols == w.Value.Cols, "a linear layer's weights do not fit its input")
	checkShape(b == nil || b.Value.Len() == out, "a linear layer's bias does not fit its weights")
	checkShape(residual == nil || residual.Value.Rows == n && residual.Value.Cols == out, "a residual does not fit")
	y.needsGrad = y.needsGrad || x.NeedsGrad() && !t.ForwardOnly
	r := record{backward: linearBackward, in: [4]*Var{x, w, b, residual}, out: y, number: [4]int{int(act)}}
	if act != NoActivation {
		r.saved[0] = t.newSaved(y, n, out)
	}
	t.Device.Linear(y.Value, r.saved[0], x.Value, w.Value, valueOf(b), valueOf(residual), act)
	return t.addRecord(r)
}

func linearBackward(t *Tape, r *record) {
	x, w, b := r.in[0], r.in[1], r.in[2]
	t.Device.LinearBackward(t.gradOf(x), t.gradOf(w), t.gradOf(b), r.out.Grad, r.saved[0], x.Value, w.Value, Activation(r.number[0]))
	if r.in[3] != nil {
		t.passGrad(r.out, r.in[3])
	}
}

// Linear implements Device.
func (*Reference) Linear(y, pre, x, w, b, residual Tensor, act Activation) {
	for i := range x.Rows {
		for o := range w.Rows {
			s := dot(x.row(i), w.row(o))
			if !b.IsNone() {
				s += b.F64[o]
			}
			at := i*y.Cols + o
			if !pre.IsNone() {
				pre.F64[at] = s
			}
			s = act.apply(s)
			if !residual.IsNone() {
				s += residual.F64[at]
			}
			y.F64[at] = s
		}
	}
}

// LinearBackward implements Device.
func (*Reference) LinearBackward(dx, dw, db Grad, dy, pre, x, w Tensor, act Activation) {
	ds := act.backward(dy, pre)
	if !dx.IsNone() {
		for i := range x.Rows {
			for k := range x.Cols {
				var s float64
				for o := range w.Rows {
					s += ds.F64[i*ds.Cols+o] * w.F64[o*w.Cols+k]
				}
				dx.store(i*x.Cols+k, s)
			}
		}
	}
	for o := range w.Rows {
		if !db.IsNone() {
			var s float64
			for i := range x.Rows {
				s += ds.F64[i*ds.Cols+o]
			}
			db.store(o, s)
		}
		if dw.IsNone() {
			continue
		}
		for k := range w.Cols {
			var s float64
			for i := range x.Rows {
				s += ds.F64[i*ds.Cols+o] * x.F64[i*x.Cols+k]
			}
			dw.store(o*w.Cols+k, s)
		}
	}
}

// apply returns the activation of x.
func (a Activation) apply(x float64) float64 {
	switch a {
	case GELU:
		return x * 0.5 * (1 + math.Erf(x/math.Sqrt2))
	case QuickGELU:
		return x / (1 + math.Exp(-1.702*x))
	}
	return x
}

// derivative returns the derivative of the activation at x.
func (a Activation) derivative(x float64) float64 {
	switch a {
	case GELU:
		return 0.5*(1+math.Erf(x/math.Sqrt2)) + x*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)
	case QuickGELU:
		s := 1 / (1 + math.Exp(-1.702*x))
		return s + x*1.702*s*(1-s)
	}
	return 1
}

// backward returns the gradient of the activation's input, given that of its output. It overwrites
// pre, except without an activation.
func (a Activation) backward(dy, pre Tensor) Tensor {
	if a == NoActivation {
		return dy
	}
	for i, s := range pre.F64 {
		pre.F64[i] = dy.F64[i] * a.derivative(s)
	}
	return pre
}
