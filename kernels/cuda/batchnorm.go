package cuda

import "capgraph/kernels"

// Moments implements kernels.Device.
func (d *Device) Moments(mean, variance, x kernels.Tensor) {
	d.resetScratch()
	sums := d.scratchFloats(2 * partCount(x.Rows, rowsPerPart) * x.Cols)
	d.launch("moments_parts", sums, x.Address, none, x.Rows, x.Cols)
	d.launch("moments", mean.Address, variance.Address, sums, none, x.Rows, x.Cols)
}

// UpdateAverages implements kernels.Device.
func (d *Device) UpdateAverages(mean, variance, batchMean, batchVariance kernels.Tensor, n int, momentum float64) {
	unbiased := float64(n) / float64(max(n-1, 1))
	d.launch("moments_move", mean.Address, variance.Address, batchMean.Address, batchVariance.Address, momentum, unbiased, mean.Len())
}

// BatchNorm implements kernels.Device.
func (d *Device) BatchNorm(y, x, mean, variance, gain, bias, residual kernels.Tensor, eps float64, rectified bool) {
	d.launch("batchnorm_forward", y.Address, y.Half, x.Address, mean.Address, variance.Address, gain.Address, bias.Address, residual.Address,
		eps, rectified, none, x.Rows, x.Cols)
}

// BatchNormBackward implements kernels.Device.
func (d *Device) BatchNormBackward(dx, dgain, dbias kernels.Grad, dy, y, x, mean, variance, gain kernels.Tensor, eps float64, rectified bool) {
	d.resetScratch()
	n := partCount(x.Rows, rowsPerPart)
	sums, along, sum := d.scratchFloats(2*n*x.Cols), d.scratchFloats(x.Cols), d.scratchFloats(x.Cols)
	d.launch("batchnorm_sums", dy.Address, sums, y.Address, x.Address, mean.Address, variance.Address, eps, rectified, none, x.Rows, x.Cols)
	d.launch("column_sum", along, sum, sums, none, x.Rows, rowsPerPart, x.Cols, 2, false, false)
	if !dx.IsNone() {
		d.launch("batchnorm_backward", dx.Address, dy.Address, x.Address, mean.Address, variance.Address, gain.Address, along, sum,
			eps, none, x.Rows, x.Cols, dx.Add)
	}
	if !dgain.IsNone() || !dbias.IsNone() {
		d.launch("column_sum", dgain.Address, dbias.Address, sums, none, x.Rows, rowsPerPart, x.Cols, 2, dgain.Add, dbias.Add)
	}
}
