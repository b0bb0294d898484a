package kernels

// columnsAtOnce is how many numbers are unfolded at a time, of one image at least: few
// enough to be in a cache still when they are multiplied.
const columnsAtOnce = 1 << 20

// Convolution is the convolution of images x [n·Side², c] with kernels w [out,
// Kernel²·c], whose pixels lie as those of Unfold: [n·Out², out]. It is a product of
// what the window sees, which is laid out for some images at a time and not kept.
func (t *Tape) Convolution(x, w *Var, window Window) *Var {
	check(window.fits(x.Value), "the pixels are no whole images, or the window has no place in them")
	check(w.Value.Cols == window.area()*x.Value.Cols, "a convolution's kernels do not fit its window")
	places := window.Out() * window.Out()
	y := t.result(window.images(x.Value)*places, w.Value.Rows, x, w)
	t.unfolded(x.Value, window, func(columns Tensor, first, end int) {
		t.Device.Linear(t.Rows(y.Value, first*places, end*places), Tensor{}, columns, w.Value, Tensor{}, Tensor{}, NoActivation)
	})
	return t.push(record{
		backward: convolutionBackward, in: [4]*Var{x, w}, out: y, number: [4]int{window.Side, window.Kernel, window.Stride, window.Padding},
	})
}

func convolutionBackward(t *Tape, r *record) {
	x, w := r.in[0], r.in[1]
	window := Window{r.number[0], r.number[1], r.number[2], r.number[3]}
	places, pixels := window.Out()*window.Out(), window.Side*window.Side
	dx, dw := t.grad(x), t.grad(w)
	t.unfolded(x.Value, window, func(columns Tensor, first, end int) {
		var slopes Grad
		if !dx.None() {
			slopes.Tensor = t.Arena.Tensor(columns.Rows, columns.Cols)
		}
		t.Device.LinearBackward(slopes, dw, Grad{}, t.Rows(r.out.Grad, first*places, end*places), Tensor{}, columns, w.Value, NoActivation)
		dw.Add = true
		if !dx.None() {
			t.Device.Fold(Grad{t.Rows(dx.Tensor, first*pixels, end*pixels), dx.Add}, slopes.Tensor, window)
		}
	})
}

// unfolded calls do with what the window sees of the images from first to end-1, some at
// a time, in memory that is free afterwards.
func (t *Tape) unfolded(x Tensor, w Window, do func(columns Tensor, first, end int)) {
	n, places, pixels, cols := w.images(x), w.Out()*w.Out(), w.Side*w.Side, w.area()*x.Cols
	some := max(columnsAtOnce/(places*cols), 1)
	for first := 0; first == 0 || first < n; first += some {
		end := min(first+some, n)
		mark := t.Arena.Mark()
		columns := t.columns((end-first)*places, cols)
		t.Device.Unfold(columns, t.Rows(x, first*pixels, end*pixels), w)
		do(columns, first, end)
		t.Arena.Release(mark)
	}
}

// columns is memory for what is unfolded, which products alone read: narrow, where they
// are of bf16.
func (t *Tape) columns(rows, cols int) Tensor {
	if t.Device.Halves() && cols%8 == 0 {
		return Tensor{Rows: rows, Cols: cols, Half: t.Arena.half(rows * cols)}
	}
	return t.Arena.Tensor(rows, cols)
}
