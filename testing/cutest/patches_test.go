package cutest

import (
	"slices"

	"capgraph/kernels"
)

// slice returns n rows of a tensor.
func slice(t kernels.Tensor, first, n int) kernels.Tensor {
	t.F32, t.Rows = t.F32[first*t.Cols:(first+n)*t.Cols], n
	return t
}

// padded are the rows of blocks, of which each has as many.
type padded struct {
	starts       kernels.Ints
	images, most int
}

// padBlocks pads blocks to two rows more than the longest has.
func padBlocks(b kernels.Blocks) padded {
	p := padded{starts: b.Starts, images: b.First.Len()}
	for i := range p.images {
		_, _, n := b.Rows(i)
		p.most = max(p.most, n+2)
	}
	return p
}

// newMatrix returns memory for the rows of all blocks.
func (p padded) newMatrix(cols int) kernels.Tensor {
	rows := p.images * p.most
	return kernels.Tensor{Rows: rows, Cols: cols, Memory: kernels.Memory{F32: nonsense(rows * cols)}}
}

// block returns the rows of a block.
func (p padded) block(t kernels.Tensor, i int) kernels.Tensor { return slice(t, i*p.most, p.most) }

// padRows copies the rows of blocks to a matrix.
func (d *device) padRows(p padded, x kernels.Tensor, first kernels.Ints, interleaved bool) kernels.Tensor {
	m := p.newMatrix(x.Cols)
	d.run("blocks_pad", m, x, first, p.starts, p.images, p.most, x.Cols, interleaved)
	return m
}

// sumBlocks adds the rows of blocks.
func (d *device) sumBlocks(p padded, y, from kernels.Tensor, first kernels.Ints, add bool) {
	d.run("blocks_sum", y, from, first, p.starts, p.images, p.most, y.Rows, y.Cols, add)
}

func (d *device) BlockProduct(y, x, z kernels.Tensor, b kernels.Blocks) {
	p := padBlocks(b)
	rows, products := d.padRows(p, x, b.First, false), p.newMatrix(y.Cols)
	for i := range p.images {
		multiply(p.block(products, i).F32, factor(p.block(rows, i)), factor(slice(z, i*y.Cols, y.Cols)).t(), false)
	}
	d.sumBlocks(p, y, products, b.Starts, false)
}

func (d *device) BlockProductBackward(dx, dz kernels.Grad, dy, x, z kernels.Tensor, b kernels.Blocks) {
	begin(dx)
	begin(dz)
	p := padBlocks(b)
	slopes := d.padRows(p, dy, b.Starts, false)
	if !dz.IsNone() {
		rows := d.padRows(p, x, b.First, false)
		for i := range p.images {
			multiply(slice(dz.Tensor, i*dy.Cols, dy.Cols).F32, factor(p.block(slopes, i)).t(), factor(p.block(rows, i)), true)
		}
	}
	if dx.IsNone() {
		return
	}
	if shared := x.Rows; dy.Rows == p.images*shared && slices.Max(b.First.Host) == 0 { // by all images
		slopes = d.padRows(padded{b.Starts, p.images, shared}, dy, b.Starts, true)
		slopes.Rows, slopes.Cols = shared, p.images*dy.Cols
		multiply(dx.F32, factor(slopes), factor(z), true)
		return
	}
	products := p.newMatrix(x.Cols)
	for i := range p.images {
		multiply(p.block(products, i).F32, factor(p.block(slopes, i)), factor(slice(z, i*dy.Cols, dy.Cols)), false)
	}
	d.sumBlocks(p, dx.Tensor, products, b.First, true)
}

func (d *device) PooledCosine(y, kept, s, g kernels.Tensor, starts kernels.Ints, weights kernels.PatchWeights) {
	if kept.IsNone() {
		kept.F32 = nonsense(s.Rows * (s.Cols + 1))
	}
	d.run("pooledcosine_forward", y, kept.F32, s, g, starts, starts.Len()-1, s.Rows, s.Cols, weights == kernels.MinMaxWeights)
}

func (d *device) PooledCosineBackward(ds, dg kernels.Grad, dy, y, kept, s, g kernels.Tensor, starts kernels.Ints, weights kernels.PatchWeights) {
	images := starts.Len() - 1
	if !ds.IsNone() {
		d.run("pooledcosine_texts", ds, nonsense(s.Len()), dy, y, kept, s, g, starts, images, s.Rows, s.Cols, weights == kernels.MinMaxWeights, ds.Add)
	}
	if !dg.IsNone() {
		d.run("pooledcosine_patches", dg, dy, y, kept, starts, images, s.Cols, dg.Add)
	}
}
