package kernels

import "math"

type windowAttentionOps interface {
	// WindowAttention computes y = softmax(q·kᵀ/√d + b)·v [n·Side², w] within each window, for each
	// head separately. qkv is [n·Side², 3w] as in Attention; table [(2·Size−1)², heads] has b for
	// each offset between two pixels. Pixels attend only to their own region, see Windows.Region.
	// lse [n·Side², heads], or none, keeps the log-sum-exp of each row's scores.
	WindowAttention(y, lse, qkv, table Tensor, w Windows)
	// WindowAttentionBackward computes the gradients of qkv and table from dy [n·Side², w]. Each
	// may be none.
	WindowAttentionBackward(dqkv, dtable Grad, dy, y, lse, qkv, table Tensor, w Windows)
}

// WindowAttention returns multi-head attention [n·Side², w] of qkv [n·Side², 3w] within windows of
// images. Each head adds a bias from its column of table [(2·Size−1)², heads], by the relative
// position of two pixels (Liu et al. 2021, eq. 4).
func (t *Tape) WindowAttention(qkv, table *Var, windows Windows) *Var {
	n, w, heads := qkv.Value.Rows, qkv.Value.Cols/3, table.Value.Cols
	checkShape(heads > 0 && qkv.Value.Cols == 3*w && w%heads == 0, "the width of attention is no multiple of its heads")
	checkShape(windows.fits(qkv.Value), "the pixels are no whole images, or do not fall into windows")
	checkShape(table.Value.Rows == windows.offsetCount(), "a table of biases does not fit its windows")
	y := t.withHalf(t.newResult(n, w, qkv, table))
	r := record{backward: windowAttentionBackward, in: [4]*Var{qkv, table}, out: y, number: [4]int{windows.Side, windows.Size, windows.Shift}}
	r.saved[0] = t.newSaved(y, n, heads)
	t.Device.WindowAttention(y.Value, r.saved[0], qkv.Value, table.Value, windows)
	return t.addRecord(r)
}

func windowAttentionBackward(t *Tape, r *record) {
	qkv, table := r.in[0], r.in[1]
	w := Windows{r.number[0], r.number[1], r.number[2]}
	t.Device.WindowAttentionBackward(t.gradOf(qkv), t.gradOf(table), r.out.Grad, r.out.Value, r.saved[0], qkv.Value, table.Value, w)
}

// eachPixel calls f for each window of x, each of its pixels and each head, with the pixel's row.
func (w Windows) eachPixel(x Tensor, heads int, f func(window, pixel, row, head int)) {
	for window := range w.CountIn(x) {
		for pixel := range w.area() {
			for h := range heads {
				f(window, pixel, w.Row(window, pixel), h)
			}
		}
	}
}

// eachVisible calls f for the pixels of a window, and their rows, that the given pixel attends to.
func (w Windows) eachVisible(window, pixel int, f func(other, row int)) {
	for j := range w.area() {
		if w.Region(window, pixel) == w.Region(window, j) {
			f(j, w.Row(window, j))
		}
	}
}

// WindowAttention implements Device.
func (d *Reference) WindowAttention(y, lse, qkv, table Tensor, windows Windows) {
	w, heads := y.Cols, table.Cols
	wide := w / heads
	scale := 1 / math.Sqrt(float64(wide))
	windows.eachPixel(y, heads, func(window, pixel, i, h int) {
		q := qkv.row(i)[h*wide : (h+1)*wide]
		scores := d.scratchFor(windows.area())
		most := math.Inf(-1)
		windows.eachVisible(window, pixel, func(other, j int) {
			scores[other] = scale*dot(q, qkv.row(j)[w+h*wide:w+(h+1)*wide]) + table.F64[windows.Cell(pixel, other)*heads+h]
			most = max(most, scores[other])
		})
		var sum float64
		windows.eachVisible(window, pixel, func(other, _ int) {
			scores[other] = math.Exp(scores[other] - most)
			sum += scores[other]
		})
		out := y.row(i)[h*wide : (h+1)*wide]
		clear(out)
		windows.eachVisible(window, pixel, func(other, j int) {
			for k, v := range qkv.row(j)[2*w+h*wide : 2*w+(h+1)*wide] {
				out[k] += scores[other] / sum * v
			}
		})
		if !lse.IsNone() {
			lse.F64[i*heads+h] = most + math.Log(sum)
		}
	})
}

// WindowAttentionBackward implements Device.
func (*Reference) WindowAttentionBackward(dqkv, dtable Grad, dy, y, lse, qkv, table Tensor, windows Windows) {
	w, heads := y.Cols, table.Cols
	d := w / heads
	scale := 1 / math.Sqrt(float64(d))
	for _, g := range []Grad{dqkv, dtable} {
		if !g.Add {
			clear(g.F64)
		}
	}
	windows.eachPixel(y, heads, func(window, pixel, i, h int) {
		q, g := qkv.row(i)[h*d:(h+1)*d], dy.row(i)[h*d:(h+1)*d]
		along := dot(g, y.row(i)[h*d:(h+1)*d])
		windows.eachVisible(window, pixel, func(other, j int) {
			k, v := qkv.row(j)[w+h*d:w+(h+1)*d], qkv.row(j)[2*w+h*d:2*w+(h+1)*d]
			cell := windows.Cell(pixel, other)*heads + h
			p := math.Exp(scale*dot(q, k) + table.F64[cell] - lse.F64[i*heads+h])
			ds := p * (dot(g, v) - along)
			if !dtable.IsNone() {
				dtable.F64[cell] += ds
			}
			if dqkv.IsNone() {
				return
			}
			dq, dk, dv := dqkv.row(i)[h*d:(h+1)*d], dqkv.row(j)[w+h*d:w+(h+1)*d], dqkv.row(j)[2*w+h*d:2*w+(h+1)*d]
			for x := range d {
				dv[x] += p * g[x]
				dq[x] += scale * ds * k[x]
				dk[x] += scale * ds * q[x]
			}
		})
	})
}
