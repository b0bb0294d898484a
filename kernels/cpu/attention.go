package cpu

import (
	"math"

	"capgraph/kernels"
)

// attention is attention within sequences, with one part per sequence. The scores of all pairs of
// tokens of one head are computed at once, because sequences are short.
type attention struct {
	d           *Device
	y, lse, qkv kernels.Tensor
	dqkv        kernels.Grad // backward
	dy          kernels.Tensor
	starts      []int32
	heads       int
	causal      bool
}

// Attention implements kernels.Device.
func (d *Device) Attention(y, lse, qkv kernels.Tensor, starts kernels.Ints, heads int, causal bool) {
	d.attention = attention{d: d, y: y, lse: lse, qkv: qkv, starts: starts.Host, heads: heads, causal: causal}
	d.pool.run(starts.Len()-1, &d.attention)
}

// AttentionBackward implements kernels.Device.
func (d *Device) AttentionBackward(dqkv kernels.Grad, dy, y, lse, qkv kernels.Tensor, starts kernels.Ints, heads int, causal bool) {
	d.attention = attention{d: d, y: y, lse: lse, qkv: qkv, dqkv: dqkv, dy: dy, starts: starts.Host, heads: heads, causal: causal}
	d.pool.run(starts.Len()-1, &d.attention)
}

// runPart implements task.
func (a *attention) runPart(w *worker, i int) {
	first, n := int(a.starts[i]), int(a.starts[i+1]-a.starts[i])
	if n == 0 {
		return
	}
	set, width := &a.d.set, a.y.Cols/a.heads
	rows, cols := roundUp(n, set.Height), roundUp(n, set.Width)
	// The memory of scores has room for whole tiles, and for the tile that begins at the last
	// column.
	room := rows*cols + set.Height
	memory := w.floats(smallProductMemory(set, max(n, width), max(n, width)) + 2*room)
	s, memory := newSmallProduct(set, memory, max(n, width), max(n, width))
	scores := matrix{data: memory[:room], rows: n, cols: n, stride: cols}
	slopes := matrix{data: memory[room : 2*room], rows: n, cols: n, stride: cols}
	for h := range a.heads {
		if a.dy.IsNone() {
			a.forward(&s, scores, first, h)
		} else {
			a.backward(&s, scores, slopes, first, h)
		}
	}
}

// headMatrix returns n rows of t from first on, with the columns of head h in a third of them: 0
// for queries, 1 for keys, 2 for values.
func headMatrix(t kernels.Tensor, third, first, n, h, width, all int) matrix {
	return matrix{data: t.F32[first*t.Cols+third*all+h*width:], rows: n, cols: width, stride: t.Cols}
}

// visibleTokens returns how many of the n tokens of the sequence token i attends to.
func (a *attention) visibleTokens(i, n int) int {
	if a.causal {
		return i + 1
	}
	return n
}

func (a *attention) forward(s *smallProduct, scores matrix, first, h int) {
	n, all, set := scores.rows, a.y.Cols, &a.d.set
	width := all / a.heads
	scale := float32(1 / math.Sqrt(float64(width)))
	q, k, v := headMatrix(a.qkv, 0, first, n, h, width, all), headMatrix(a.qkv, 1, first, n, h, width, all), headMatrix(a.qkv, 2, first, n, h, width, all)
	s.multiply(scores, q, k.transpose(), false, true)
	for i := range n {
		line := scores.data[i*scores.stride:][:n]
		seen := line[:a.visibleTokens(i, n)]
		most := scale * set.Max(seen)
		sum := set.Exp(seen, seen, scale, -most)
		set.Scale(seen, seen, 1/sum)
		clear(line[len(seen):])
		if !a.lse.IsNone() {
			a.lse.F32[(first+i)*a.heads+h] = most + float32(math.Log(float64(sum)))
		}
	}
	s.multiply(headMatrix(a.y, 0, first, n, h, width, all), scores, v, false, false)
}

func (a *attention) backward(s *smallProduct, shares, slopes matrix, first, h int) {
	n, all, set := shares.rows, a.y.Cols, &a.d.set
	width := all / a.heads
	scale := float32(1 / math.Sqrt(float64(width)))
	q, k, v := headMatrix(a.qkv, 0, first, n, h, width, all), headMatrix(a.qkv, 1, first, n, h, width, all), headMatrix(a.qkv, 2, first, n, h, width, all)
	dq, dk, dv := headMatrix(a.dqkv.Tensor, 0, first, n, h, width, all), headMatrix(a.dqkv.Tensor, 1, first, n, h, width, all), headMatrix(a.dqkv.Tensor, 2, first, n, h, width, all)
	y, dy := headMatrix(a.y, 0, first, n, h, width, all), headMatrix(a.dy, 0, first, n, h, width, all)

	s.multiply(shares, q, k.transpose(), false, true)
	for i := range n {
		line := shares.data[i*shares.stride:][:n]
		seen := line[:a.visibleTokens(i, n)]
		set.Exp(seen, seen, scale, -a.lse.F32[(first+i)*a.heads+h])
		clear(line[len(seen):])
	}
	s.multiply(dv, shares.transpose(), dy, a.dqkv.Add, false)
	s.multiply(slopes, dy, v.transpose(), false, true)
	for i := range n {
		along := set.Dot(dy.data[i*dy.stride:][:width], y.data[i*y.stride:][:width])
		set.MultiplySum(shares.data[i*shares.stride:][:n], slopes.data[i*slopes.stride:][:n], scale, -along)
	}
	s.multiply(dq, shares, k, a.dqkv.Add, false)
	s.multiply(dk, shares.transpose(), q, a.dqkv.Add, false)
}
