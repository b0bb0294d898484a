package cuda

import (
	"fmt"
	"math"

	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// mostDepth is the widest head that attention of packed sequences takes.
const mostDepth = 128

// leastWhole is the shortest sequence for which whole matrices are worth their
// padding and their copies.
const leastWhole = 32

// heads is attention at one size.
type heads struct {
	sequences, rows int
	count, depth    int // of heads, and their width
	length          int // of each sequence, where all have one
	scale           float64
	causal          bool
}

func headsOf(y kernels.Tensor, starts kernels.Ints, count int, causal bool) heads {
	h := heads{sequences: starts.Len() - 1, rows: y.Rows, count: count, depth: y.Cols / count, causal: causal}
	h.scale = 1 / math.Sqrt(float64(h.depth))
	for i := range h.sequences {
		switch n := int(starts.Host[i+1] - starts.Host[i]); {
		case i == 0:
			h.length = n
		case n != h.length:
			h.length = 0
			return h
		}
	}
	return h
}

// whole says whether attention is done over whole matrices, as it is for images.
func (d *Device) whole(h heads) bool {
	return d.rounds(h.depth) == cublaslt.BFloat16 && h.length >= leastWhole
}

// Attention implements kernels.Device.
func (d *Device) Attention(y, lse, qkv kernels.Tensor, starts kernels.Ints, count int, causal bool) {
	d.begin()
	h := headsOf(y, starts, count, causal)
	switch {
	case d.whole(h):
		d.wholeAttention(y, lse, qkv, h)
	case h.depth > mostDepth:
		d.fail(fmt.Errorf("heads of attention are %d wide, more than %d: set the model's head_width lower", h.depth, mostDepth))
	default:
		d.launch("attention_forward", y.Address, y.Half, lse.Address, qkv.Address, starts.Address, none, h.sequences, h.rows, h.count, h.depth, h.scale, h.causal)
	}
}

// AttentionBackward implements kernels.Device.
func (d *Device) AttentionBackward(dqkv kernels.Grad, dy, y, lse, qkv kernels.Tensor, starts kernels.Ints, count int, causal bool) {
	d.begin()
	h := headsOf(y, starts, count, causal)
	if d.whole(h) {
		d.wholeAttentionBackward(dqkv, dy, lse, qkv, h)
		return
	}
	along := d.floats(h.rows * h.count)
	d.launch("attention_queries", dqkv.Address, along, dy.Address, y.Address, lse.Address, qkv.Address, starts.Address, none,
		h.sequences, h.rows, h.count, h.depth, h.scale, h.causal, dqkv.Add)
	d.launch("attention_keys", dqkv.Address, along, dy.Address, lse.Address, qkv.Address, starts.Address, none,
		h.sequences, h.rows, h.count, h.depth, h.scale, h.causal, dqkv.Add)
}
