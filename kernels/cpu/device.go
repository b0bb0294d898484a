// Package cpu is the fast device of package kernels: float32, on all cores, with
// the vector instructions that the processor has. An operation falls into parts
// whose bounds and order depend on its shape alone, so that its bits do not depend
// on the number of workers.
package cpu

import (
	"runtime"

	"capgraph/kernels"
	"capgraph/kernels/cpu/simd"
)

var _ kernels.Device = (*Device)(nil)

// Device computes in float32 on the processor. It is for one goroutine at a time:
// what an operation needs is kept from call to call, so that none allocates.
type Device struct {
	set  simd.Set
	pool *pool

	adamw       adamw
	attention   attention
	averagePool averagePool
	batchNorm   batchNorm
	contrastive contrastive
	elementwise elementwise
	gather      gather
	gemm        gemm
	inner       inner
	layerNorm   layerNorm
	layerScale  layerScale
	linear      linear
	moments     moments
	normalize   normalize
	patchify    patchify
	rowDot      rowDot
	similarity  similarity
	slots       slots
	tokens      tokens
	unfold      unfold
	vision      vision

	windowAttention windowAttention
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
