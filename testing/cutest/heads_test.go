package cutest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/selfcheck"
)

// headsOf is attention of images over whole matrices, by the kernels of heads.cu.
type headsOf struct {
	*device
	images, heads, length, depth, stride int
	scale                                float64
	causal                               bool
}

// split cuts packed rows of so many parts into factors, one for each part, image and
// head.
func (h *headsOf) split(from kernels.Tensor, parts int) [][]matrix {
	each := (h.images + h.more()) * h.heads
	short := make([]uint16, parts*each*h.length*h.depth)
	h.run("heads_split", short, imagesOf(from, h.length), parts, h.length, h.heads, h.depth, rows(h.images))
	numbers := widen(short)
	out := make([][]matrix, parts)
	for p := range out {
		for m := range each {
			size := h.length * h.depth
			out[p] = append(out[p], matrix{n: h.length, k: h.depth, v: numbers[(p*each+m)*size : (p*each+m+1)*size]})
		}
	}
	return out
}

// products are the products of factors, matrix by matrix, in rows of stride elements.
func (h *headsOf) products(a, b []matrix, stride int) []float32 {
	out := make([]float32, len(a)*h.length*stride)
	for m := range a {
		y := make([]float32, a[m].n*b[m].k)
		multiply(y, a[m], b[m], false)
		for i := range a[m].n {
			copy(out[(m*h.length+i)*stride:], y[i*b[m].k:(i+1)*b[m].k])
		}
	}
	return out
}

// squares are matrices [length, length] of rows of stride elements.
func (h *headsOf) squares(short []uint16) []matrix {
	numbers := widen(short)
	out := make([]matrix, len(short)/(h.length*h.stride))
	for m := range out {
		out[m] = matrix{n: h.length, k: h.length}
		for i := range h.length {
			out[m].v = append(out[m].v, numbers[(m*h.length+i)*h.stride:][:h.length]...)
		}
	}
	return out
}

// turned are the matrices transposed.
func turned(m []matrix) []matrix {
	out := make([]matrix, len(m))
	for i := range m {
		out[i] = m[i].t()
	}
	return out
}

func (h *headsOf) forward(y, lse, qkv kernels.Tensor) {
	f := h.split(qkv, 3)
	scores := h.products(f[0], turned(f[1]), h.stride)
	p := make([]uint16, len(scores))
	h.run("heads_softmax", p, whole{imagesOf(lse, h.length)}, scores, bucket(h.images), h.heads, h.length, h.stride, h.scale, h.causal)
	out := h.products(h.squares(p), f[2], h.depth)
	h.run("heads_merge", imagesOf(y, h.length), []uint16(nil), out, 1, h.length, h.heads, h.depth, rows(h.images), false)
}

func (h *headsOf) backward(dqkv kernels.Grad, dy, lse, qkv kernels.Tensor) {
	f, g := h.split(qkv, 3), h.split(dy, 1)[0]
	scores, dp := h.products(f[0], turned(f[1]), h.stride), h.products(g, turned(f[2]), h.stride)
	p, ds := make([]uint16, len(scores)), make([]uint16, len(scores))
	h.run("heads_softmax_backward", p, ds, scores, dp, imagesOf(lse, h.length), bucket(h.images), h.heads, h.length, h.stride, h.scale, h.causal)
	out := h.products(h.squares(ds), f[1], h.depth)
	out = append(out, h.products(turned(h.squares(ds)), f[0], h.depth)...)
	out = append(out, h.products(turned(h.squares(p)), g, h.depth)...)
	h.run("heads_merge", packed{dqkv.Tensor, h.length, dqkv.Add}, []uint16(nil), out, 3, h.length, h.heads, h.depth, rows(h.images), dqkv.Add)
}

// numbered is a matrix of numbers that are no two the same.
func numbered(rows, cols int, seed float64) kernels.Tensor {
	t := kernels.Tensor{Rows: rows, Cols: cols, Memory: kernels.Memory{F32: make([]float32, rows*cols)}}
	for i := range t.F32 {
		t.F32[i] = float32(2 * math.Sin(seed+float64(i*i%9973)))
	}
	return t
}

// exact is a matrix for the plain device.
func exact(t kernels.Tensor) kernels.Tensor {
	t.F64 = make([]float64, len(t.F32))
	for i, v := range t.F32 {
		t.F64[i] = float64(v)
	}
	return t
}

func TestAttentionOverWholeMatrices(t *testing.T) {
	m := machine(t)
	for _, c := range []struct{ images, heads, length, depth int }{{1, 1, 1, 1}, {2, 3, 5, 7}, {3, 2, 50, 64}, {1, 1, 33, 8}, {0, 2, 4, 3}} {
		for _, causal := range []bool{false, true} {
			for _, add := range []bool{false, true} {
				name := fmt.Sprintf("%+v, causal %v, added %v", c, causal, add)
				n, w := c.images*c.length, c.heads*c.depth
				qkv, dy := numbered(n, 3*w, 1), numbered(n, w, 2)
				starts := []int32{0}
				for i := range c.images {
					starts = append(starts, int32((i+1)*c.length))
				}
				plain, sequences := kernels.NewReference(), kernels.Ints{Host: starts}
				y, lse, dqkv := exact(numbered(n, w, 3)), exact(numbered(n, c.heads, 4)), exact(numbered(n, 3*w, 5))
				plain.Attention(y, lse, exact(qkv), sequences, c.heads, causal)
				plain.AttentionBackward(kernels.Grad{Tensor: dqkv, Add: add}, exact(dy), y, lse, exact(qkv), sequences, c.heads, causal)
				var first []float32
				for i := range 4 {
					d := newDevice(t, m)
					d.order, d.seed, d.padded = []Order{Forward, Reverse, Shuffled, Shuffled}[i], uint64(i), i == 3
					h := headsOf{d, c.images, c.heads, c.length, c.depth, (c.length + 7) / 8 * 8, 1 / math.Sqrt(float64(c.depth)), causal}
					gotY, gotLSE, got := numbered(n, w, 3), numbered(n, c.heads, 4), numbered(n, 3*w, 5)
					h.forward(gotY, gotLSE, qkv)
					h.backward(kernels.Grad{Tensor: got, Add: add}, dy, gotLSE, qkv)
					all := slices.Concat(gotY.F32, gotLSE.F32, got.F32)
					if first == nil {
						first = all
					}
					if !slices.Equal(all, first) {
						t.Errorf("%s: other bits when %s", name, d.Name())
					}
					for what, pair := range map[string][2]kernels.Tensor{"y": {gotY, y}, "lse": {gotLSE, lse}, "dqkv": {got, dqkv}} {
						if off := selfcheck.Distance(exact(pair[0]).F64, pair[1].F64); !(off <= 6e-3) {
							t.Errorf("%s: %s is off by %.2g", name, what, off)
						}
					}
				}
			}
		}
	}
}
