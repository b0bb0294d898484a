package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// Attention of sequences of one length over whole matrices: one batch of products
// for all heads of all sequences, of copies in bf16 that lie head by head.

// stride is how many elements the rows of scores have: a multiple of 8, as tensor
// cores want it.
func (h heads) stride() int { return (h.length + 7) / 8 * 8 }

// batch is how many matrices there are.
func (h heads) batch() int { return h.sequences * h.count }

// each is the number of elements of one of queries, keys, values and results.
func (h heads) each() int { return h.rows * h.count * h.depth }

// split lays the thirds of packed rows out by heads, in bf16: operands [length, depth].
func (d *Device) split(h heads, from uint64, thirds int) []operand {
	to := d.halves(thirds * h.each())
	d.launch("heads_split", to, from, thirds, h.length, h.count, h.depth, none, h.sequences)
	all := make([]operand, thirds)
	for i := range all {
		all[i] = h.slices(to+uint64(i*h.each())*cublaslt.BFloat16.Bytes(), h.depth, h.depth)
	}
	return all
}

// slices is a batch of matrices [length, cols] as an operand.
func (h heads) slices(address uint64, cols, stride int) operand {
	return operand{cublaslt.Matrix{Address: address, Stride: stride, Step: h.length * stride}, h.length, cols}
}

// batchProduct computes to = a·b for each matrix of the batch.
func (d *Device) batchProduct(h heads, to, a, b operand) {
	d.fail(d.multiply(&cublaslt.Product{
		Type: cublaslt.BFloat16, M: a.rows, K: a.cols, N: b.cols, A: a.Matrix, B: b.Matrix, C: to.Matrix, D: to.Matrix, Batch: h.batch(),
	}))
}

// scores takes scratch memory for matrices of scores: of products, in float32, or
// of what products read, in bf16.
func (d *Device) scores(h heads, half bool) operand {
	n := h.batch() * h.length * h.stride()
	if half {
		return h.slices(d.halves(n), h.length, h.stride())
	}
	return h.slices(d.floats(n), h.length, h.stride())
}

func (d *Device) wholeAttention(y, lse, qkv kernels.Tensor, h heads) {
	all := d.split(h, qkv.Address, 3)
	q, k, v := all[0], all[1], all[2]
	scores, shares := d.scores(h, false), d.scores(h, true)
	d.batchProduct(h, scores, q, k.transposed())
	d.launch("heads_softmax", shares.Address, lse.Address, scores.Address, h.sequences, h.count, h.length, h.stride(), h.scale, h.causal)
	out := h.slices(d.floats(h.each()), h.depth, h.depth)
	d.batchProduct(h, out, shares, v)
	d.launch("heads_merge", y.Address, y.Half, out.Address, 1, h.length, h.count, h.depth, none, h.sequences, false)
}

func (d *Device) wholeAttentionBackward(dqkv kernels.Grad, dy, lse, qkv kernels.Tensor, h heads) {
	all := d.split(h, qkv.Address, 3)
	q, k, v := all[0], all[1], all[2]
	g := d.split(h, dy.Address, 1)[0]
	scores, slopes := d.scores(h, false), d.scores(h, false)
	d.batchProduct(h, scores, q, k.transposed())
	d.batchProduct(h, slopes, g, v.transposed())
	shares, ds := d.scores(h, true), d.scores(h, true)
	d.launch("heads_softmax_backward", shares.Address, ds.Address, scores.Address, slopes.Address, lse.Address,
		h.sequences, h.count, h.length, h.stride(), h.scale, h.causal)
	to := d.floats(3 * h.each())
	third := func(i int) operand { return h.slices(to+uint64(i*h.each())*elementBytes, h.depth, h.depth) }
	d.batchProduct(h, third(0), ds, k)
	d.batchProduct(h, third(1), ds.transposed(), q)
	d.batchProduct(h, third(2), shares.transposed(), g)
	d.launch("heads_merge", dqkv.Address, none, to, 3, h.length, h.count, h.depth, none, h.sequences, dqkv.Add)
}
