package cpu

import (
	"math"

	"capgraph/kernels"
)

// clipFloor keeps the factor of clipping finite.
const clipFloor = 1e-6

// inner is the inner product of two tensors: sums in float32 of few numbers,
// which are added up in float64 in their order.
type inner struct {
	rowParts
	d    *Device
	x, y []float32
	sums []float64
}

// innerProduct is Σ x·y.
func (d *Device) innerProduct(x, y []float32) float64 {
	p := &d.inner
	*p = inner{rowParts: rowParts{len(x), partSize}, d: d, x: x, y: y, sums: p.sums}
	p.sums = grow(p.sums, p.count())
	d.pool.run(p.count(), p)
	var sum float64
	for _, s := range p.sums {
		sum += s
	}
	return sum
}

// part implements work.
func (p *inner) part(_ *worker, i int) {
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
	s := d.innerProduct(x.F32, x.F32)
	if add {
		s += float64(y.F32[0])
	}
	y.F32[0] = float32(s)
}

// ClipFactor implements kernels.Device.
func (d *Device) ClipFactor(y, squares kernels.Tensor, most float64) {
	y.F32[0] = 1 + 0*squares.F32[0]
	if most > 0 && y.F32[0] == 1 {
		y.F32[0] = float32(min(1, most/(math.Sqrt(float64(squares.F32[0]))+clipFloor)))
	}
}
