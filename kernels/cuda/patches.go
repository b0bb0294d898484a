package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// The operations that compare texts with the patches of images.

// evenBlocks returns the number of rows of each block and the distance between the first rows of two blocks, and true,
// if both are the same for all blocks. Then their products are one batch.
func evenBlocks(b kernels.Blocks) (rows, step int, even bool) {
	first, _, rows := b.Rows(0)
	for i := 1; i < b.First.Len(); i++ {
		at, _, n := b.Rows(i)
		if i == 1 {
			step = at - first
		}
		if n != rows || step < 0 || at != first+i*step {
			return 0, 0, false
		}
	}
	return rows, step, true
}

// paddedBlocks are blocks that are padded with rows of 0 to the same number of rows.
type paddedBlocks struct {
	d            *Device
	starts       kernels.Ints
	images, most int
}

// paddedRows is the granularity of padded blocks: their number of rows is a multiple of it. cuBLASLt chooses an
// algorithm for each shape, so few shapes are faster.
const paddedRows = 16

// padBlocks pads blocks.
func (d *Device) padBlocks(b kernels.Blocks) paddedBlocks {
	p := paddedBlocks{d: d, starts: b.Starts, images: b.First.Len()}
	for i := range p.images {
		_, _, n := b.Rows(i)
		p.most = max(p.most, (n+paddedRows-1)/paddedRows*paddedRows)
	}
	return p
}

// newMatrix allocates scratch memory for the padded rows of all blocks.
func (p paddedBlocks) newMatrix(cols int) kernels.Tensor {
	rows := p.images * p.most
	return kernels.Tensor{Rows: rows, Cols: cols, Memory: kernels.Memory{Address: p.d.scratchFloats(rows * cols)}}
}

// padRows copies the rows of x block by block, with padding; block i begins at row first[i] of x. If interleaved, the
// copies are ordered by row within the block, then by block.
func (p paddedBlocks) padRows(x kernels.Tensor, first kernels.Ints, interleaved bool) kernels.Tensor {
	m := p.newMatrix(x.Cols)
	p.d.launch("blocks_pad", m.Address, x.Address, first.Address, p.starts.Address, p.images, p.most, x.Cols, interleaved)
	return m
}

// sumBlocks writes to each row of y the sum of its padded rows, or adds it; block i begins at row first[i] of y.
func (p paddedBlocks) sumBlocks(y kernels.Tensor, padded kernels.Tensor, first kernels.Ints, add bool) {
	p.d.launch("blocks_sum", y.Address, padded.Address, first.Address, p.starts.Address, p.images, p.most, y.Rows, y.Cols, add)
}

// rowsOf returns rows of a tensor as a batch of matrices: the first matrix begins at row first, each further one step
// rows later.
func rowsOf(t kernels.Tensor, first, step int) cublaslt.Matrix {
	return cublaslt.Matrix{Address: t.Address + uint64(first*t.Cols)*elementBytes, Stride: t.Cols, Step: step * t.Cols}
}

// transposed returns a matrix with rows and columns exchanged.
func transposed(m cublaslt.Matrix) cublaslt.Matrix {
	m.Transposed = !m.Transposed
	return m
}

// multiplyBlocks computes c = a·b or, if add is true, c += a·b, for count blocks: a [m, k], b [k, n], c [m, n].
func (d *Device) multiplyBlocks(count, m, k, n int, c, a, b cublaslt.Matrix, add bool) {
	p := &cublaslt.Product{Type: cublaslt.Float32, M: m, K: k, N: n, A: a, B: b, C: c, D: c, Batch: count}
	if add {
		p.Beta = 1
	}
	if count == 1 { // the step is not used: one shape for all
		p.A.Step, p.B.Step, p.C.Step, p.D.Step = 0, 0, 0, 0
	}
	d.fail(d.multiply(p))
}

// BlockProduct implements kernels.Device. The products are computed in float32 in both precisions, because they are
// similarities.
func (d *Device) BlockProduct(y, x, z kernels.Tensor, b kernels.Blocks) {
	images, patches := b.First.Len(), transposed(rowsOf(z, 0, y.Cols))
	if rows, step, even := evenBlocks(b); even {
		d.multiplyBlocks(images, rows, x.Cols, y.Cols, rowsOf(y, 0, rows), rowsOf(x, int(b.First.Host[0]), step), patches, false)
		return
	}
	d.resetScratch()
	p := d.padBlocks(b)
	products := p.newMatrix(y.Cols)
	d.multiplyBlocks(images, p.most, x.Cols, y.Cols, rowsOf(products, 0, p.most), rowsOf(p.padRows(x, b.First, false), 0, p.most), patches, false)
	p.sumBlocks(y, products, b.Starts, false)
}

// BlockProductBackward implements kernels.Device.
func (d *Device) BlockProductBackward(dx, dz kernels.Grad, dy, x, z kernels.Tensor, b kernels.Blocks) {
	d.resetScratch()
	for _, g := range []kernels.Grad{dx, dz} {
		if !g.IsNone() && !g.Add {
			d.Zero(g.Tensor) // blocks may share rows of x, or be empty: all gradients are added
		}
	}
	rows, step, even := evenBlocks(b)
	if !even || step > 0 && step < rows { // blocks that share some rows
		d.paddedBackward(dx, dz, dy, x, z, b)
		return
	}
	images, p, first := b.First.Len(), dy.Cols, int(b.First.Host[0])
	if !dz.IsNone() {
		d.multiplyBlocks(images, p, rows, x.Cols, rowsOf(dz.Tensor, 0, p), transposed(rowsOf(dy, 0, rows)), rowsOf(x, first, step), true)
	}
	switch {
	case dx.IsNone():
	case step == 0: // blocks that share all rows: one product, whose sums are over all images
		slopes := paddedBlocks{d, b.Starts, images, rows}.padRows(dy, b.Starts, true)
		slopes.Rows, slopes.Cols = rows, images*p
		d.multiplyBlocks(1, rows, images*p, x.Cols, rowsOf(dx.Tensor, first, 0), rowsOf(slopes, 0, 0), rowsOf(z, 0, 0), true)
	default:
		d.multiplyBlocks(images, rows, p, x.Cols, rowsOf(dx.Tensor, first, step), rowsOf(dy, 0, rows), rowsOf(z, 0, p), true)
	}
}

// paddedBackward adds the gradients of blocks that differ in size or overlap, which it pads.
func (d *Device) paddedBackward(dx, dz kernels.Grad, dy, x, z kernels.Tensor, b kernels.Blocks) {
	p := d.padBlocks(b)
	slopes := rowsOf(p.padRows(dy, b.Starts, false), 0, p.most)
	if !dz.IsNone() {
		d.multiplyBlocks(p.images, dy.Cols, p.most, x.Cols, rowsOf(dz.Tensor, 0, dy.Cols), transposed(slopes), rowsOf(p.padRows(x, b.First, false), 0, p.most), true)
	}
	if !dx.IsNone() {
		products := p.newMatrix(x.Cols)
		d.multiplyBlocks(p.images, p.most, dy.Cols, x.Cols, rowsOf(products, 0, p.most), slopes, rowsOf(z, 0, dy.Cols), false)
		p.sumBlocks(dx.Tensor, products, b.First, true)
	}
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
