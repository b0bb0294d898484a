package cuda

import "capgraph/kernels"

// LayerScale implements kernels.Device.
func (d *Device) LayerScale(y, x, gain, residual kernels.Tensor) {
	d.launch("layerscale_forward", y.Address, x.Address, gain.Address, residual.Address, none, x.Rows, x.Cols)
}

// LayerScaleBackward implements kernels.Device.
func (d *Device) LayerScaleBackward(dx, dgain kernels.Grad, dy, x, gain kernels.Tensor) {
	d.resetScratch()
	sums := none
	if !dgain.IsNone() {
		sums = d.scratchFloats(partCount(x.Rows, rowsPerPart) * x.Cols)
	}
	d.launch("layerscale_backward", dx.Address, sums, dy.Address, x.Address, gain.Address, none, x.Rows, x.Cols, dx.Add)
	if !dgain.IsNone() {
		d.launch("column_sum", dgain.Address, none, sums, none, x.Rows, rowsPerPart, x.Cols, 1, dgain.Add, false)
	}
}
