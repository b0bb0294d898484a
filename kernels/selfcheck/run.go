package selfcheck

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"capgraph/kernels"
)

// Test has the methods of *testing.T that Run needs, so that programs can import this package
// without package testing.
type Test interface {
	Helper()
	Error(...any)
}

// Bounds are the largest allowed differences from the plain device, as ‖Δ‖/‖reference‖.
type Bounds struct{ Value, Gradient float64 }

// Run runs every case on a new device, with 1, 2, 3 and 8 processors. The test fails if a result is
// out of bounds, if its bits depend on the number of processors, if an operation changes its
// inputs, or if a NaN in the inputs does not show in the results. Memory is full of NaN before each
// case.
func Run(t Test, device func() kernels.Device, bounds Bounds) {
	t.Helper()
	for _, why := range findFailures(Cases(), device, bounds) {
		t.Error(why)
	}
}

func findFailures(cases []Case, device func() kernels.Device, bounds Bounds) (failed []string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := make([][]result, len(cases))
	for _, processors := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(processors)
		d := device()
		for i, c := range cases {
			got := c.results(d)
			if first[i] == nil {
				first[i] = got
				for _, why := range outOfBounds(got, c.results(kernels.NewReference()), bounds) {
					failed = append(failed, fmt.Sprintf("%s: %s: %s", d.Name(), c.Name, why))
				}
				if c.hidesNaN(d) {
					failed = append(failed, fmt.Sprintf("%s: %s: a NaN of the first input is in no value", d.Name(), c.Name))
				}
			}
			if other := firstDifference(got, first[i]); other != "" {
				failed = append(failed, fmt.Sprintf("%s: %s: %s has other bits with %d processors than with one", d.Name(), c.Name, other, processors))
			}
		}
		if err := d.Close(); err != nil {
			failed = append(failed, err.Error())
		}
	}
	return failed
}

// result is one matrix that a case computed.
type result struct {
	of      kind
	index   int
	way     string
	numbers []float64
	seed    []float64 // the seeded gradient of a value; nil if there is none
}

// kind is the kind of a result.
type kind string

const (
	valueOf    kind = "value"
	gradientOf kind = "gradient of input"
	inputOf    kind = "afterwards, input" // the input after the operation, which must be unchanged
)

func (r result) String() string { return fmt.Sprintf("%s: %s %d", r.way, r.of, r.index) }

// results runs the case forward only, with all gradients, with gradients that are added, and with
// each single gradient.
func (c Case) results(d kernels.Device) []result {
	out := c.runOnce(d, pass{name: "forward", forward: true})
	if c.NoGradient {
		return out
	}
	out = append(out, c.runOnce(d, pass{name: "all gradients", only: -1})...)
	out = append(out, c.runOnce(d, pass{name: "gradients added, twice over", only: -1, parameters: true})...)
	if len(c.Inputs) > 1 {
		for i, in := range c.Inputs {
			if !in.Fixed {
				out = append(out, c.runOnce(d, pass{name: fmt.Sprintf("only the gradient of input %d", i), only: i})...)
			}
		}
	}
	return out
}

// hidesNaN reports whether a NaN in the first input gives a NaN in the results of the plain device,
// but not of d. A training would then continue with wrong numbers.
func (c Case) hidesNaN(d kernels.Device) bool {
	if len(c.Inputs) == 0 || c.Inputs[0].Rows*c.Inputs[0].Cols == 0 {
		return false
	}
	seen := func(d kernels.Device) bool {
		for _, r := range c.runOnce(d, pass{forward: true, offset: math.NaN()}) {
			if r.of == valueOf && slices.ContainsFunc(r.numbers, math.IsNaN) {
				return true
			}
		}
		return false
	}
	return seen(kernels.NewReference()) && !seen(d)
}

// pass says how to run a case.
type pass struct {
	name string
	// forward says that no gradients are computed; only is the one input whose gradient is
	// computed, −1 for all.
	forward bool
	only    int
	// parameters says that the inputs are parameters, to whose gradients two operations add.
	parameters bool
	// offset is added to the given element of the given input.
	offset         float64
	input, element int
}

