// Package cpu is the fast device of package kernels: float32, on all cores, with the vector
// instructions of the processor.
//
// An operation is split into parts whose bounds and order depend on its shape alone, so its bits do
// not depend on the number of workers. The pool runs the parts; package simd computes on one core.
package cpu

import (
	"runtime"

	"capgraph/kernels"
	"capgraph/kernels/cpu/simd"
)

var _ kernels.Device = (*Device)(nil)

// Device computes in float32 on the processor. It is for one goroutine at a time, because the
// memory of operations is reused in later calls.
type Device struct {
	set  simd.Set
	pool *pool

	adamw              adamw
	attention          attention
	batchNorm          batchNorm
	contrastive        contrastive
	elementwise        elementwise
	gather             gather
	gemm               gemm
	dotProduct         dotProduct
	layerNorm          layerNorm
	layerScale         layerScale
	linear             linear
	moments            moments
	normalize          normalize
	pairContrastive    pairContrastive
	patchify           patchify
	pooledCosine       pooledCosine
	rowDot             rowDot
	sigmoidContrastive sigmoidContrastive
	similarity         similarity
	slots              slots
	tokens             tokens
	vision             vision

	windowAttention windowAttention
	windowOp        windowOp
}

// New returns a device with the best instruction set and GOMAXPROCS workers.
func New() *Device { return NewWith(simd.Best(), runtime.GOMAXPROCS(0)) }

// NewWith returns a device that computes with the functions of set and at least one worker. Results
// do not depend on the number of workers.
func NewWith(set simd.Set, workers int) *Device {
	return &Device{set: set, pool: newPool(max(workers, 1))}
}

// Close stops the workers.
func (d *Device) Close() error {
	d.pool.close()
	return nil
}
