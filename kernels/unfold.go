package kernels

type unfoldOps interface {
	// Unfold copies the pixels of each place of a window to a row of y (im2col): x [n·Side², c], y
	// [n·Out², Kernel²·c]. The pixels of a place are in row order; those outside the image are 0. y
	// may be half-only.
	Unfold(y, x Tensor, w Window)
	// Fold computes dx from dy: each pixel of dx is the sum of its copies in dy.
	Fold(dx Grad, dy Tensor, w Window)
}

// Unfold returns the pixels of images x [n·Side², c] with a row for each place of the window
// (im2col): [n·Out², Kernel²·c].
func (t *Tape) Unfold(x *Var, w Window) *Var {
	checkShape(w.fits(x.Value), "the pixels are no whole images, or the window has no place in them")
	y := t.newResult(w.imageCount(x.Value)*w.OutputSide()*w.OutputSide(), w.area()*x.Value.Cols, x)
	t.Device.Unfold(y.Value, x.Value, w)
	return t.addRecord(record{backward: unfoldBackward, in: [4]*Var{x}, out: y, number: [4]int{w.Side, w.Kernel, w.Stride, w.Padding}})
}

func unfoldBackward(t *Tape, r *record) {
	t.Device.Fold(t.gradOf(r.in[0]), r.out.Grad, Window{r.number[0], r.number[1], r.number[2], r.number[3]})
}

// Unfold implements Device.
func (*Reference) Unfold(y, x Tensor, w Window) {
	clear(y.F64)
	w.eachPixel(w.imageCount(x), func(place, pixel, row int) {
		copy(y.row(place)[pixel*x.Cols:], x.row(row))
	})
}

// Fold implements Device.
func (*Reference) Fold(dx Grad, dy Tensor, w Window) {
	if !dx.Add {
		clear(dx.F64)
	}
	w.eachPixel(w.imageCount(dx.Tensor), func(place, pixel, row int) {
		for c, v := range dy.row(place)[pixel*dx.Cols:][:dx.Cols] {
			dx.F64[row*dx.Cols+c] += v
		}
	})
}
