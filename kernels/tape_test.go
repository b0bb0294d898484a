package kernels_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/kernels"
)

func TestFrozenParametersHaveNoGradient(t *testing.T) {
	tape := plain()
	w := kernels.NewParameter(place(tape.Device, 2, 2, []float64{1, 2, 3, 4}), kernels.Tensor{})
	x := tape.Input(place(tape.Device, 1, 2, []float64{1, 1}))
	y := tape.Linear(x, w, nil, nil, kernels.NoActivation)
	tape.Seed(y, place(tape.Device, 1, 2, []float64{1, 1}))
	tape.Backward()
	if w.NeedsGrad() || !w.Grad.IsNone() || !slices.Equal(x.Grad.F64, []float64{4, 6}) {
		t.Errorf("the frozen weights have a gradient %v, their input %v", w.Grad.F64, x.Grad.F64)
	}
}

func TestNothingNeedsAGradientOnAForwardTape(t *testing.T) {
	for _, of := range []func(*kernels.Tape, *kernels.Var) *kernels.Var{
		func(t *kernels.Tape, p *kernels.Var) *kernels.Var { return t.Normalize(p) },
		func(t *kernels.Tape, p *kernels.Var) *kernels.Var {
			return t.Sum([]*kernels.Var{p, p}, []float64{1, 1})
		},
	} {
		tape := plain()
		tape.ForwardOnly = true
		p := kernels.NewParameter(place(tape.Device, 1, 2, []float64{3, 4}), place(tape.Device, 1, 2, []float64{0, 0}))
		y := of(tape, p)
		used := tape.Arena.Used()
		tape.Seed(y, place(tape.Device, 1, 2, []float64{1, 1}))
		tape.Backward()
		if y.NeedsGrad() || !slices.Equal(p.Grad.F64, []float64{0, 0}) || tape.Arena.Used() != used || used != 32 {
			t.Errorf("a forward tape made the gradient %v and took %d elements", p.Grad.F64, used)
		}
	}
}

func TestParametersAddUpOverSteps(t *testing.T) {
	tape := plain()
	p := kernels.NewParameter(place(tape.Device, 1, 1, []float64{5}), place(tape.Device, 1, 1, []float64{0}))
	for range 3 {
		tape.Reset()
		tape.Arena.Reset()
		tape.Seed(tape.Sum([]*kernels.Var{p}, []float64{2}), kernels.Tensor{})
		tape.Backward()
	}
	if p.Grad.F64[0] != 6 {
		t.Errorf("three gradients of 2 are %v", p.Grad.F64[0])
	}
}

// What no loss depends on has no gradient, and its operations are not undone.
func TestWhatWasNotSeededHasNoGradient(t *testing.T) {
	tape := plain()
	x, z := tape.Input(place(tape.Device, 1, 2, []float64{3, 4})), tape.Input(place(tape.Device, 1, 2, []float64{3, 4}))
	tape.Normalize(z)
	loss := tape.Sum([]*kernels.Var{tape.Normalize(x), tape.Normalize(z)}, []float64{1, 0})
	tape.Seed(loss, place(tape.Device, 1, 2, []float64{1, 0}))
	tape.Backward()
	if x.Grad.IsNone() || !z.Grad.IsNone() {
		t.Errorf("the gradients are %v and %v", x.Grad, z.Grad)
	}
}

// A chain of residuals hands one gradient on: what is added to it for one value
// is not seen by another.
func TestResidualsShareNoGradient(t *testing.T) {
	tape := plain()
	w := place(tape.Device, 1, 1, []float64{10})
	a := tape.Input(place(tape.Device, 1, 1, []float64{1}))
	weight := tape.Input(w)
	b := tape.Linear(a, weight, nil, a, kernels.NoActivation)                                                     // 11 a
	c := tape.Linear(tape.Constant(place(tape.Device, 1, 1, []float64{7})), weight, nil, b, kernels.NoActivation) // 70 + b
	d := tape.Linear(b, weight, nil, c, kernels.NoActivation)                                                     // 10 b + c
	loss := tape.Sum([]*kernels.Var{d, b, c}, []float64{1, 100, 1000})
	tape.Seed(loss, kernels.Tensor{})
	tape.Backward()
	// loss = 11 b + 70 + 100 b + 1000 (70 + b), with b = 11 a.
	if got := a.Grad.F64[0]; got != 11*1111 {
		t.Errorf("the gradient is %v, want %v", got, 11*1111)
	}
	// With w: b' = a, c' = 7 + b', d' = b + w b' + c'.
	if got, want := weight.Grad.F64[0], float64(11+10+8+100+1000*8); got != want {
		t.Errorf("the gradient of the weight is %v, want %v", got, want)
	}
}

