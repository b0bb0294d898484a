package portable

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// step calls f from from to to, in steps that use all bits.
func step(from, to float64, f func(float64)) {
	for x := from; x < to; x += (to - from) / 99_991 {
		f(x)
	}
}

func TestAgreesWithMath(t *testing.T) {
	near := func(name string, x, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Errorf("%s(%v) = %v, not %v", name, x, got, want)
		}
	}
	exp := func(x float64) { near("Exp", x, Exp(x), math.Exp(x)) }
	step(-708, 708, exp)
	step(-13, 0, exp)
	step(-1e-8, 1e-8, exp)
	log := func(x float64) { near("Log", x, Log(x), math.Log(x)) }
	step(1, 600, log)
	step(1e-3, 1, log)
	step(1e-300, 1e-290, log)
}

func TestExpOfTheExtremes(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 1}, {math.Copysign(0, -1), 1}, {709, math.Inf(1)}, {math.Inf(1), math.Inf(1)},
		{-709, 0}, {-1e9, 0}, {math.Inf(-1), 0}, {1, math.E},
	} {
		if got := Exp(c.x); got != c.want {
			t.Errorf("Exp(%v) = %v, not %v", c.x, got, c.want)
		}
	}
	if got := Log(1); got != 0 {
		t.Errorf("Log(1) = %v", got)
	}
}

// TestBits compares the bits of many results with those of linux/amd64.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	bits := func(f func(float64) float64) func(float64) {
		return func(x float64) {
			binary.Write(h, binary.LittleEndian, f(x))
		}
	}
	step(-708, 708, bits(Exp))
	step(-13, 0, bits(Exp))
	step(1, 600, bits(Log))
	step(1e-3, 1, bits(Log))
	if got, want := h.Sum64(), uint64(0xf061bbab836b0071); got != want {
		t.Errorf("the results hash to %#x, not %#x", got, want)
	}
}
