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

// Bounds are how far the device may be from the plain one in a case. Of few numbers
// products of bf16 are bound loosely: a gradient is as small as the slope at which
// its activation happens to be.
func (p Precision) Bounds(c devicetest.Case) devicetest.Bounds {
	switch {
	case p == Float32 || !Rounds(c.Operation):
		return devicetest.Bounds{Value: 2e-6, Gradient: 5e-5}
	case c.Large:
		return devicetest.Bounds{Value: 1e-2, Gradient: 1e-2}
	}
	return devicetest.Bounds{Value: 1e-2, Gradient: 0.25}
}
