package cutest

import (
	"math"
	"slices"
	"testing"

	"capgraph/kernels"
)

// vector is numbers from first to last.
func vector(n int, first, last float64) kernels.Tensor {
	t := kernels.Tensor{Rows: n, Cols: 1, Memory: kernels.Memory{F32: make([]float32, n)}}
	for i := range t.F32 {
		t.F32[i] = float32(first + (last-first)*float64(i)/float64(n-1))
	}
	return t
}

func TestExponentials(t *testing.T) {
	d := newDevice(t, machine(t))
	for _, x := range []float32{0, 1, -1, 0.34657, 0.34658, 10.5, -10.5, 88.7, 88.73, 100, -87.4, -90, -103.9, -104.1, -1e30,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())} {
		y := []float32{1}
		d.run("similarity_scale", y, []float32{x}, 1)
		want := math.Exp(float64(x))
		got := float64(y[0])
		if off := math.Abs(got - want); got != float64(float32(want)) && !(off <= 1.5e-7*want+2e-45) && !math.IsNaN(want) || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("exp %v = %v, not %v", x, got, want)
		}
	}
}

// The log-sum-exp of n zeros is the logarithm of n.
func TestLogarithms(t *testing.T) {
	d := newDevice(t, machine(t))
	for _, n := range []int{1, 2, 3, 5, 7, 100, 1448, 1449, 70_000} {
		lse := []float32{0}
		d.run("segment_forward", lse, make([]float32, n), []int32{0, int32(n)}, uint64(0), 1)
		if want := math.Log(float64(n)); math.Abs(float64(lse[0])-want) > 1.5e-7*want {
			t.Errorf("log %d = %v, not %v", n, lse[0], want)
		}
	}
}

func TestActivations(t *testing.T) {
	d := newDevice(t, machine(t))
	plain := kernels.NewReference()
	for _, act := range []kernels.Activation{kernels.GELU, kernels.QuickGELU} {
		x := vector(5001, -20, 20)
		one, y, pre := exact(vector(1, 1, 1)), exact(vector(len(x.F32), 0, 0)), exact(vector(len(x.F32), 0, 0))
		one.F64[0] = 1
		plain.Linear(y, pre, exact(x), one, kernels.Tensor{}, kernels.Tensor{}, act)
		plain.LinearBackward(kernels.Grad{}, kernels.Grad{}, kernels.Grad{}, exact(vector(len(x.F32), 1, 1)), pre, exact(x), one, act)
		got, slope := vector(len(x.F32), -20, 20), vector(len(x.F32), -20, 20)
		half, slopes := make([]uint16, len(x.F32)), make([]uint16, len(x.F32))
		d.run("linear_forward", got, half, []float32(nil), x, []float32(nil), []float32(nil), int(act), uint64(0), got.Rows, 1)
		d.run("linear_backward", slope, slopes, []float32(nil), x, vector(len(x.F32), 1, 1), int(act), uint64(0), got.Rows, 1)
		for i, b := range slices.Concat(half, slopes) {
			if v := slices.Concat(got.F32, slope.F32)[i]; b != rounded(v) {
				t.Errorf("activation %d: the copy of %v is %x", act, v, b)
				break
			}
		}
		for i, v := range x.F32 {
			if off := math.Abs(float64(got.F32[i]) - y.F64[i]); off > 4e-7*max(1, math.Abs(y.F64[i])) {
				t.Errorf("activation %d of %v is off by %.2g", act, v, off)
			}
			if off := math.Abs(float64(slope.F32[i]) - pre.F64[i]); off > 1e-6 {
				t.Errorf("slope of activation %d at %v is off by %.2g", act, v, off)
			}
		}
	}
}

func TestRoundingToBF16(t *testing.T) {
	d := newDevice(t, machine(t))
	bits := math.Float32frombits
	x := []float32{0, 1, -1, bits(0x3f808000), bits(0x3f818000), bits(0x3f808001), bits(0x7f7fffff), bits(1), float32(math.Inf(-1)), bits(0x7f800001), float32(math.NaN())}
	want := []uint16{0, 0x3f80, 0xbf80, 0x3f80, 0x3f82, 0x3f81, 0x7f80, 0, 0xff80, 0x7fc0, 0x7fc0}
	for len(x) < 2000 { // more than one block
		x, want = append(x, 1), append(want, 0x3f80)
	}
	got := make([]uint16, len(x))
	d.run("round", got, x, uint64(0), len(x), 1)
	for i := range x {
		if got[i] != want[i] {
			t.Errorf("%x is rounded to %x, not %x", math.Float32bits(x[i]), got[i], want[i])
		}
	}
	// Of the rows that there are not, whatever they hold, is 0.
	d.run("round", got, x, []int32{1}, len(x)/2, 2)
	for i, v := range got {
		if (i < 2 && v != want[i]) || (i >= 2 && v != 0) {
			t.Errorf("element %d of the padding is %x", i, v)
		}
	}
}

// rounded is the nearest bf16.
func rounded(v float32) uint16 {
	u := math.Float32bits(v)
	return uint16((u + 0x7fff + u>>16&1) >> 16)
}

// Where the norm of gradients is not finite, nothing moves; else the copies in bf16 move
// too, where there are some.
func TestSkippedStepChangesNothing(t *testing.T) {
	d := newDevice(t, machine(t))
	one := func(v float32) kernels.Tensor {
		return kernels.Tensor{Rows: 1, Cols: 1, Memory: kernels.Memory{F32: []float32{v}}}
	}
	for _, c := range []struct {
		squares float64
		skipped bool
	}{{1, false}, {math.NaN(), true}, {math.Inf(1), true}, {3e38, false}} {
		for _, most := range []float64{0, 1} {
			p, m, v, factor, copied := one(1), one(0), one(0), one(0), []uint16{7}
			d.ClipFactor(factor, one(float32(c.squares)), most)
			moves := []kernels.AdamWUpdate{{P: p, G: one(1), M: m, V: v, AdamW: kernels.AdamW{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, Step: 1}}}
			d.move(moves, [][]uint16{copied}, factor)
			still := p.F32[0] == 1 && m.F32[0] == 0 && v.F32[0] == 0 && copied[0] == 7
			if still != c.skipped || !still && copied[0] != rounded(p.F32[0]) {
				t.Errorf("squares of %v, clipped to %v: %v, copied %x", c.squares, most, p.F32, copied)
			}
		}
	}
}
