package cpu

import (
	"math"

	"capgraph/kernels"
)

// layerNorm is a pass of a layer norm: forward if y is set, otherwise backward.
type layerNorm struct {
	rowParts
	d                    *Device
	y, stats, x          kernels.Tensor
	gain, bias, dy       kernels.Tensor
	eps                  float64
	dx                   kernels.Grad
	sums                 columnSums
	withInput, withGains bool
}

// LayerNorm implements kernels.Device.
func (d *Device) LayerNorm(y, stats, x, gain, bias kernels.Tensor, eps float64) {
	n := &d.layerNorm
	*n = layerNorm{d: d, rowParts: rowPartsOf(x.Rows, x.Cols), y: y, stats: stats, x: x, gain: gain, bias: bias, eps: eps, sums: n.sums}
	d.pool.run(n.count(), n)
}

// LayerNormBackward implements kernels.Device.
func (d *Device) LayerNormBackward(dx, dgain, dbias kernels.Grad, dy, x, gain, stats kernels.Tensor) {
	n := &d.layerNorm
	*n = layerNorm{
		d: d, rowParts: rowPartsOf(x.Rows, x.Cols), stats: stats, x: x, gain: gain, dy: dy, dx: dx, sums: n.sums,
		withInput: !dx.IsNone(), withGains: !dgain.IsNone() || !dbias.IsNone(),
	}
	if n.withGains {
		n.sums.reset(n.count(), 2*x.Cols)
	}
	d.pool.run(n.count(), n)
	n.sums.addTo(d, dgain, n.count(), 0)
	n.sums.addTo(d, dbias, n.count(), x.Cols)
}

// runPart implements task.
func (n *layerNorm) runPart(w *worker, i int) {
	first, end := n.bounds(i)
	for r := first; r < end; r++ {
		if n.y.IsNone() {
			n.backward(w, r, i)
		} else {
			n.forward(r)
		}
	}
}

func (n *layerNorm) forward(r int) {
	x, set := rowOf(n.x, r), &n.d.set
	mean := set.Sum(x) / float32(len(x))
	variance := set.Variance(x, mean) / float32(len(x))
	inverse := float32(1 / math.Sqrt(float64(variance)+n.eps))
	set.Normalize(rowOf(n.y, r), x, n.gain.F32, n.bias.F32, mean, inverse)
	if !n.stats.IsNone() {
		n.stats.F32[2*r], n.stats.F32[2*r+1] = mean, inverse
	}
}

func (n *layerNorm) backward(w *worker, r, part int) {
	x, dy, set := rowOf(n.x, r), rowOf(n.dy, r), &n.d.set
	mean, inverse := n.stats.F32[2*r], n.stats.F32[2*r+1]
	if n.withGains {
		sums := n.sums.part(part)
		set.NormalizeGains(sums[:len(x)], sums[len(x):], dy, x, mean, inverse)
	}
	if !n.withInput {
		return
	}
	// The sum of the normalised row's gradient, and its projection on the row.
	sum := set.Dot(dy, n.gain.F32)
	along := (set.TripleDot(dy, n.gain.F32, x) - mean*sum) * inverse
	width := float32(len(x))
	to := w.gradientRow(n.dx, r)
	set.NormalizeSlope(to, dy, n.gain.F32, x, inverse, -inverse*inverse*along/width, sum/width, mean)
	n.d.addGradientRow(n.dx, r, to)
}
