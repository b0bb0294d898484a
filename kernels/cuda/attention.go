package cuda

import (
	"fmt"
	"math"

	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// maxHeadWidth is the widest head that attention of packed sequences supports.
const maxHeadWidth = 128

// minMatrixLength is the shortest sequence for which matrix products are faster than the attention
// kernel, despite padding and copies.
const minMatrixLength = 32

// headLayout has the sizes of an attention operation.
type headLayout struct {
	sequences, rows int
	count, depth    int // number of heads, and their width
	length          int // of each sequence; 0 if they differ
	scale           float64
	causal          bool
}

// headLayoutOf returns the layout of attention with result y and count heads.
func headLayoutOf(y kernels.Tensor, starts kernels.Ints, count int, causal bool) headLayout {
	h := headLayout{sequences: starts.Len() - 1, rows: y.Rows, count: count, depth: y.Cols / count, causal: causal}
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

// usesMatrices reports whether attention is computed with cuBLASLt's matrix products, as it is for
// images, rather than with the kernel for packed sequences.
func (d *Device) usesMatrices(h headLayout) bool {
	return d.productType(h.depth) == cublaslt.BFloat16 && h.length >= minMatrixLength
}

// Attention implements kernels.Device.
func (d *Device) Attention(y, lse, qkv kernels.Tensor, starts kernels.Ints, count int, causal bool) {
	d.resetScratch()
	h := headLayoutOf(y, starts, count, causal)
	switch {
	case d.usesMatrices(h):
		d.matrixAttention(y, lse, qkv, h)
	case h.depth > maxHeadWidth:
		d.fail(fmt.Errorf("heads of attention are %d wide, more than %d: set the model's head_width lower", h.depth, maxHeadWidth))
	default:
		d.launch("attention_forward", y.Address, y.Half, lse.Address, qkv.Address, starts.Address, none, h.sequences, h.rows, h.count, h.depth, h.scale, h.causal)
	}
}

// AttentionBackward implements kernels.Device.
func (d *Device) AttentionBackward(dqkv kernels.Grad, dy, y, lse, qkv kernels.Tensor, starts kernels.Ints, count int, causal bool) {
	d.resetScratch()
	h := headLayoutOf(y, starts, count, causal)
	if d.usesMatrices(h) {
		d.matrixAttentionBackward(dqkv, dy, lse, qkv, h)
		return
	}
	along := d.scratchFloats(h.rows * h.count)
	d.launch("attention_queries", dqkv.Address, along, dy.Address, y.Address, lse.Address, qkv.Address, starts.Address, none,
		h.sequences, h.rows, h.count, h.depth, h.scale, h.causal, dqkv.Add)
	d.launch("attention_keys", dqkv.Address, along, dy.Address, lse.Address, qkv.Address, starts.Address, none,
		h.sequences, h.rows, h.count, h.depth, h.scale, h.causal, dqkv.Add)
}
