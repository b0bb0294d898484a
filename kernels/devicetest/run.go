package devicetest

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"capgraph/kernels"
)

// Test is what Run needs of a *testing.T, so that programs can import Compare.
type Test interface {
	Helper()
	Error(...any)
}

// Bounds are how far a device may be from the plain one, as ‖Δ‖/‖reference‖.
type Bounds struct{ Value, Gradient float64 }

// Run does every case on a new device, with 1, 2, 3 and 8 processors, and fails
// where a result is out of bounds, where it is not the same bits as with one
// processor, where an operation changed its inputs, or where it hid a NaN of them.
// Memory is full of NaN before each case.
func Run(t Test, device func() kernels.Device, bounds Bounds) {
	t.Helper()
	for _, why := range failures(Cases(), device, bounds) {
		t.Error(why)
	}
}

func failures(cases []Case, device func() kernels.Device, bounds Bounds) (failed []string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := make([][]result, len(cases))
	for _, processors := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(processors)
		d := device()
		for i, c := range cases {
			got := c.all(d)
			if first[i] == nil {
				first[i] = got
				for _, why := range apart(got, c.all(kernels.NewReference()), bounds) {
					failed = append(failed, fmt.Sprintf("%s: %s: %s", d.Name(), c.Name, why))
				}
				if c.hidesNaN(d) {
					failed = append(failed, fmt.Sprintf("%s: %s: a NaN of the first input is in no value", d.Name(), c.Name))
				}
			}
			if other := firstOther(got, first[i]); other != "" {
				failed = append(failed, fmt.Sprintf("%s: %s: %s has other bits with %d processors than with one", d.Name(), c.Name, other, processors))
			}
		}
		if err := d.Close(); err != nil {
			failed = append(failed, err.Error())
		}
	}
	return failed
}

// result is one matrix that a case came to.
type result struct {
	of      kind
	index   int
	way     string
	numbers []float64
	seed    []float64 // the gradient that a value was given; nil where it has none
}

// kind is what a result is of.
type kind string

const (
	valueOf    kind = "value"
	gradientOf kind = "gradient of input"
	inputOf    kind = "afterwards, input" // the input itself, which nothing may change
)

func (r result) String() string { return fmt.Sprintf("%s: %s %d", r.way, r.of, r.index) }

// all does the case in every way that a tape can do it.
func (c Case) all(d kernels.Device) []result {
	out := c.run(d, way{name: "forward", forward: true})
	if c.Plain {
		return out
	}
	out = append(out, c.run(d, way{name: "all gradients", only: -1})...)
	out = append(out, c.run(d, way{name: "gradients added, twice over", only: -1, parameters: true})...)
	if len(c.Inputs) > 1 {
		for i, in := range c.Inputs {
			if !in.Fixed {
				out = append(out, c.run(d, way{name: fmt.Sprintf("only the gradient of input %d", i), only: i})...)
			}
		}
	}
	return out
}

// hidesNaN says whether a NaN of the first input is in a value of the plain
// device, but in none of this one: training would go on with nonsense.
func (c Case) hidesNaN(d kernels.Device) bool {
	if len(c.Inputs) == 0 || c.Inputs[0].Rows*c.Inputs[0].Cols == 0 {
		return false
	}
	seen := func(d kernels.Device) bool {
		for _, r := range c.run(d, way{forward: true, moved: math.NaN()}) {
			if r.of == valueOf && slices.ContainsFunc(r.numbers, math.IsNaN) {
				return true
			}
		}
		return false
	}
	return seen(kernels.NewReference()) && !seen(d)
}

// way is how a case is done.
type way struct {
	name string
	// forward wants no gradient, only that of one input alone, unless it is −1.
	forward bool
	only    int
	// parameters have gradients to begin with, and two operations share them.
	parameters bool
	// moved is added to one element of one input.
	moved          float64
	input, element int
}

// run does the case once. All memory holds NaN before, but for the inputs, so that
// what is read without having been written is seen.
func (c Case) run(d kernels.Device, w way) []result {
	plan := &kernels.Plan{Element: d.ElementBytes(), Half: d.Halves()}
	planned := kernels.NewPlanArena(plan)
	c.tape(plan, planned, w)
	arena := kernels.NewArena(d, planned.Top())
	defer arena.Free()
	whole := arena.Tensor(1, planned.Top())
	write(d, whole, fill(whole.Len(), math.NaN()))
	arena.Empty()
	return c.tape(d, arena, w)
}

// tape does the case on a tape.
func (c Case) tape(d kernels.Device, arena *kernels.Arena, w way) (out []result) {
	t := kernels.NewTape(d, arena)
	t.Forward = w.forward
	defer d.Reset()
	in := make([]*kernels.Var, len(c.Inputs))
	for i, shape := range c.Inputs {
		value := arena.Tensor(shape.Rows, shape.Cols)
		numbers := shape.numbers(uint64(i))
		if w.moved != 0 && w.input == i {
			numbers[w.element] += w.moved
		}
		write(d, value, numbers)
		switch {
		case shape.Fixed || w.only >= 0 && w.only != i:
			in[i] = t.Constant(value)
		case w.parameters:
			grad := arena.Tensor(shape.Rows, shape.Cols)
			write(d, grad, gradBefore(shape, i))
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
		r := result{of: valueOf, index: i, way: w.name, numbers: read(d, v.Value)}
		if v.Needs() {
			r.seed = matrix(v.Value.Rows, v.Value.Cols).numbers(uint64(200 + i))
			seed := arena.Tensor(v.Value.Rows, v.Value.Cols)
			write(d, seed, r.seed)
			t.Seed(v, seed)
		}
		out = append(out, r)
	}
	t.Backward()
	for i, v := range in {
		if v.Needs() {
			grad := make([]float64, v.Value.Len()) // zero where nothing depended on it
			if !v.Grad.None() {
				grad = read(d, v.Grad)
			}
			out = append(out, result{of: gradientOf, index: i, way: w.name, numbers: grad})
		}
		if !c.Plain {
			out = append(out, result{of: inputOf, index: i, way: w.name, numbers: read(d, v.Value)})
		}
	}
	return out
}

// gradBefore is the gradient that a parameter has before.
func gradBefore(in Input, index int) []float64 {
	return matrix(in.Rows, in.Cols).numbers(uint64(100 + index))
}

// apart says where results are out of bounds of those of the reference.
func apart(got, want []result, b Bounds) (why []string) {
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

// Distance is ‖got − want‖ / ‖want‖, NaN where either has one or they are of two
// lengths. Where want is next to nothing, as a gradient that is 0 but for
// rounding, the length of a vector of 1e-3 takes its place.
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

// firstOther names the first result of which the bits differ; "" where none do.
func firstOther(a, b []result) string {
	for i := range a {
		for k, v := range a[i].numbers {
			if math.Float64bits(v) != math.Float64bits(b[i].numbers[k]) {
				return a[i].String()
			}
		}
	}
	return ""
}

func write(d kernels.Device, t kernels.Tensor, from []float64) {
	if t.Len() > 0 {
		d.Write(t, from)
	}
}

func read(d kernels.Device, t kernels.Tensor) []float64 {
	out := make([]float64, t.Len())
	if t.Len() > 0 {
		d.Read(out, t)
	}
	return out
}

// fill returns n times x.
func fill(n int, x float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = x
	}
	return out
}
