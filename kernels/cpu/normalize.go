package cpu

import (
	"math"

	"capgraph/kernels"
)

// minLength is the least divisor of a row, so that a row of length 0 stays finite.
const minLength = 1e-12

// normalize scales rows to length 1. It is the backward half if dy is set.
type normalize struct {
	rowParts
	d             *Device
	y, inverse, x kernels.Tensor
	dx            kernels.Grad
	dy            kernels.Tensor
}

// Normalize implements kernels.Device.
func (d *Device) Normalize(y, inverse, x kernels.Tensor) {
	d.normalize = normalize{rowParts: rowPartsOf(x.Rows, x.Cols), d: d, y: y, inverse: inverse, x: x}
	d.pool.run(d.normalize.count(), &d.normalize)
}

// NormalizeBackward implements kernels.Device.
func (d *Device) NormalizeBackward(dx kernels.Grad, dy, y, inverse kernels.Tensor) {
	d.normalize = normalize{rowParts: rowPartsOf(y.Rows, y.Cols), d: d, y: y, inverse: inverse, dx: dx, dy: dy}
	d.pool.run(d.normalize.count(), &d.normalize)
}

// runPart implements task.
func (n *normalize) runPart(w *worker, i int) {
	first, end := n.bounds(i)
	for i := first; i < end; i++ {
		if n.dy.IsNone() {
			n.forward(i)
		} else {
			n.backward(w, i)
		}
	}
}

func (n *normalize) forward(i int) {
	x := rowOf(n.x, i)
	f := float32(1 / max(math.Sqrt(float64(n.d.set.Dot(x, x))), minLength))
	n.d.set.Scale(rowOf(n.y, i), x, f)
	if !n.inverse.IsNone() {
		n.inverse.F32[i] = f
	}
}

func (n *normalize) backward(w *worker, i int) {
	y, dy, inverse := rowOf(n.y, i), rowOf(n.dy, i), n.inverse.F32[i]
	along := n.d.set.Dot(dy, y)
	if inverse == float32(1/minLength) { // the row was divided by the constant minLength
		along = 0
	}
	to := w.gradientRow(n.dx, i)
	copy(to, dy)
	n.d.set.AddScaled(to, y, -along)
	n.d.set.Scale(to, to, inverse)
	n.d.addGradientRow(n.dx, i, to)
}
