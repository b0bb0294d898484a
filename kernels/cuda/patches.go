package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// The operations that compare texts with the patches of images.

// rowsOperand returns n rows of a tensor as an operand in float32.
func rowsOperand(t kernels.Tensor, first, n int) operand {
	o := float32Operand(t)
	o.Address += uint64(first*t.Cols) * elementBytes
	o.rows = n
	return o
}

// BlockProduct implements kernels.Device. Its products are in float32: they are compared as logits are.
func (d *Device) BlockProduct(y, x, z kernels.Tensor, b kernels.Blocks) {
	for i := range b.First.Len() {
		first, result, n := b.Rows(i)
		d.multiplyOperands(cublaslt.Float32, rowsOperand(y, result, n), rowsOperand(x, first, n), rowsOperand(z, i*y.Cols, y.Cols).transpose(), false)
	}
}

// BlockProductBackward implements kernels.Device.
func (d *Device) BlockProductBackward(dx, dz kernels.Grad, dy, x, z kernels.Tensor, b kernels.Blocks) {
	for _, g := range []kernels.Grad{dx, dz} {
		if !g.IsNone() && !g.Add {
			d.Zero(g.Tensor) // blocks share rows, and may have none
		}
	}
	for i := range b.First.Len() {
		first, result, n := b.Rows(i)
		slopes := rowsOperand(dy, result, n)
		if !dx.IsNone() {
			d.multiplyOperands(cublaslt.Float32, rowsOperand(dx.Tensor, first, n), slopes, rowsOperand(z, i*dy.Cols, dy.Cols), true)
		}
		if !dz.IsNone() {
			d.multiplyOperands(cublaslt.Float32, rowsOperand(dz.Tensor, i*dy.Cols, dy.Cols), slopes.transpose(), rowsOperand(x, first, n), true)
		}
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
