package cpu

import (
	"math"

	"capgraph/kernels"
)

// maskedScore is the score of pixels in different regions: its exponential is 0.
const maskedScore = -1e30

// windowAttention is attention within windows of images. A part is some windows. The rows of a
// window are copied to contiguous memory, and the scores of all pairs of pixels are computed at
// once, head by head.
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
	a.runWindows()
}

// WindowAttentionBackward implements kernels.Device.
func (d *Device) WindowAttentionBackward(dqkv, dtable kernels.Grad, dy, y, lse, qkv, table kernels.Tensor, w kernels.Windows) {
	a := &d.windowAttention
	*a = windowAttention{d: d, y: y, lse: lse, qkv: qkv, table: table, dqkv: dqkv, dtable: dtable, dy: dy, windows: w, sums: a.sums}
	a.runWindows()
	a.sums.addTo(d, asRow(dtable), a.count(), 0)
}

// runWindows runs the parts of all windows.
func (a *windowAttention) runWindows() {
	a.heads, a.area = a.table.Cols, a.windows.Size*a.windows.Size
	a.rowParts = rowPartsOf(a.windows.CountIn(a.qkv), a.area*a.qkv.Cols)
	if !a.dtable.IsNone() {
		a.sums.reset(a.count(), a.table.Len())
	}
	a.d.pool.run(a.count(), a)
}

// windowScratch is a worker's memory for one window: its rows and, for one head at a time, the
// attention weights (shares) and their gradients (slopes).
type windowScratch struct {
	smallProduct
	qkv, dqkv, y, dy kernels.Tensor
	shares, slopes   matrix
	bias             []float32 // for each pair of pixels, of all heads
}

// runPart implements task.
func (a *windowAttention) runPart(w *worker, i int) {
	set, n, all := &a.d.set, a.area, a.y.Cols
	deep := max(n, all/a.heads)
	rows, cols := roundUp(n, set.Height), roundUp(n, set.Width)
	room := rows*cols + set.Height // see attention.runPart
	memory := w.floats(smallProductMemory(set, deep, deep) + 2*room + 8*n*all + a.heads*n*n)
	var at windowScratch
	at.smallProduct, memory = newSmallProduct(set, memory, deep, deep)
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
	if !a.dtable.IsNone() {
		sums = a.sums.part(i)
	}
	first, end := a.bounds(i)
	for number := first; number < end; number++ {
		a.gatherRows(at.qkv, a.qkv, number)
		if a.dy.IsNone() {
			for h := range a.heads {
				a.forward(&at, number, h)
			}
			a.scatterRows(a.y, at.y, number, false)
			continue
		}
		a.gatherRows(at.y, a.y, number)
		a.gatherRows(at.dy, a.dy, number)
		for h := range a.heads {
			a.backward(&at, number, h, sums)
		}
		if !a.dqkv.IsNone() {
			a.scatterRows(a.dqkv.Tensor, at.dqkv, number, a.dqkv.Add)
		}
	}
}

// gatherRows copies the rows of window number from the images to contiguous memory.
func (a *windowAttention) gatherRows(to, from kernels.Tensor, number int) {
	for p := range a.area {
		copy(rowOf(to, p), rowOf(from, a.windows.Row(number, p)))
	}
}

// scatterRows copies the rows of window number back to their places in the images, or adds them.
func (a *windowAttention) scatterRows(to, from kernels.Tensor, number int, add bool) {
	for p := range a.area {
		if into := rowOf(to, a.windows.Row(number, p)); add {
			a.d.set.Add(into, rowOf(from, p))
		} else {
			copy(into, rowOf(from, p))
		}
	}
}

// queryKeyValue returns the queries, keys and values of head h of a window's rows t.
func (a *windowAttention) queryKeyValue(t kernels.Tensor, h int) (q, k, v matrix) {
	all := a.y.Cols
	width := all / a.heads
	return headMatrix(t, 0, 0, a.area, h, width, all), headMatrix(t, 1, 0, a.area, h, width, all), headMatrix(t, 2, 0, a.area, h, width, all)
}

// computeScores writes the scores of head h to at.shares.
func (a *windowAttention) computeScores(at *windowScratch, number, h int) {
	q, k, _ := a.queryKeyValue(at.qkv, h)
	n, set := a.area, &a.d.set
	scale := float32(1 / math.Sqrt(float64(q.cols)))
	at.multiply(at.shares, q, k.transpose(), false, true)
	whole := a.windows.IsWhole(number)
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
				line[j] = maskedScore
			}
		}
	}
}

func (a *windowAttention) forward(at *windowScratch, number, h int) {
	_, _, v := a.queryKeyValue(at.qkv, h)
	n, all, set := a.area, a.y.Cols, &a.d.set
	a.computeScores(at, number, h)
	for i := range n {
		line := at.shares.data[i*at.shares.stride:][:n]
		most := set.Max(line)
		sum := set.Exp(line, line, 1, -most)
		set.Scale(line, line, 1/sum)
		if !a.lse.IsNone() {
			a.lse.F32[a.windows.Row(number, i)*a.heads+h] = most + float32(math.Log(float64(sum)))
		}
	}
	at.multiply(headMatrix(at.y, 0, 0, n, h, v.cols, all), at.shares, v, false, false)
}

func (a *windowAttention) backward(at *windowScratch, number, h int, sums []float32) {
	q, k, v := a.queryKeyValue(at.qkv, h)
	dq, dk, dv := a.queryKeyValue(at.dqkv, h)
	n, all, set := a.area, a.y.Cols, &a.d.set
	width := q.cols
	y, dy := headMatrix(at.y, 0, 0, n, h, width, all), headMatrix(at.dy, 0, 0, n, h, width, all)
	a.computeScores(at, number, h)
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

// asRow returns a gradient [r, c] as a row [1, r·c].
func asRow(g kernels.Grad) kernels.Grad {
	if !g.IsNone() {
		g.Rows, g.Cols = 1, g.Len()
	}
	return g
}
