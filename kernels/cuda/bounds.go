package cuda

import (
	"slices"

	"capgraph/kernels/devicetest"
)

// Rounds says whether an operation of devicetest has products of bf16 where the
// precision is that; the others are the same in both.
func Rounds(operation string) bool {
	return slices.Contains([]string{"linear", "attention"}, operation)
}

// Bounds are how far the device may be from the plain one in a case.
func (p Precision) Bounds(c devicetest.Case) devicetest.Bounds {
	if p == BFloat16 && Rounds(c.Operation) {
		return devicetest.Bounds{Value: 1e-2, Gradient: 1e-2}
	}
	return devicetest.Bounds{Value: 2e-6, Gradient: 5e-5}
}
