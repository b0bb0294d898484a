package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// Attention of sequences of equal length with cuBLASLt: one batch of matrix products for all heads
// of all sequences. Queries, keys and values are first copied in bf16, head by head.

// scoreStride returns the distance between rows of scores in elements: the length rounded up to a
// multiple of 8, as tensor cores need.
func (h headLayout) scoreStride() int { return (h.length + 7) / 8 * 8 }

// matrixCount returns the number of matrices in a batch, one for each head of each sequence.
func (h headLayout) matrixCount() int { return h.sequences * h.count }

// elementsEach returns the number of elements of all queries; keys, values and results have as
// many.
func (h headLayout) elementsEach() int { return h.rows * h.count * h.depth }

// splitHeads copies the thirds of packed rows (queries, keys, values) in bf16, head by head, and
// returns them as batches of matrices [length, depth].
func (d *Device) splitHeads(h headLayout, from uint64, thirds int) []operand {
	to := d.scratchHalves(thirds * h.elementsEach())
	d.launch("heads_split", to, from, thirds, h.length, h.count, h.depth, none, h.sequences)
	all := make([]operand, thirds)
	for i := range all {
		all[i] = h.batchOperand(to+uint64(i*h.elementsEach())*cublaslt.BFloat16.Size(), h.depth, h.depth)
	}
	return all
}

// batchOperand returns a batch of matrices [length, cols] as an operand.
func (h headLayout) batchOperand(address uint64, cols, stride int) operand {
	return operand{cublaslt.Matrix{Address: address, Stride: stride, Step: h.length * stride}, h.length, cols}
}

// batchProduct computes to = a·b for each matrix of the batch.
func (d *Device) batchProduct(h headLayout, to, a, b operand) {
	d.fail(d.multiply(&cublaslt.Product{
		Type: cublaslt.BFloat16, M: a.rows, K: a.cols, N: b.cols, A: a.Matrix, B: b.Matrix, C: to.Matrix, D: to.Matrix, Batch: h.matrixCount(),
	}))
}

// newScores allocates scratch memory for a batch of score matrices: bf16 if half is true, for
// operands of products, otherwise float32, for their results.
func (d *Device) newScores(h headLayout, half bool) operand {
	n := h.matrixCount() * h.length * h.scoreStride()
	if half {
		return h.batchOperand(d.scratchHalves(n), h.length, h.scoreStride())
	}
	return h.batchOperand(d.scratchFloats(n), h.length, h.scoreStride())
}

// matrixAttention is Attention with matrix products.
func (d *Device) matrixAttention(y, lse, qkv kernels.Tensor, h headLayout) {
	all := d.splitHeads(h, qkv.Address, 3)
	q, k, v := all[0], all[1], all[2]
	scores, shares := d.newScores(h, false), d.newScores(h, true)
	d.batchProduct(h, scores, q, k.transpose())
	d.launch("heads_softmax", shares.Address, lse.Address, scores.Address, h.sequences, h.count, h.length, h.scoreStride(), h.scale, h.causal)
	out := h.batchOperand(d.scratchFloats(h.elementsEach()), h.depth, h.depth)
	d.batchProduct(h, out, shares, v)
	d.launch("heads_merge", y.Address, y.Half, out.Address, 1, h.length, h.count, h.depth, none, h.sequences, false)
}

// matrixAttentionBackward is AttentionBackward with matrix products.
func (d *Device) matrixAttentionBackward(dqkv kernels.Grad, dy, lse, qkv kernels.Tensor, h headLayout) {
	all := d.splitHeads(h, qkv.Address, 3)
	q, k, v := all[0], all[1], all[2]
	g := d.splitHeads(h, dy.Address, 1)[0]
	scores, slopes := d.newScores(h, false), d.newScores(h, false)
	d.batchProduct(h, scores, q, k.transpose())
	d.batchProduct(h, slopes, g, v.transpose())
	shares, ds := d.newScores(h, true), d.newScores(h, true)
	d.launch("heads_softmax_backward", shares.Address, ds.Address, scores.Address, slopes.Address, lse.Address,
		h.sequences, h.count, h.length, h.scoreStride(), h.scale, h.causal)
	to := d.scratchFloats(3 * h.elementsEach())
	third := func(i int) operand {
		return h.batchOperand(to+uint64(i*h.elementsEach())*elementBytes, h.depth, h.depth)
	}
	d.batchProduct(h, third(0), ds, k)
	d.batchProduct(h, third(1), ds.transpose(), q)
	d.batchProduct(h, third(2), shares.transpose(), g)
	d.launch("heads_merge", dqkv.Address, none, to, 3, h.length, h.count, h.depth, none, h.sequences, dqkv.Add)
}
