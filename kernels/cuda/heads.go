package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// Attention of sequences of one length with products of whole matrices: one batch of products
// for all heads of all sequences, of copies in bf16 in the order of heads.

// scoreStride returns how many elements the rows of scores have: a multiple of 8, as tensor cores
// need.
func (h headLayout) scoreStride() int { return (h.length + 7) / 8 * 8 }

// matrixCount returns how many matrices there are.
func (h headLayout) matrixCount() int { return h.sequences * h.count }

// elementsEach returns the number of elements of queries, as of keys, values and results.
func (h headLayout) elementsEach() int { return h.rows * h.count * h.depth }

// splitHeads copies the thirds of packed rows by heads, in bf16: operands [length, depth].
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

// newScores takes scratch memory for matrices of scores: in float32 for results of products, in
// bf16 for what products read.
func (d *Device) newScores(h headLayout, half bool) operand {
	n := h.matrixCount() * h.length * h.scoreStride()
	if half {
		return h.batchOperand(d.scratchHalves(n), h.length, h.scoreStride())
	}
	return h.batchOperand(d.scratchFloats(n), h.length, h.scoreStride())
}

// matrixAttention is Attention with products of whole matrices.
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

// matrixAttentionBackward is AttentionBackward with products of whole matrices.
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
