package cpu

import (
	"math"

	"capgraph/kernels"
)

// clipEpsilon is added to the norm so that ClipFactor does not divide by 0.
const clipEpsilon = 1e-6

// dotProduct computes the inner product of two tensors: float32 sums of a few elements each, which
// are then added in float64, in order.
type dotProduct struct {
	rowParts
	d    *Device
	x, y []float32
	sums []float64
}

// dot returns Σ x·y.
func (d *Device) dot(x, y []float32) float64 {
	p := &d.dotProduct
	*p = dotProduct{rowParts: rowParts{len(x), partElements}, d: d, x: x, y: y, sums: p.sums}
	p.sums = resize(p.sums, p.count())
	d.pool.run(p.count(), p)
	var sum float64
	for _, s := range p.sums {
		sum += s
	}
	return sum
}

// runPart implements task.
func (p *dotProduct) runPart(_ *worker, i int) {
	const few = 1024
	first, end := p.bounds(i)
	var sum float64
	for ; first < end; first += few {
		last := min(first+few, end)
		sum += float64(p.d.set.Dot(p.x[first:last], p.y[first:last]))
	}
	p.sums[i] = sum
}

// SquareSum implements kernels.Device.
func (d *Device) SquareSum(y, x kernels.Tensor, add bool) {
	s := d.dot(x.F32, x.F32)
	if add {
		s += float64(y.F32[0])
	}
	y.F32[0] = float32(s)
}

// ClipFactor implements kernels.Device.
func (d *Device) ClipFactor(y, squares kernels.Tensor, most float64) {
	y.F32[0] = 1 + 0*squares.F32[0]
	if most > 0 && y.F32[0] == 1 {
		y.F32[0] = float32(min(1, most/(math.Sqrt(float64(squares.F32[0]))+clipEpsilon)))
	}
}
