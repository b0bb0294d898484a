package kernels

// maxUnfolded is about how many numbers are unfolded at a time, always at least one image: few
// enough to stay in a cache until they are multiplied.
const maxUnfolded = 1 << 20

// Convolution returns the convolution [n·Out², out] of images x [n·Side², c] with kernels w [out,
// Kernel²·c], whose pixels are in the order of Unfold. It unfolds some images at a time and
// multiplies; the unfolded pixels are not kept.
func (t *Tape) Convolution(x, w *Var, window Window) *Var {
	checkShape(window.fits(x.Value), "the pixels are no whole images, or the window has no place in them")
	checkShape(w.Value.Cols == window.area()*x.Value.Cols, "a convolution's kernels do not fit its window")
	places := window.OutputSide() * window.OutputSide()
	y := t.newResult(window.imageCount(x.Value)*places, w.Value.Rows, x, w)
	t.eachUnfolded(x.Value, window, func(columns Tensor, first, end int) {
		t.Device.Linear(t.Rows(y.Value, first*places, end*places), Tensor{}, columns, w.Value, Tensor{}, Tensor{}, NoActivation)
	})
	return t.addRecord(record{
		backward: convolutionBackward, in: [4]*Var{x, w}, out: y, number: [4]int{window.Side, window.Kernel, window.Stride, window.Padding},
	})
}

func convolutionBackward(t *Tape, r *record) {
	x, w := r.in[0], r.in[1]
	window := Window{r.number[0], r.number[1], r.number[2], r.number[3]}
	places, pixels := window.OutputSide()*window.OutputSide(), window.Side*window.Side
	dx, dw := t.gradOf(x), t.gradOf(w)
	t.eachUnfolded(x.Value, window, func(columns Tensor, first, end int) {
		var slopes Grad
		if !dx.IsNone() {
			slopes.Tensor = t.Arena.Tensor(columns.Rows, columns.Cols)
		}
		t.Device.LinearBackward(slopes, dw, Grad{}, t.Rows(r.out.Grad, first*places, end*places), Tensor{}, columns, w.Value, NoActivation)
		dw.Add = true
		if !dx.IsNone() {
			t.Device.Fold(Grad{t.Rows(dx.Tensor, first*pixels, end*pixels), dx.Add}, slopes.Tensor, window)
		}
	})
}

// eachUnfolded calls do with the unfolded pixels of the images first to end-1, some images at a
// time. Their memory is freed after the last call.
func (t *Tape) eachUnfolded(x Tensor, w Window, do func(columns Tensor, first, end int)) {
	n, places, pixels, cols := w.imageCount(x), w.OutputSide()*w.OutputSide(), w.Side*w.Side, w.area()*x.Cols
	some := max(maxUnfolded/(places*cols), 1)
	for first := 0; first == 0 || first < n; first += some {
		end := min(first+some, n)
		mark := t.Arena.Mark()
		columns := t.newColumns((end-first)*places, cols)
		t.Device.Unfold(columns, t.Rows(x, first*pixels, end*pixels), w)
		do(columns, first, end)
		t.Arena.Release(mark)
	}
}

// newColumns allocates memory for unfolded pixels. Only products read it: if they use bf16, it is
// half-only.
func (t *Tape) newColumns(rows, cols int) Tensor {
	if t.Device.UsesHalf() && cols%8 == 0 {
		return Tensor{Rows: rows, Cols: cols, Half: t.Arena.allocHalf(rows * cols)}
	}
	return t.Arena.Tensor(rows, cols)
}
