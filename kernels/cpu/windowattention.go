package cpu

import (
	"math"

	"capgraph/kernels"
)

// unseen is the score of what is not seen, whose exponential is 0.
const unseen = -1e30

// windowAttention is attention within windows of images, a part some windows. The rows of
// a window are brought together, and of each head the scores of all pairs are made at
// once.
type windowAttention struct {
	rowParts
	d                  *Device
	y, lse, qkv, table kernels.Tensor
	dqkv, dtable       kernels.Grad // backward
	dy                 kernels.Tensor
	windows            kernels.Windows
	heads, area        int
	sums               columnSums
}

// WindowAttention implements kernels.Device.
func (d *Device) WindowAttention(y, lse, qkv, table kernels.Tensor, w kernels.Windows) {
	a := &d.windowAttention
	*a = windowAttention{d: d, y: y, lse: lse, qkv: qkv, table: table, windows: w, sums: a.sums}
	a.run()
}

// WindowAttentionBackward implements kernels.Device.
func (d *Device) WindowAttentionBackward(dqkv, dtable kernels.Grad, dy, y, lse, qkv, table kernels.Tensor, w kernels.Windows) {
	a := &d.windowAttention
	*a = windowAttention{d: d, y: y, lse: lse, qkv: qkv, table: table, dqkv: dqkv, dtable: dtable, dy: dy, windows: w, sums: a.sums}
	a.run()
	a.sums.end(d, line(dtable), a.count(), 0)
}

func (a *windowAttention) run() {
	a.heads, a.area = a.table.Cols, a.windows.Size*a.windows.Size
	a.rowParts = partsOf(a.windows.Count(a.qkv), a.area*a.qkv.Cols)
	if !a.dtable.None() {
		a.sums.begin(a.count(), a.table.Len())
	}
	a.d.pool.run(a.count(), a)
}

// window is what a worker keeps of one window: its rows, and of a head the shares and
// their gradients.
type window struct {
	small
	qkv, dqkv, y, dy kernels.Tensor
	shares, slopes   matrix
	bias             []float32 // of all heads, one pair of pixels after another
}

// part implements work.
func (a *windowAttention) part(w *worker, i int) {
	set, n, all := &a.d.set, a.area, a.y.Cols
	deep := max(n, all/a.heads)
	rows, cols := padded(n, set.Height), padded(n, set.Width)
	room := rows*cols + set.Height // see attention.part
	memory := w.floats(smallFloats(set, deep, deep) + 2*room + 8*n*all + a.heads*n*n)
	var at window
	at.small, memory = newSmall(set, memory, deep, deep)
	take := func(n int) (taken []float32) {
		taken, memory = memory[:n], memory[n:]
		return taken
	}
	tensor := func(cols int) kernels.Tensor {
		return kernels.Tensor{Rows: n, Cols: cols, Memory: kernels.Memory{F32: take(n * cols)}}
	}
	at.shares = matrix{data: take(room), rows: n, cols: n, stride: cols}
	at.slopes = matrix{data: take(room), rows: n, cols: n, stride: cols}
	at.qkv, at.dqkv, at.y, at.dy = tensor(3*all), tensor(3*all), tensor(all), tensor(all)
	at.bias = take(a.heads * n * n)
	for h := range a.heads {
		for p := range n * n {
			at.bias[h*n*n+p] = a.table.F32[a.windows.Cell(p/n, p%n)*a.heads+h]
		}
	}
	var sums []float32
	if !a.dtable.None() {
		sums = a.sums.of(i)
	}
	first, end := a.bounds(i)
	for number := first; number < end; number++ {
		a.gather(at.qkv, a.qkv, number)
		if a.dy.None() {
			for h := range a.heads {
				a.forward(&at, number, h)
			}
			a.scatter(a.y, at.y, number, false)
			continue
		}
		a.gather(at.y, a.y, number)
		a.gather(at.dy, a.dy, number)
		for h := range a.heads {
			a.backward(&at, number, h, sums)
		}
		if !a.dqkv.None() {
			a.scatter(a.dqkv.Tensor, at.dqkv, number, a.dqkv.Add)
		}
	}
}

