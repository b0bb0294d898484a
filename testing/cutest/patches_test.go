package cutest

import "capgraph/kernels"

// slice returns n rows of a tensor.
func slice(t kernels.Tensor, first, n int) kernels.Tensor {
	t.F32, t.Rows = t.F32[first*t.Cols:(first+n)*t.Cols], n
	return t
}

func (d *device) BlockProduct(y, x, z kernels.Tensor, b kernels.Blocks) {
	for i := range b.First.Len() {
		first, result, n := b.Rows(i)
		multiply(slice(y, result, n).F32, factor(slice(x, first, n)), factor(slice(z, i*y.Cols, y.Cols)).t(), false)
	}
}

func (d *device) BlockProductBackward(dx, dz kernels.Grad, dy, x, z kernels.Tensor, b kernels.Blocks) {
	begin(dx)
	begin(dz)
	for i := range b.First.Len() {
		first, result, n := b.Rows(i)
		slopes := factor(slice(dy, result, n))
		if !dx.IsNone() {
			multiply(slice(dx.Tensor, first, n).F32, slopes, factor(slice(z, i*dy.Cols, dy.Cols)), true)
		}
		if !dz.IsNone() {
			multiply(slice(dz.Tensor, i*dy.Cols, dy.Cols).F32, slopes.t(), factor(slice(x, first, n)), true)
		}
	}
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
