package cutest

import "capgraph/kernels"

func (d *device) Moments(mean, variance, x kernels.Tensor) {
	sums := d.partsOf(x, partRows, 2)
	d.run("moments_parts", sums, rowsOf(x), rows(x.Rows), x.Cols)
	d.run("moments", mean, variance, sums, rows(x.Rows), x.Cols)
}

func (d *device) UpdateAverages(mean, variance, batchMean, batchVariance kernels.Tensor, n int, momentum float64) {
	d.run("moments_move", mean, variance, batchMean, batchVariance, momentum, float64(n)/float64(max(n-1, 1)), mean.Len())
}

func (d *device) BatchNorm(y, x, mean, variance, gain, bias, residual kernels.Tensor, eps float64, rectified bool) {
	d.run("batchnorm_forward", rowsOf(y), []uint16(nil), rowsOf(x), mean, variance, gain, bias, rowsOf(residual), eps, rectified, rows(x.Rows), x.Cols)
}

func (d *device) BatchNormBackward(dx, dgain, dbias kernels.Grad, dy, y, x, mean, variance, gain kernels.Tensor, eps float64, rectified bool) {
	sums, along, sum := d.partsOf(x, partRows, 2), nonsense(x.Cols), nonsense(x.Cols)
	slope := rowsOf(dy)
	if d.padded && !rectified { // it is only read then
		slope.added = true
	}
	d.run("batchnorm_sums", slope, sums, rowsOf(y), rowsOf(x), mean, variance, eps, rectified, rows(x.Rows), x.Cols)
	d.run("column_sum", along, sum, sums, rows(x.Rows), partRows, x.Cols, 2, false, false)
	if !dx.IsNone() {
		d.run("batchnorm_backward", gradOf(dx), rowsOf(dy), rowsOf(x), mean, variance, gain, along, sum, eps, rows(x.Rows), x.Cols, dx.Add)
	}
	d.run("column_sum", dgain, dbias, sums, rows(x.Rows), partRows, x.Cols, 2, dgain.Add, dbias.Add)
}
