package cpu

import (
	"math"

	"capgraph/kernels"
)

// batchNorm is a pass of a batch norm: forward, the sums that its gradient needs, or the gradient.
type batchNorm struct {
	rowParts
	lines
	d              *Device
	kind           normKind
	y, x, residual kernels.Tensor
	dy             kernels.Tensor
	dx             kernels.Grad
	rectified      bool
	sums           columnSums // of each part: sums of dy·(x − mean), then of dy

	mean, scale, bias, along, sum []float32 // lines
}

type normKind int

const (
	normForward normKind = iota
	normSums
	normBackward
)

// BatchNorm implements kernels.Device.
func (d *Device) BatchNorm(y, x, mean, variance, gain, bias, residual kernels.Tensor, eps float64, rectified bool) {
	n := d.prepareBatchNorm(x)
	n.kind, n.y, n.residual, n.rectified = normForward, y, residual, rectified
	for k := range x.Cols {
		n.scale[k] = float32(float64(gain.F32[k]) / math.Sqrt(float64(variance.F32[k])+eps))
	}
	n.repeatRow(n.mean, mean.F32)
	n.repeatRow(n.scale, n.scale)
	n.repeatRow(n.bias, bias.F32)
	d.pool.run(n.count(), n)
}

// BatchNormBackward implements kernels.Device.
func (d *Device) BatchNormBackward(dx, dgain, dbias kernels.Grad, dy, y, x, mean, variance, gain kernels.Tensor, eps float64, rectified bool) {
	n := d.prepareBatchNorm(x)
	n.kind, n.dy, n.y, n.dx, n.rectified = normSums, dy, y, dx, rectified
	n.sums.reset(n.count(), 2*n.cols)
	n.repeatRow(n.mean, mean.F32)
	d.pool.run(n.count(), n)
	for k := range x.Cols {
		var along, sum float64
		for i := range n.count() {
			along += float64(n.sums.part(i)[k])
			sum += float64(n.sums.part(i)[n.cols+k])
		}
		inverse, rows := 1/math.Sqrt(float64(variance.F32[k])+eps), float64(max(x.Rows, 1))
		storeElement(dgain, k, along*inverse)
		storeElement(dbias, k, sum)
		n.along[k], n.sum[k], n.scale[k] = float32(along*inverse*inverse/rows), float32(sum/rows), gain.F32[k]*float32(inverse)
	}
	if dx.IsNone() {
		return
	}
	n.kind = normBackward
	for _, line := range [][]float32{n.along, n.sum, n.scale} {
		n.repeatRow(line, line)
	}
	d.pool.run(n.count(), n)
}

// prepareBatchNorm returns the device's batchNorm, with memory for the columns of x.
func (d *Device) prepareBatchNorm(x kernels.Tensor) *batchNorm {
	n, l := &d.batchNorm, linesOf(x.Cols)
	*n = batchNorm{
		rowParts: rowPartsOf(x.Rows, x.Cols), lines: l, d: d, x: x, sums: n.sums,
		mean: resize(n.mean, l.length()), scale: resize(n.scale, l.length()), bias: resize(n.bias, l.length()), along: resize(n.along, l.length()), sum: resize(n.sum, l.length()),
	}
	return n
}

// storeElement writes v to element k of a gradient, or adds it; it does nothing if the gradient is
// none.
func storeElement(g kernels.Grad, k int, v float64) {
	switch {
	case g.IsNone():
	case g.Add:
		g.F32[k] += float32(v)
	default:
		g.F32[k] = float32(v)
	}
}

// runPart implements task.
func (n *batchNorm) runPart(w *worker, i int) {
	first, end := n.bounds(i)
	of := func(t kernels.Tensor) []float32 { return t.F32[first*n.cols : end*n.cols] }
	x, long := of(n.x), n.length()
	switch n.kind {
	case normForward:
		y := of(n.y)
		for at := 0; at < len(x); at += long {
			to := min(at+long, len(x))
			line := y[at:to]
			n.d.set.NormalizeColumns(line, x[at:to], n.mean, n.scale, n.bias)
			if !n.residual.IsNone() {
				n.d.set.Add(line, of(n.residual)[at:to])
			}
			if n.rectified {
				n.d.set.Rectify(line)
			}
		}
	case normSums:
		n.sumPart(w, i, of(n.dy), x, n.y, first*n.cols)
	case normBackward:
		dx, dy, beside := of(n.dx.Tensor), of(n.dy), w.floats(long)
		for at := 0; at < len(x); at += long {
			to := min(at+long, len(x))
			made := dx[at:to]
			if n.dx.Add {
				made = beside[:to-at]
			}
			n.d.set.ColumnSlope(made, dy[at:to], x[at:to], n.mean, n.along, n.sum, n.scale)
			if n.dx.Add {
				n.d.set.Add(dx[at:to], made)
			}
		}
	}
}

// sumPart computes the sums of part i, which begins at the element first, and applies the
// rectifier's derivative to dy.
func (n *batchNorm) sumPart(w *worker, i int, dy, x []float32, y kernels.Tensor, first int) {
	long := n.length()
	sums := w.floats(2 * long)
	clear(sums)
	along, sum := sums[:long], sums[long:]
	for at := 0; at < len(x); at += long {
		to := min(at+long, len(x))
		if n.rectified {
			n.d.set.RectifySlope(dy[at:to], y.F32[first+at:first+to])
		}
		n.d.set.ColumnGains(along[:to-at], sum[:to-at], dy[at:to], x[at:to], n.mean)
	}
	n.sumRows(n.d.set.Add, along)
	n.sumRows(n.d.set.Add, sum)
	copy(n.sums.part(i)[:n.cols], along)
	copy(n.sums.part(i)[n.cols:], sum)
}
