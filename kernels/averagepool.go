package kernels

type averagePoolOps interface {
	// AveragePool computes the mean over each place of a window, channel by channel: x [n·Side²,
	// c], y [n·Out², c]. The places do not overlap and lie within the images.
	AveragePool(y, x Tensor, w Window)
	// AveragePoolBackward computes dx from dy.
	AveragePoolBackward(dx Grad, dy Tensor, w Window)
}

// AveragePool returns the means [n·(of/side)², c] of squares of side·side pixels of images x
// [n·of², c]. Pixels left over at the ends are ignored.
func (t *Tape) AveragePool(x *Var, of, side int) *Var {
	w := Window{Side: of, Kernel: side, Stride: side}
	checkShape(w.fits(x.Value), "the pixels are no whole images, or the window has no place in them")
	y := t.withHalf(t.newResult(w.imageCount(x.Value)*w.OutputSide()*w.OutputSide(), x.Value.Cols, x))
	t.Device.AveragePool(y.Value, x.Value, w)
	return t.addRecord(record{backward: averagePoolBackward, in: [4]*Var{x}, out: y, number: [4]int{of, side}})
}

func averagePoolBackward(t *Tape, r *record) {
	t.Device.AveragePoolBackward(t.gradOf(r.in[0]), r.out.Grad, Window{Side: r.number[0], Kernel: r.number[1], Stride: r.number[1]})
}

// AveragePool implements Device.
func (*Reference) AveragePool(y, x Tensor, w Window) {
	clear(y.F64)
	w.eachPixel(w.imageCount(x), func(place, _, row int) {
		for c, v := range x.row(row) {
			y.F64[place*y.Cols+c] += v
		}
	})
	for i := range y.F64 {
		y.F64[i] /= float64(w.area())
	}
}

// AveragePoolBackward implements Device.
func (*Reference) AveragePoolBackward(dx Grad, dy Tensor, w Window) {
	if !dx.Add {
		clear(dx.F64)
	}
	w.eachPixel(w.imageCount(dx.Tensor), func(place, _, row int) {
		for c, v := range dy.row(place) {
			dx.F64[row*dx.Cols+c] += v / float64(w.area())
		}
	})
}
