package selfcheck

import (
	"testing"

	"capgraph/kernels"
)

// TestGradientsAreCentralDifferences holds every derivative of the plain device
// against differences of its values, through the tape: of all inputs at once,
// and where two operations share parameters whose gradients are not zero before.
func TestGradientsAreCentralDifferences(t *testing.T) {
	for _, c := range Cases() {
		if c.Large || c.NoGradient {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			for _, w := range []pass{{name: "all gradients", only: -1}, {name: "added", only: -1, parameters: true}} {
				c.compare(t, w)
			}
		})
	}
}

func (c Case) compare(t *testing.T, w pass) {
	for i, in := range c.Inputs {
		if in.Fixed || in.Rows*in.Cols == 0 {
			continue
		}
		want := make([]float64, in.Rows*in.Cols)
		for k := range want {
			// The five-point formula, whose error is of the fourth order.
			const h = 1e-4
			want[k] = (8*(c.objective(w, i, k, h)-c.objective(w, i, k, -h)) - (c.objective(w, i, k, 2*h) - c.objective(w, i, k, -2*h))) / (12 * h)
		}
		if w.parameters {
			for k, g := range initialGradient(in, i) {
				want[k] += g
			}
		}
		for _, r := range c.runOnce(kernels.NewReference(), w) {
			if r.of == gradientOf && r.index == i {
				if d := Distance(r.numbers, want); !(d <= 1e-6) {
					t.Errorf("%v is %.3g from central differences", r, d)
				}
			}
		}
	}
}

// objective is the inner product of the case's values with what their gradients
// are seeded with, element k of input i being moved by h.
func (c Case) objective(w pass, i, k int, h float64) (sum float64) {
	w.offset, w.input, w.element = h, i, k
	for _, r := range c.runOnce(kernels.NewReference(), w) {
		for e, seed := range r.seed {
			sum += seed * r.numbers[e]
		}
	}
	return sum
}
