package cpu

import (
	"runtime"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu/simd"
	"capgraph/kernels/selfcheck"
	"capgraph/testing/longtest"
)

func TestTheDeviceComputesWhatTheReferenceDoes(t *testing.T) {
	for _, set := range sets() {
		t.Run(set.Name, func(t *testing.T) {
			selfcheck.Run(t, func() kernels.Device { return NewWith(set, runtime.GOMAXPROCS(0)) }, selfcheck.Bounds{Value: 2e-6, Gradient: 5e-5})
		})
	}
}

// sets are the instruction sets to test: the best alone, where time is short.
func sets() []simd.Set {
	if !longtest.Wanted() {
		return simd.Available()[:1]
	}
	return simd.Available()
}