func TestShapesThatDoNotFit(t *testing.T) {
	for want, mistake := range map[string]func(t shapes){
		"weights do not fit":    func(t shapes) { t.Linear(t.matrix(2, 3), t.matrix(4, 2), nil, nil, 0) },
		"bias does not fit":     func(t shapes) { t.Linear(t.matrix(2, 3), t.matrix(4, 3), t.matrix(1, 3), nil, 0) },
		"residual does not fit": func(t shapes) { t.Linear(t.matrix(2, 3), t.matrix(4, 3), nil, t.matrix(2, 3), 0) },
		"gain or bias":          func(t shapes) { t.LayerNorm(t.matrix(2, 3), t.matrix(1, 3), t.matrix(1, 2), 1e-5) },
		"one gain a column":     func(t shapes) { t.LayerScale(t.matrix(2, 3), t.matrix(1, 2), t.matrix(2, 3)) },
		"not fit its residual":  func(t shapes) { t.LayerScale(t.matrix(2, 3), t.matrix(1, 3), t.matrix(1, 3)) },
		"norm's gain or bias":   func(t shapes) { t.BatchNorm(t.matrix(2, 3), t.matrix(1, 2), t.matrix(1, 3), nil, t.averages(3)) },
		"averages do not fit":   func(t shapes) { t.BatchNorm(t.matrix(2, 3), t.matrix(1, 3), t.matrix(1, 3), nil, t.averages(2)) },
		"running averages has no": func(t shapes) {
			t.InferenceBatchNorm(t.matrix(2, 3), t.matrix(1, 3), t.matrix(1, 3), nil, t.averages(3))
		},
		"has no place in them": func(t shapes) {
			t.Convolution(t.matrix(4, 1), t.matrix(2, 9), kernels.Window{Side: 2, Kernel: 3, Stride: 1})
		},
		"kernels do not fit": func(t shapes) {
			t.Convolution(t.matrix(4, 1), t.matrix(2, 8), kernels.Window{Side: 2, Kernel: 3, Stride: 1, Padding: 1})
		},
		"pixels are no whole images": func(t shapes) { t.AveragePool(t.matrix(5, 1), 2, 2) },
		"no multiple of its heads":   func(t shapes) { t.Attention(t.matrix(2, 9), t.ints(0, 2), 2, true) },
		"sequences are not the rows": func(t shapes) { t.Attention(t.matrix(2, 6), t.ints(1, 2), 2, true) },
		"row is gathered":            func(t shapes) { t.Gather(t.matrix(2, 6), t.ints(2), kernels.Groups{}) },
		"not grouped":                func(t shapes) { t.Gather(t.matrix(2, 6), t.ints(1), kernels.Groups{}) },
		"longer than the context": func(t shapes) {
			t.Tokens(t.matrix(5, 2), t.matrix(2, 2), t.ints(0, 1, 2), t.ints(0, 3), kernels.Groups{})
		},
		"not of the vocabulary": func(t shapes) {
			t.Tokens(t.matrix(2, 2), t.matrix(5, 2), t.ints(0, 1, 2), t.ints(0, 3), kernels.Groups{})
		},
		"no whole images": func(t shapes) { t.Vision(t.matrix(5, 2), t.matrix(1, 2), t.matrix(3, 2)) },
		"bias is no single number": func(t shapes) {
			t.SigmoidContrastive(t.matrix(2, 3), t.matrix(1, 2), t.Device.Bytes(make([]byte, 6)), 1)
		},
		"several widths":        func(t shapes) { t.Vision(t.matrix(4, 2), t.matrix(1, 3), t.matrix(3, 2)) },
		"cannot be compared":    func(t shapes) { t.Similarity(t.matrix(2, 3), t.matrix(2, 2), t.matrix(1, 1)) },
		"mask does not fit the": func(t shapes) { t.PairContrastive(t.matrix(2, 3), t.Device.Bytes(make([]byte, 6)), 4, 1, 1) },
		"mask does not fit":     func(t shapes) { t.Contrastive(t.matrix(2, 3), t.Device.Bytes(make([]byte, 5)), 2, 1, 1) },
		"ordered by row": func(t shapes) {
			t.Hinge(t.matrix(2, 3), t.matrix(1, 1).Value, t.ints(1, 0), t.ints(0, 0), t.ints(1, 1), t.ints(0, 0), 1)
		},
		"no text or of no kind": func(t shapes) {
			t.Hinge(t.matrix(2, 3), t.matrix(1, 1).Value, t.ints(0), t.ints(0), t.ints(1), t.ints(1), 1)
		},
		"segments are not the values":  func(t shapes) { t.SegmentLSE(t.matrix(1, 3), t.ints(0, 3, 2, 3)) },
		"focal segments are not the":   func(t shapes) { t.SegmentFocal(t.matrix(1, 3), t.ints(0, 2), 1, 2, 0) },
		"exponent has no finite slope": func(t shapes) { t.SegmentFocal(t.matrix(1, 3), t.ints(0, 3), 1, 0.5, 0) },
		"smoothing is no share":        func(t shapes) { t.SegmentFocal(t.matrix(1, 3), t.ints(0, 3), 1, 2, 1) },
		"graphs are not the queries":   func(t shapes) { t.Slots(t.matrix(2, 3), t.ints()) },
		"factors of a product":         func(t shapes) { t.Product(t.matrix(2, 3), t.matrix(2, 3), nil, kernels.NoActivation) },
		"added to a product":           func(t shapes) { t.Product(t.matrix(2, 3), t.matrix(3, 2), t.matrix(3, 2), kernels.GELU) },
		"graphs are not all nodes": func(t shapes) {
			t.Score(t.matrix(1, 3), t.matrix(1, 0), t.matrix(1, 2), t.matrix(1, 1), t.ints(0, 2), t.ints(0, 0))
		},
		"other graphs than relations": func(t shapes) {
			t.Score(t.matrix(1, 3), t.matrix(1, 0), t.matrix(1, 2), t.matrix(1, 1), t.ints(0, 3), t.ints(0, 0, 0))
		},
		"cannot be one matrix":     func(t shapes) { t.Stack(t.matrix(2, 3), t.matrix(2, 2)) },
		"sum are not its weights":  func(t shapes) { t.Sum(nil, nil) },
		"sum is of several rows":   func(t shapes) { t.SumRow(t.matrix(2, 3), 1) },
		"seed is not of the shape": func(t shapes) { t.Seed(t.Normalize(t.matrix(2, 3)), kernels.Tensor{}) },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "kernels: ") || !strings.Contains(got, want) {
					t.Errorf("%q does not say %q", got, want)
				}
			}()
			mistake(shapes{plain()})
		})
	}
}

// shapes is a tape with inputs of which only the shape matters.
type shapes struct{ *kernels.Tape }

func (t shapes) matrix(rows, cols int) *kernels.Var { return t.Input(t.Arena.Tensor(rows, cols)) }

func (t shapes) averages(w int) kernels.Normalisation {
	return kernels.Normalisation{Mean: t.Arena.Tensor(1, w), Variance: t.Arena.Tensor(1, w)}
}

func (t shapes) ints(v ...int32) kernels.Ints { return t.Device.Ints(v) }

func TestALossOfNaNIsNaN(t *testing.T) {
	tape := plain()
	s := tape.Input(place(tape.Device, 2, 2, []float64{1, 0, 0, math.NaN()}))
	loss := tape.Contrastive(s, tape.Device.Bytes([]byte{1, 0, 0, 1}), 2, 1, 1)
	tape.Seed(loss, kernels.Tensor{})
	tape.Backward()
	if !math.IsNaN(loss.Value.F64[0]) || !math.IsNaN(s.Grad.F64[3]) {
		t.Errorf("a NaN among the similarities gives the loss %v and the gradient %v", loss.Value.F64[0], s.Grad.F64)
	}
}
