// Package cpu is the fast device of package kernels: float32, on all cores, with
// the vector instructions that the processor has.
package cpu

import (
	"runtime"

	"capgraph/kernels/cpu/simd"
)

// Device computes in float32 on the processor.
type Device struct {
	set  simd.Set
	pool *pool
	gemm gemm
}

// New returns a device of the best instruction set and GOMAXPROCS workers.
func New() *Device { return NewWith(simd.Best(), runtime.GOMAXPROCS(0)) }

// NewWith returns a device that computes with the functions of set and as many
// workers as are said, at least 1. What it computes does not depend on their number.
func NewWith(set simd.Set, workers int) *Device {
	return &Device{set: set, pool: newPool(max(workers, 1))}
}

// Close ends the workers.
func (d *Device) Close() error {
	d.pool.close()
	return nil
}
