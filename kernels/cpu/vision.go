package cpu

import "capgraph/kernels"

// vision makes the token sequences of images. A part is some images or, backward, one position.
type vision struct {
	rowParts
	d                         *Device
	y, patches                kernels.Tensor
	class, positions          kernels.Tensor
	dy                        kernels.Tensor
	dpatches, dclass, dplaces kernels.Grad
}

// Vision implements kernels.Device.
func (d *Device) Vision(y, patches, class, positions kernels.Tensor) {
	v := &d.vision
	*v = vision{rowParts: rowPartsOf(y.Rows, y.Cols), d: d, y: y, patches: patches, class: class, positions: positions}
	d.pool.run(v.count(), v)
}

// VisionBackward implements kernels.Device.
func (d *Device) VisionBackward(dpatches, dclass, dpositions kernels.Grad, dy kernels.Tensor, length int) {
	v := &d.vision
	*v = vision{rowParts: rowParts{length, 1}, d: d, dy: dy, dpatches: dpatches, dclass: dclass, dplaces: dpositions}
	d.pool.run(v.count(), v)
}

// runPart implements task.
func (v *vision) runPart(_ *worker, i int) {
	if !v.dy.IsNone() {
		v.backward(i)
		return
	}
	length := v.positions.Rows
	first, end := v.bounds(i)
	for i := first; i < end; i++ {
		to, from := rowOf(v.y, i), v.class.F32
		if image, at := i/length, i%length; at > 0 {
			from = rowOf(v.patches, image*(length-1)+at-1)
		}
		copy(to, from)
		v.d.set.Add(to, rowOf(v.positions, i%length))
	}
}

// backward computes the gradients of one position over all images.
func (v *vision) backward(at int) {
	length := v.rows
	for _, g := range []struct {
		kernels.Grad
		row  int
		here bool
	}{{v.dplaces, at, true}, {v.dclass, 0, at == 0}} {
		if g.IsNone() || !g.here {
			continue
		}
		to := rowOf(g.Tensor, g.row)
		if !g.Add {
			clear(to)
		}
		for i := at; i < v.dy.Rows; i += length {
			v.d.set.Add(to, rowOf(v.dy, i))
		}
	}
	if at == 0 || v.dpatches.IsNone() {
		return
	}
	for i := at; i < v.dy.Rows; i += length {
		to := rowOf(v.dpatches.Tensor, i/length*(length-1)+at-1)
		if v.dpatches.Add {
			v.d.set.Add(to, rowOf(v.dy, i))
		} else {
			copy(to, rowOf(v.dy, i))
		}
	}
}
