package cpu

import (
	"math"

	"capgraph/kernels"
)

// smallest is the least length that a row is divided by.
const smallest = 1e-12

// normalize gives rows the length 1; backward where dy is one.
type normalize struct {
	rowParts
	d             *Device
	y, inverse, x kernels.Tensor
	dx            kernels.Grad
	dy            kernels.Tensor
}

// Normalize implements kernels.Device.
func (d *Device) Normalize(y, inverse, x kernels.Tensor) {
	d.normalize = normalize{rowParts: partsOf(x.Rows, x.Cols), d: d, y: y, inverse: inverse, x: x}
	d.pool.run(d.normalize.count(), &d.normalize)
}

// NormalizeBackward implements kernels.Device.
func (d *Device) NormalizeBackward(dx kernels.Grad, dy, y, inverse kernels.Tensor) {
	d.normalize = normalize{rowParts: partsOf(y.Rows, y.Cols), d: d, y: y, inverse: inverse, dx: dx, dy: dy}
	d.pool.run(d.normalize.count(), &d.normalize)
}

// part implements work.
func (n *normalize) part(w *worker, i int) {
	first, end := n.bounds(i)
	for i := first; i < end; i++ {
		if n.dy.None() {
			n.forward(i)
		} else {
			n.backward(w, i)
		}
	}
}

func (n *normalize) forward(i int) {
	x := row(n.x, i)
	f := float32(1 / max(math.Sqrt(float64(n.d.set.Dot(x, x))), smallest))
	n.d.set.Scale(row(n.y, i), x, f)
	if !n.inverse.None() {
		n.inverse.F32[i] = f
	}
}

func (n *normalize) backward(w *worker, i int) {
	y, dy, inverse := row(n.y, i), row(n.dy, i), n.inverse.F32[i]
	along := n.d.set.Dot(dy, y)
	if inverse == float32(1/smallest) { // the divisor is a constant there
		along = 0
	}
	to := w.into(n.dx, i)
	copy(to, dy)
	n.d.set.AddScaled(to, y, -along)
	n.d.set.Scale(to, to, inverse)
	n.d.added(n.dx, i, to)
}
