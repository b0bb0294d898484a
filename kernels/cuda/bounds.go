package cuda

import (
	"slices"

	"capgraph/kernels/selfcheck"
)

// UsesBFloat16 reports whether an operation of selfcheck, given by its name, multiplies in bf16 if
// the precision is BFloat16. Other operations are the same in both precisions.
func UsesBFloat16(operation string) bool {
	return slices.Contains([]string{"linear", "attention"}, operation)
}

// Bounds returns the allowed differences of the device from the plain device in a case.
func (p Precision) Bounds(c selfcheck.Case) selfcheck.Bounds {
	if p == BFloat16 && UsesBFloat16(c.Operation) {
		return selfcheck.Bounds{Value: 1e-2, Gradient: 1e-2}
	}
	return selfcheck.Bounds{Value: 2e-6, Gradient: 5e-5}
}
