package kernels

type unfoldOps interface {
	// Unfold lays out what a window sees: x [n·Side², c], y [n·Out², Kernel²·c], a place
	// of the window a row, its pixels one after another, by rows; 0 where it sees nothing.
	// y may be narrow.
	Unfold(y, x Tensor, w Window)
	// Fold takes dy back: each pixel of dx has the sum of what was laid out of it.
	Fold(dx Grad, dy Tensor, w Window)
}

// Unfold lays what a window sees of images x [n·Side², c] side by side: [n·Out²,
// Kernel²·c].
func (t *Tape) Unfold(x *Var, w Window) *Var {
	check(w.fits(x.Value), "the pixels are no whole images, or the window has no place in them")
	y := t.result(w.images(x.Value)*w.Out()*w.Out(), w.area()*x.Value.Cols, x)
	t.Device.Unfold(y.Value, x.Value, w)
	return t.push(record{backward: unfoldBackward, in: [4]*Var{x}, out: y, number: [4]int{w.Side, w.Kernel, w.Stride, w.Padding}})
}

func unfoldBackward(t *Tape, r *record) {
	t.Device.Fold(t.grad(r.in[0]), r.out.Grad, Window{r.number[0], r.number[1], r.number[2], r.number[3]})
}

// Unfold implements Device.
func (*Reference) Unfold(y, x Tensor, w Window) {
	clear(y.F64)
	w.each(w.images(x), func(place, pixel, row int) {
		copy(y.row(place)[pixel*x.Cols:], x.row(row))
	})
}

// Fold implements Device.
func (*Reference) Fold(dx Grad, dy Tensor, w Window) {
	if !dx.Add {
		clear(dx.F64)
	}
	w.each(w.images(dx.Tensor), func(place, pixel, row int) {
		for c, v := range dy.row(place)[pixel*dx.Cols:][:dx.Cols] {
			dx.F64[row*dx.Cols+c] += v
		}
	})
}
