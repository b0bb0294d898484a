package cpu

import "capgraph/kernels"

// unfold lays out what a window sees, a part some places of it, or takes it back, a part
// some pixels.
type unfold struct {
	rowParts
	d    *Device
	y, x kernels.Tensor
	dx   kernels.Grad
	w    kernels.Window
	out  int
	back bool
}

// Unfold implements kernels.Device.
func (d *Device) Unfold(y, x kernels.Tensor, w kernels.Window) {
	d.unfold = unfold{rowParts: partsOf(y.Rows, y.Cols), d: d, y: y, x: x, w: w, out: w.Out()}
	d.pool.run(d.unfold.count(), &d.unfold)
}

// Fold implements kernels.Device.
func (d *Device) Fold(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	d.unfold = unfold{rowParts: partsOf(dx.Rows, dx.Cols), d: d, y: dy, dx: dx, w: w, out: w.Out(), back: true}
	d.pool.run(d.unfold.count(), &d.unfold)
}

// part implements work.
func (u *unfold) part(_ *worker, i int) {
	first, end := u.bounds(i)
	for at := first; at < end; at++ {
		if u.back {
			u.pixel(at)
		} else {
			u.place(at)
		}
	}
}

// place lays out one place of the window, line by line.
func (u *unfold) place(at int) {
	to, c, w := row(u.y, at), u.x.Cols, u.w
	image, top, left := at/(u.out*u.out), at/u.out%u.out*w.Stride-w.Padding, at%u.out*w.Stride-w.Padding
	from, until := max(-left, 0), min(w.Side-left, w.Kernel) // of the window's columns, those within the image
	for line := range w.Kernel {
		to := to[line*w.Kernel*c : (line+1)*w.Kernel*c]
		y := top + line
		if y < 0 || y >= w.Side || from >= until {
			clear(to)
			continue
		}
		clear(to[:from*c])
		copy(to[from*c:until*c], u.x.F32[((image*w.Side+y)*w.Side+left+from)*c:])
		clear(to[until*c:])
	}
}

// pixel adds up what was laid out of one pixel.
func (u *unfold) pixel(at int) {
	to, c, w := row(u.dx.Tensor, at), u.dx.Cols, u.w
	if !u.dx.Add {
		clear(to)
	}
	image, y, x := at/(w.Side*w.Side), at/w.Side%w.Side+w.Padding, at%w.Side+w.Padding
	for top := firstPlace(y, w); top < u.out && top*w.Stride <= y; top++ {
		for left := firstPlace(x, w); left < u.out && left*w.Stride <= x; left++ {
			pixel := (y-top*w.Stride)*w.Kernel + x - left*w.Stride
			u.d.set.Add(to, row(u.y, (image*u.out+top)*u.out+left)[pixel*c:][:c])
		}
	}
}

// firstPlace is the first place along a side at which a window sees what lies at.
func firstPlace(at int, w kernels.Window) int { return max((at-w.Kernel+w.Stride)/w.Stride, 0) }
