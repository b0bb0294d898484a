package cpu

import "capgraph/kernels"

// windowOp is an operation on the places of a window in images, such as Unfold or AveragePool, or
// its backward half. A part is some rows of the result.
type windowOp struct {
	rowParts
	d    *Device
	y, x kernels.Tensor
	dx   kernels.Grad
	w    kernels.Window
	out  int
	row  func(o *windowOp, at int) // computes row at of the result
}

// runWindow computes all rows of y with the function row.
func (d *Device) runWindow(y, x kernels.Tensor, w kernels.Window, row func(*windowOp, int)) {
	d.windowOp = windowOp{rowParts: rowPartsOf(y.Rows, y.Cols), d: d, y: y, x: x, w: w, out: w.OutputSide(), row: row}
	d.pool.run(d.windowOp.count(), &d.windowOp)
}

// runWindowBackward computes all rows of dx with the function row.
func (d *Device) runWindowBackward(dx kernels.Grad, dy kernels.Tensor, w kernels.Window, row func(*windowOp, int)) {
	d.windowOp = windowOp{rowParts: rowPartsOf(dx.Rows, dx.Cols), d: d, y: dy, dx: dx, w: w, out: w.OutputSide(), row: row}
	d.pool.run(d.windowOp.count(), &d.windowOp)
}

// runPart implements task.
func (o *windowOp) runPart(_ *worker, i int) {
	first, end := o.bounds(i)
	for at := first; at < end; at++ {
		o.row(o, at)
	}
}

// Unfold implements kernels.Device.
func (d *Device) Unfold(y, x kernels.Tensor, w kernels.Window) {
	d.runWindow(y, x, w, (*windowOp).unfoldPlace)
}

// Fold implements kernels.Device.
func (d *Device) Fold(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	d.runWindowBackward(dx, dy, w, (*windowOp).foldPixel)
}

// unfoldPlace computes row at of the result: the pixels of the window at one place.
func (o *windowOp) unfoldPlace(at int) {
	to, c, w := rowOf(o.y, at), o.x.Cols, o.w
	image, top, left := at/(o.out*o.out), at/o.out%o.out*w.Stride-w.Padding, at%o.out*w.Stride-w.Padding
	from, until := max(-left, 0), min(w.Side-left, w.Kernel) // the window's columns within the image: from to until-1
	for line := range w.Kernel {
		to := to[line*w.Kernel*c : (line+1)*w.Kernel*c]
		y := top + line
		if y < 0 || y >= w.Side || from >= until {
			clear(to)
			continue
		}
		clear(to[:from*c])
		copy(to[from*c:until*c], o.x.F32[((image*w.Side+y)*w.Side+left+from)*c:])
		clear(to[until*c:])
	}
}

// foldPixel computes row at of dx: the sum of the copies of one pixel in dy.
func (o *windowOp) foldPixel(at int) {
	to, c, w := rowOf(o.dx.Tensor, at), o.dx.Cols, o.w
	if !o.dx.Add {
		clear(to)
	}
	image, y, x := at/(w.Side*w.Side), at/w.Side%w.Side+w.Padding, at%w.Side+w.Padding
	for top := firstPlace(y, w); top < o.out && top*w.Stride <= y; top++ {
		for left := firstPlace(x, w); left < o.out && left*w.Stride <= x; left++ {
			pixel := (y-top*w.Stride)*w.Kernel + x - left*w.Stride
			o.d.set.Add(to, rowOf(o.y, (image*o.out+top)*o.out+left)[pixel*c:][:c])
		}
	}
}

// firstPlace returns the first place along a side at which the window contains the pixel at.
func firstPlace(at int, w kernels.Window) int { return max((at-w.Kernel+w.Stride)/w.Stride, 0) }
