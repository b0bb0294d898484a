package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// The operations that compare texts with the patches of images.

// blockRun is consecutive blocks of as many rows each, whose rows are step apart: one batch of products.
type blockRun struct {
	image, count        int // the first of the blocks, and how many
	first, step, result int // rows of the compared matrix and of the results, of the first block
	rows                int // of each block
}

// eachRun calls do with the runs of blocks in their order.
func eachRun(b kernels.Blocks, do func(blockRun)) {
	for i := 0; i < b.First.Len(); {
		r := blockRun{image: i, count: 1}
		r.first, r.result, r.rows = b.Rows(i)
		for i++; i < b.First.Len(); i++ {
			first, _, n := b.Rows(i)
			if r.count == 1 {
				r.step = first - r.first
			}
			if n != r.rows || r.step < 0 || first != r.first+r.count*r.step {
				break
			}
			r.count++
		}
		do(r)
	}
}

// rowsOf returns rows of a tensor as the matrices of a batch in float32: the first begins at row first, the next step rows on.
func rowsOf(t kernels.Tensor, first, step int) cublaslt.Matrix {
	return cublaslt.Matrix{Address: t.Address + uint64(first*t.Cols)*elementBytes, Stride: t.Cols, Step: step * t.Cols}
}

// transposed returns a matrix with rows and columns exchanged.
func transposed(m cublaslt.Matrix) cublaslt.Matrix {
	m.Transposed = !m.Transposed
	return m
}

// multiplyRun computes the products c = a·b [m, n], with sums of k, of count blocks, or with add c += a·b.
func (d *Device) multiplyRun(count, m, k, n int, c, a, b cublaslt.Matrix, add bool) {
	p := &cublaslt.Product{Type: cublaslt.Float32, M: m, K: k, N: n, A: a, B: b, C: c, D: c, Batch: count}
	if add {
		p.Beta = 1
	}
	if count == 1 { // one shape, however far apart the next would be
		p.A.Step, p.B.Step, p.C.Step, p.D.Step = 0, 0, 0, 0
	}
	d.fail(d.multiply(p))
}

// BlockProduct implements kernels.Device. Its products are in float32: they are compared as logits are.
func (d *Device) BlockProduct(y, x, z kernels.Tensor, b kernels.Blocks) {
	eachRun(b, func(r blockRun) {
		d.multiplyRun(r.count, r.rows, x.Cols, y.Cols, rowsOf(y, r.result, r.rows), rowsOf(x, r.first, r.step), transposed(rowsOf(z, r.image*y.Cols, y.Cols)), false)
	})
}

// BlockProductBackward implements kernels.Device.
func (d *Device) BlockProductBackward(dx, dz kernels.Grad, dy, x, z kernels.Tensor, b kernels.Blocks) {
	for _, g := range []kernels.Grad{dx, dz} {
		if !g.IsNone() && !g.Add {
			d.Zero(g.Tensor) // blocks share rows, and may have none
		}
	}
	p := dy.Cols
	eachRun(b, func(r blockRun) {
		slopes := rowsOf(dy, r.result, r.rows)
		if !dz.IsNone() {
			d.multiplyRun(r.count, p, r.rows, x.Cols, rowsOf(dz.Tensor, r.image*p, p), transposed(slopes), rowsOf(x, r.first, r.step), true)
		}
		if dx.IsNone() {
			return
		}
		each := 1 // blocks that share rows add up one after another
		if r.step >= r.rows {
			each = r.count
		}
		for k := 0; k < r.count; k += each {
			d.multiplyRun(each, r.rows, p, x.Cols, rowsOf(dx.Tensor, r.first+k*r.step, r.step), rowsOf(dy, r.result+k*r.rows, r.rows), rowsOf(z, (r.image+k)*p, p), true)
		}
	})
}

// PooledCosine implements kernels.Device.
func (d *Device) PooledCosine(y, kept, s, g kernels.Tensor, starts kernels.Ints, weights kernels.PatchWeights) {
	d.resetScratch()
	if kept.IsNone() {
		kept.Address = d.scratchFloats(s.Rows * (s.Cols + 1))
	}
	d.launch("pooledcosine_forward", y.Address, kept.Address, s.Address, g.Address, starts.Address,
		starts.Len()-1, s.Rows, s.Cols, weights == kernels.MinMaxWeights)
}

// PooledCosineBackward implements kernels.Device.
func (d *Device) PooledCosineBackward(ds, dg kernels.Grad, dy, y, kept, s, g kernels.Tensor, starts kernels.Ints, weights kernels.PatchWeights) {
	d.resetScratch()
	if !ds.IsNone() {
		d.launch("pooledcosine_texts", ds.Address, d.scratchFloats(s.Len()), dy.Address, y.Address, kept.Address, s.Address, g.Address,
			starts.Address, starts.Len()-1, s.Rows, s.Cols, weights == kernels.MinMaxWeights, ds.Add)
	}
	if !dg.IsNone() {
		d.launch("pooledcosine_patches", dg.Address, dy.Address, y.Address, kept.Address, starts.Address, starts.Len()-1, s.Cols, dg.Add)
	}
}