// runOnce runs the case as w says. All memory except the inputs is NaN before, so that reads of
// memory that was not written show.
func (c Case) runOnce(d kernels.Device, w pass) []result {
	plan := &kernels.CountingDevice{ElementSize: d.ElementBytes(), WithHalf: d.UsesHalf()}
	planned := kernels.NewCountingArena(plan)
	c.runOnTape(plan, planned, w)
	arena := kernels.NewArena(d, planned.Peak())
	defer arena.Free()
	whole := arena.Tensor(1, planned.Peak())
	writeTensor(d, whole, repeated(whole.Len(), math.NaN()))
	arena.Reset()
	return c.runOnTape(d, arena, w)
}

// runOnTape runs the case on a tape.
func (c Case) runOnTape(d kernels.Device, arena *kernels.Arena, w pass) (out []result) {
	t := kernels.NewTape(d, arena)
	t.ForwardOnly = w.forward
	defer d.Reset()
	in := make([]*kernels.Var, len(c.Inputs))
	for i, shape := range c.Inputs {
		value := arena.Tensor(shape.Rows, shape.Cols)
		numbers := shape.randomNumbers(uint64(i))
		if w.offset != 0 && w.input == i {
			numbers[w.element] += w.offset
		}
		writeTensor(d, value, numbers)
		switch {
		case shape.Fixed || w.only >= 0 && w.only != i:
			in[i] = t.Constant(value)
		case w.parameters:
			grad := arena.Tensor(shape.Rows, shape.Cols)
			writeTensor(d, grad, initialGradient(shape, i))
			in[i] = kernels.NewParameter(value, grad)
		default:
			in[i] = t.Input(value)
		}
	}
	values := c.Apply(t, in)
	if w.parameters {
		values = append(values, c.Apply(t, in)...)
	}
	for i, v := range values {
		r := result{of: valueOf, index: i, way: w.name, numbers: readTensor(d, v.Value)}
		if v.NeedsGrad() {
			r.seed = matrixInput(v.Value.Rows, v.Value.Cols).randomNumbers(uint64(200 + i))
			seed := arena.Tensor(v.Value.Rows, v.Value.Cols)
			writeTensor(d, seed, r.seed)
			t.Seed(v, seed)
		}
		out = append(out, r)
	}
	t.Backward()
	for i, v := range in {
		if v.NeedsGrad() {
			grad := make([]float64, v.Value.Len()) // zero where nothing depended on it
			if !v.Grad.IsNone() {
				grad = readTensor(d, v.Grad)
			}
			out = append(out, result{of: gradientOf, index: i, way: w.name, numbers: grad})
		}
		if !c.NoGradient {
			out = append(out, result{of: inputOf, index: i, way: w.name, numbers: readTensor(d, v.Value)})
		}
	}
	return out
}

// initialGradient returns the gradient that a parameter has before the operation.
func initialGradient(in Input, index int) []float64 {
	return matrixInput(in.Rows, in.Cols).randomNumbers(uint64(100 + index))
}

// outOfBounds lists the results that are out of bounds of the reference.
func outOfBounds(got, want []result, b Bounds) (why []string) {
	for i, g := range got {
		most := b.Value
		switch g.of {
		case gradientOf:
			most = b.Gradient
		case inputOf:
			most = 0
		}
		if d := Distance(g.numbers, want[i].numbers); !(d <= most) {
			why = append(why, fmt.Sprintf("%v is %.3g from the reference, more than %.3g", g, d, most))
		}
	}
	return why
}

// Distance returns ‖got − want‖ / ‖want‖, or NaN if either has a NaN or if the lengths differ. If
// want is almost zero, such as a gradient of rounding errors, the divisor is the norm of elements
// of 1e-3.
func Distance(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.NaN()
	}
	var difference, length float64
	for i, w := range want {
		difference += (got[i] - w) * (got[i] - w)
		length += w * w
	}
	if len(want) == 0 {
		return 0
	}
	return math.Sqrt(difference / max(length, 1e-6*float64(len(want))))
}

// firstDifference names the first result with different bits; "" if there is none.
func firstDifference(a, b []result) string {
	for i := range a {
		for k, v := range a[i].numbers {
			if math.Float64bits(v) != math.Float64bits(b[i].numbers[k]) {
				return a[i].String()
			}
		}
	}
	return ""
}

func writeTensor(d kernels.Device, t kernels.Tensor, from []float64) {
	if t.Len() > 0 {
		d.Write(t, from)
	}
}

func readTensor(d kernels.Device, t kernels.Tensor) []float64 {
	out := make([]float64, t.Len())
	if t.Len() > 0 {
		d.Read(out, t)
	}
	return out
}

// repeated returns a slice of n times the number x.
func repeated(n int, x float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = x
	}
	return out
}
