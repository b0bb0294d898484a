package cpu

import "capgraph/kernels"

// rowsOf returns n rows of a tensor as a matrix.
func rowsOf(t kernels.Tensor, first, n int) matrix {
	return matrix{data: t.F32[first*t.Cols:][:n*t.Cols], rows: n, cols: t.Cols, stride: t.Cols}
}

// eachBlock calls f for each block that is not empty, with its rows of x, of z and of y.
func eachBlock(b kernels.Blocks, x, z, y kernels.Tensor, f func(i int, rows, patches, results matrix)) {
	for i := range b.First.Len() {
		if first, result, n := b.Rows(i); n > 0 {
			f(i, rowsOf(x, first, n), rowsOf(z, i*y.Cols, y.Cols), rowsOf(y, result, n))
		}
	}
}

// BlockProduct implements kernels.Device.
func (d *Device) BlockProduct(y, x, z kernels.Tensor, b kernels.Blocks) {
	eachBlock(b, x, z, y, func(_ int, rows, patches, results matrix) {
		d.multiply(results, rows, patches.transpose(), false, nil)
	})
}

// BlockProductBackward implements kernels.Device.
func (d *Device) BlockProductBackward(dx, dz kernels.Grad, dy, x, z kernels.Tensor, b kernels.Blocks) {
	for _, g := range []kernels.Grad{dx, dz} {
		if !g.IsNone() && !g.Add {
			d.Zero(g.Tensor) // blocks may share rows of x, or be empty: all gradients are added
		}
	}
	eachBlock(b, x, z, dy, func(i int, rows, patches, slopes matrix) {
		first, _, n := b.Rows(i)
		if !dx.IsNone() {
			d.multiply(rowsOf(dx.Tensor, first, n), slopes, patches, true, nil)
		}
		if !dz.IsNone() {
			d.multiply(rowsOf(dz.Tensor, i*dy.Cols, dy.Cols), slopes.transpose(), rows, true, nil)
		}
	})
}
