package kernels_test

import (
	"fmt"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
)

// chain is a tower of parts on a device: what goes in, its parameters, and each part.
type chain struct {
	device     kernels.Device
	x          kernels.Tensor
	parameters []*kernels.Var
	parts      []kernels.PartFunc
}

// numbers are n that differ.
func numbers(n, seed int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64((i*7919+seed*104729)%211-105) / 70
	}
	return x
}

// newChain makes parts that keep the width or change it, with a residual or without.
func newChain(d kernels.Device, rows int) *chain {
	c := &chain{device: d, x: place(d, rows, 6, numbers(rows*6, 0))}
	parameter := func(rows, cols int) *kernels.Var {
		p := kernels.NewParameter(place(d, rows, cols, numbers(rows*cols, len(c.parameters)+1)), place(d, rows, cols, make([]float64, rows*cols)))
		c.parameters = append(c.parameters, p)
		return p
	}
	for i, widths := range [][2]int{{6, 6}, {6, 4}, {4, 4}} {
		w, b := parameter(widths[1], widths[0]), parameter(1, widths[1])
		c.parts = append(c.parts, func(t *kernels.Tape, x *kernels.Var, starts kernels.Ints) *kernels.Var {
			var residual *kernels.Var
			if i == 0 {
				residual = x
			}
			return t.Linear(t.Normalize(x), w, b, residual, kernels.GELU)
		})
	}
	return c
}

// pass goes forward and back, and returns the result, the gradients of the parameters
// and of what went in, and the most memory that the tape took. Where twice is set, what
// goes into the second part is in the loss by itself too; without parts, all is one piece of work.
func (c *chain) pass(t *kernels.Tape, parts, twice bool) (out [][]float64, top int) {
	t.Reset()
	t.Arena.Reset()
	for _, p := range c.parameters {
		t.Device.Zero(p.Grad)
	}
	x := t.Input(c.x)
	y := x
	var also *kernels.Var
	for i, part := range c.parts {
		if i == 1 {
			also = y
		}
		starts := t.Device.Ints([]int32{0, int32(c.x.Rows)})
		if !parts {
			y = part(t, y, starts)
			continue
		}
		y = t.Part(y, starts, part)
	}
	out = append(out, read(t.Device, y.Value))
	if twice {
		t.Seed(also, place(t.Device, also.Value.Rows, also.Value.Cols, numbers(also.Value.Len(), 98)))
	}
	t.Seed(y, place(t.Device, y.Value.Rows, y.Value.Cols, numbers(y.Value.Len(), 99)))
	t.Backward()
	for _, p := range append(c.parameters, x) {
		out = append(out, read(t.Device, p.Grad))
	}
	return out, t.Arena.Peak()
}

func read(d kernels.Device, t kernels.Tensor) []float64 {
	x := make([]float64, t.Len())
	d.Read(x, t)
	return x
}

// Parts that are done again have the bits of those that are kept, in less memory.
func TestPartsThatAreDoneAgainHaveTheSameBits(t *testing.T) {
	for _, device := range []func() kernels.Device{func() kernels.Device { return kernels.NewReference() }, func() kernels.Device { return cpu.New() }} {
		d := device()
		defer d.Close()
		for _, rows := range []int{0, 1, 37} {
			for _, twice := range []bool{false, true} {
				c := newChain(d, rows)
				kept, again := kernels.NewTape(d, kernels.NewArena(d, 0)), kernels.NewTape(d, kernels.NewArena(d, 0))
				again.Scratch = kernels.NewTape(d, kernels.NewArena(d, 0))
				for range 3 { // the arenas are of several blocks, then of one
					want, _ := c.pass(kernels.NewTape(d, kernels.NewArena(d, 0)), false, twice)
					of, most := c.pass(kept, true, twice)
					got, less := c.pass(again, true, twice)
					if equal := slices.Equal[[]float64]; !slices.EqualFunc(of, want, equal) || !slices.EqualFunc(got, want, equal) {
						t.Errorf("%s, %d rows, twice %v: %v and %v, not %v", d.Name(), rows, twice, of, got, want)
					}
					if rows > 1 && less >= most || len(again.Parts) != len(c.parts) {
						t.Errorf("%s, %d rows: %d elements in place of %d, %d parts", d.Name(), rows, less, most, len(again.Parts))
					}
				}
			}
		}
	}
}

// What Backward takes for one part serves the next: memory does not grow with the
// parts by more than what they keep.
func TestGradientsOfPartsTakeTurns(t *testing.T) {
	top := func(parts int) (top, kept int) {
		tape := plain()
		w := kernels.NewParameter(place(tape.Device, 8, 8, numbers(64, 1)), place(tape.Device, 8, 8, make([]float64, 64)))
		for range 2 {
			tape.Reset()
			tape.Arena.Reset()
			x := tape.Input(tape.Arena.Tensor(100, 8))
			for range parts {
				x = tape.Part(x, kernels.Ints{}, func(t *kernels.Tape, x *kernels.Var, _ kernels.Ints) *kernels.Var {
					return t.Linear(t.Linear(x, w, nil, nil, kernels.GELU), w, nil, x, kernels.NoActivation)
				})
			}
			kept = tape.Arena.Used()
			tape.Seed(x, tape.Arena.Tensor(100, 8))
			tape.Backward()
		}
		return tape.Arena.Peak(), kept
	}
	two, keptOfTwo := top(2)
	nine, keptOfNine := top(9)
	if nine-keptOfNine != two-keptOfTwo {
		t.Errorf("gradients of 9 parts take %d elements, those of 2 %d", nine-keptOfNine, two-keptOfTwo)
	}
}

// A part of a forward tape leaves nothing to undo.
func TestPartsOfAForwardTape(t *testing.T) {
	for _, scratch := range []bool{false, true} {
		c, tape := newChain(kernels.NewReference(), 5), plain()
		tape.ForwardOnly = true
		if scratch {
			tape.Scratch = plain()
		}
		y := tape.Part(tape.Constant(c.x), kernels.Ints{}, c.parts[0])
		tape.Seed(y, place(tape.Device, 5, 6, numbers(30, 99)))
		tape.Backward()
		if got := fmt.Sprint(read(c.device, c.parameters[0].Grad)); y.NeedsGrad() || got != fmt.Sprint(make([]float64, 36)) {
			t.Errorf("scratch %v: the gradient is %s", scratch, got)
		}
	}
}
