package cuda

import "capgraph/kernels"

// The operations that move a window over images.

// Unfold implements kernels.Device.
func (d *Device) Unfold(y, x kernels.Tensor, w kernels.Window) {
	d.launch("unfold", y.Address, y.Half, x.Address, none, imageCount(x, w.Side), w.Side, w.OutputSide(), w.Kernel, w.Stride, w.Padding, x.Cols)
}

// Fold implements kernels.Device.
func (d *Device) Fold(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	d.launch("fold", dx.Address, dy.Address, none, imageCount(dx.Tensor, w.Side), w.Side, w.OutputSide(), w.Kernel, w.Stride, w.Padding, dx.Cols, dx.Add)
}

// AveragePool implements kernels.Device.
func (d *Device) AveragePool(y, x kernels.Tensor, w kernels.Window) {
	d.launch("averagepool_forward", y.Address, y.Half, x.Address, none, imageCount(x, w.Side), w.Side, w.OutputSide(), w.Kernel, x.Cols)
}

// AveragePoolBackward implements kernels.Device.
func (d *Device) AveragePoolBackward(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	d.launch("averagepool_backward", dx.Address, dy.Address, none, imageCount(dx.Tensor, w.Side), w.Side, w.OutputSide(), w.Kernel, dx.Cols, dx.Add)
}

// imageCount returns how many images of side² pixels x has.
func imageCount(x kernels.Tensor, side int) int { return x.Rows / (side * side) }
