package cuda

import "capgraph/kernels"

// LayerScale implements kernels.Device.
func (d *Device) LayerScale(y, x, gain, residual kernels.Tensor) {
	d.launch("layerscale_forward", y.Address, x.Address, gain.Address, residual.Address, none, x.Rows, x.Cols)
}

// LayerScaleBackward implements kernels.Device.
func (d *Device) LayerScaleBackward(dx, dgain kernels.Grad, dy, x, gain kernels.Tensor) {
	d.begin()
	sums := none
	if !dgain.None() {
		sums = d.floats(parts(x.Rows, rowsAPart) * x.Cols)
	}
	d.launch("layerscale_backward", dx.Address, sums, dy.Address, x.Address, gain.Address, none, x.Rows, x.Cols, dx.Add)
	if !dgain.None() {
		d.launch("column_sum", dgain.Address, none, sums, none, x.Rows, rowsAPart, x.Cols, 1, dgain.Add, false)
	}
}
