package cpu

import (
	"math"

	"capgraph/kernels"
)

// attention is attention within sequences, a part a sequence. Of each head the
// scores of all pairs of its tokens are made at once: sequences are short.
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

// part implements work.
func (a *attention) part(w *worker, i int) {
	first, n := int(a.starts[i]), int(a.starts[i+1]-a.starts[i])
	if n == 0 {
		return
	}
	set, width := &a.d.set, a.y.Cols/a.heads
	rows, cols := padded(n, set.Height), padded(n, set.Width)
	// Scores have room for whole tiles, and for the one that begins at their last column.
	room := rows*cols + set.Height
	memory := w.floats(smallFloats(set, max(n, width), max(n, width)) + 2*room)
	s, memory := newSmall(set, memory, max(n, width), max(n, width))
	scores := matrix{data: memory[:room], rows: n, cols: n, stride: cols}
	slopes := matrix{data: memory[room : 2*room], rows: n, cols: n, stride: cols}
	for h := range a.heads {
		if a.dy.None() {
			a.forward(&s, scores, first, h)
		} else {
			a.backward(&s, scores, slopes, first, h)
		}
	}
}

// head is the columns of a head in a third of rows of t: n rows from first on.
func head(t kernels.Tensor, third, first, n, h, width, all int) matrix {
	return matrix{data: t.F32[first*t.Cols+third*all+h*width:], rows: n, cols: width, stride: t.Cols}
}

// seen is how many tokens of the sequence token i sees.
func (a *attention) seen(i, n int) int {
	if a.causal {
		return i + 1
	}
	return n
}

func (a *attention) forward(s *small, scores matrix, first, h int) {
	n, all, set := scores.rows, a.y.Cols, &a.d.set
	width := all / a.heads
	scale := float32(1 / math.Sqrt(float64(width)))
	q, k, v := head(a.qkv, 0, first, n, h, width, all), head(a.qkv, 1, first, n, h, width, all), head(a.qkv, 2, first, n, h, width, all)
	s.multiply(scores, q, k.transpose(), false, true)
	for i := range n {
		line := scores.data[i*scores.stride:][:n]
		seen := line[:a.seen(i, n)]
		most := scale * set.Max(seen)
		sum := set.Exp(seen, seen, scale, -most)
		set.Scale(seen, seen, 1/sum)
		clear(line[len(seen):])
		if !a.lse.None() {
			a.lse.F32[(first+i)*a.heads+h] = most + float32(math.Log(float64(sum)))
		}
	}
	s.multiply(head(a.y, 0, first, n, h, width, all), scores, v, false, false)
}

func (a *attention) backward(s *small, shares, slopes matrix, first, h int) {
	n, all, set := shares.rows, a.y.Cols, &a.d.set
	width := all / a.heads
	scale := float32(1 / math.Sqrt(float64(width)))
	q, k, v := head(a.qkv, 0, first, n, h, width, all), head(a.qkv, 1, first, n, h, width, all), head(a.qkv, 2, first, n, h, width, all)
	dq, dk, dv := head(a.dqkv.Tensor, 0, first, n, h, width, all), head(a.dqkv.Tensor, 1, first, n, h, width, all), head(a.dqkv.Tensor, 2, first, n, h, width, all)
	y, dy := head(a.y, 0, first, n, h, width, all), head(a.dy, 0, first, n, h, width, all)

	s.multiply(shares, q, k.transpose(), false, true)
	for i := range n {
		line := shares.data[i*shares.stride:][:n]
		seen := line[:a.seen(i, n)]
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