// gather brings the rows of a window together.
func (a *windowAttention) gather(to, from kernels.Tensor, number int) {
	for p := range a.area {
		copy(row(to, p), row(from, a.windows.Row(number, p)))
	}
}

// scatter puts the rows of a window where they are of.
func (a *windowAttention) scatter(to, from kernels.Tensor, number int, add bool) {
	for p := range a.area {
		if into := row(to, a.windows.Row(number, p)); add {
			a.d.set.Add(into, row(from, p))
		} else {
			copy(into, row(from, p))
		}
	}
}

// thirds are a head's queries, keys and values of a window.
func (a *windowAttention) thirds(t kernels.Tensor, h int) (q, k, v matrix) {
	all := a.y.Cols
	width := all / a.heads
	return head(t, 0, 0, a.area, h, width, all), head(t, 1, 0, a.area, h, width, all), head(t, 2, 0, a.area, h, width, all)
}

// scores are those of a head, which its shares become.
func (a *windowAttention) scores(at *window, number, h int) {
	q, k, _ := a.thirds(at.qkv, h)
	n, set := a.area, &a.d.set
	scale := float32(1 / math.Sqrt(float64(q.cols)))
	at.multiply(at.shares, q, k.transpose(), false, true)
	whole := a.windows.Whole(number)
	for i := range n {
		line := at.shares.data[i*at.shares.stride:][:n]
		set.Scale(line, line, scale)
		set.Add(line, at.bias[(h*n+i)*n:][:n])
		if whole {
			continue
		}
		region := a.windows.Region(number, i)
		for j := range line {
			if a.windows.Region(number, j) != region {
				line[j] = unseen
			}
		}
	}
}

func (a *windowAttention) forward(at *window, number, h int) {
	_, _, v := a.thirds(at.qkv, h)
	n, all, set := a.area, a.y.Cols, &a.d.set
	a.scores(at, number, h)
	for i := range n {
		line := at.shares.data[i*at.shares.stride:][:n]
		most := set.Max(line)
		sum := set.Exp(line, line, 1, -most)
		set.Scale(line, line, 1/sum)
		if !a.lse.None() {
			a.lse.F32[a.windows.Row(number, i)*a.heads+h] = most + float32(math.Log(float64(sum)))
		}
	}
	at.multiply(head(at.y, 0, 0, n, h, v.cols, all), at.shares, v, false, false)
}

func (a *windowAttention) backward(at *window, number, h int, sums []float32) {
	q, k, v := a.thirds(at.qkv, h)
	dq, dk, dv := a.thirds(at.dqkv, h)
	n, all, set := a.area, a.y.Cols, &a.d.set
	width := q.cols
	y, dy := head(at.y, 0, 0, n, h, width, all), head(at.dy, 0, 0, n, h, width, all)
	a.scores(at, number, h)
	for i := range n {
		line := at.shares.data[i*at.shares.stride:][:n]
		set.Exp(line, line, 1, -a.lse.F32[a.windows.Row(number, i)*a.heads+h])
	}
	at.multiply(dv, at.shares.transpose(), dy, false, false)
	at.multiply(at.slopes, dy, v.transpose(), false, true)
	scale := float32(1 / math.Sqrt(float64(width)))
	for i := range n {
		line := at.shares.data[i*at.shares.stride:][:n]
		along := set.Dot(dy.data[i*dy.stride:][:width], y.data[i*y.stride:][:width])
		set.MultiplySum(line, at.slopes.data[i*at.slopes.stride:][:n], 1, -along)
		if sums != nil {
			for j, ds := range line {
				sums[a.windows.Cell(i, j)*a.heads+h] += ds
			}
		}
		set.Scale(line, line, scale)
	}
	at.multiply(dq, at.shares, k, false, false)
	at.multiply(dk, at.shares.transpose(), q, false, false)
}

// line is a matrix as one row.
func line(g kernels.Grad) kernels.Grad {
	if !g.None() {
		g.Rows, g.Cols = 1, g.Len()
	}
	return g
}
