package selfcheck

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"capgraph/kernels"
)

func TestTheReferenceIsItself(t *testing.T) {
	for _, why := range findFailures(small(""), func() kernels.Device { return kernels.NewReference() }, Bounds{}) {
		t.Error(why)
	}
}

// small are the cases of an operation that are not Large.
func small(operation string) []Case {
	return slices.DeleteFunc(Cases(), func(c Case) bool { return c.Large || !strings.HasPrefix(c.Name, operation) })
}

// The mistakes that devices make.
type (
	leavesOut struct{ *kernels.Reference } // a row is never written
	forgets   struct{ *kernels.Reference } // a gradient takes the place of what it should be added to
	scribbles struct{ *kernels.Reference } // an input is written to
	hides     struct{ *kernels.Reference } // a maximum takes NaN for less
	inexact   struct{ *kernels.Reference } // a sum has the order of the processors
)

func (d leavesOut) Gather(y, x kernels.Tensor, rows kernels.Ints) {
	if len(rows.Host) > 0 {
		rows.Host, y.Rows = rows.Host[1:], y.Rows-1
	}
	d.Reference.Gather(y, x, rows)
}

func (d forgets) NormalizeBackward(dx kernels.Grad, dy, y, inverse kernels.Tensor) {
	dx.Add = false
	d.Reference.NormalizeBackward(dx, dy, y, inverse)
}

func (d scribbles) Linear(y, pre, x, w, b, residual kernels.Tensor, act kernels.Activation) {
	d.Reference.Linear(y, pre, x, w, b, residual, act)
	d.Zero(w)
}

func (d hides) SegmentLSE(lse, s kernels.Tensor, starts kernels.Ints) {
	d.Reference.SegmentLSE(lse, s, starts)
	for g, v := range lse.F64[:lse.Len()] {
		if math.IsNaN(v) {
			lse.F64[g] = 0
		}
	}
}

func (d inexact) SquareSum(y, x kernels.Tensor, add bool) {
	d.Reference.SquareSum(y, x, add)
	y.F64[0] *= 1 + 1e-15*float64(runtime.GOMAXPROCS(0))
}

func TestMistakesAreFound(t *testing.T) {
	plain := kernels.NewReference()
	for _, c := range []struct {
		device kernels.Device
		want   string
	}{
		{leavesOut{plain}, "gather 4 of 4 × 3: forward: value 0 is NaN from the reference"},
		{forgets{plain}, "normalize 3 × 7: gradients added, twice over: gradient of input 0"},
		{scribbles{plain}, "linear 7 × 5 → 3, activation 0: all gradients: afterwards, input 1"},
		{hides{plain}, "segments [3 0 1 5]: a NaN"},
		{inexact{plain}, "norm of 31 and 31: forward: value 0 has other bits with 8 processors"},
	} {
		operation, _, _ := strings.Cut(c.want, " ")
		got := strings.Join(findFailures(small(operation), func() kernels.Device { return c.device }, Bounds{1e-9, 1e-9}), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%T: %q is not among\n%s", c.device, c.want, got)
		}
	}
}

// A plan gives the memory and work of a case, whatever is asked of it.
func TestPlansHaveTheMemoryOfCases(t *testing.T) {
	for _, c := range small("") {
		for _, w := range []pass{{name: "forward", forward: true}, {name: "all gradients", only: -1}, {name: "one gradient"}, {name: "added", only: -1, parameters: true}} {
			plan, plain := &kernels.CountingDevice{ElementSize: 8}, kernels.NewReference()
			planned, taken := kernels.NewCountingArena(plan), kernels.NewArena(plain, 0)
			c.runOnTape(plan, planned, w)
			c.runOnTape(plain, taken, w)
			if planned.Peak() != taken.Peak() {
				t.Errorf("%s, %s: %d elements, planned were %d", c.Name, w.name, taken.Peak(), planned.Peak())
			}
		}
	}
}
