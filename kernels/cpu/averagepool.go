package cpu

import "capgraph/kernels"

// AveragePool implements kernels.Device.
func (d *Device) AveragePool(y, x kernels.Tensor, w kernels.Window) {
	d.runWindow(y, x, w, (*windowOp).poolPlace)
}

// AveragePoolBackward implements kernels.Device.
func (d *Device) AveragePoolBackward(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	d.runWindowBackward(dx, dy, w, (*windowOp).unpoolPixel)
}

// poolShare returns the weight of a pixel in the mean of its window.
func (o *windowOp) poolShare() float32 { return 1 / float32(o.w.Kernel*o.w.Kernel) }

// poolPlace computes row at of the result: the mean of the window at one place.
func (o *windowOp) poolPlace(at int) {
	to, w := rowOf(o.y, at), o.w
	image, top, left := at/(o.out*o.out), at/o.out%o.out*w.Stride, at%o.out*w.Stride
	clear(to)
	for pixel := range w.Kernel * w.Kernel {
		o.d.set.Add(to, rowOf(o.x, (image*w.Side+top+pixel/w.Kernel)*w.Side+left+pixel%w.Kernel))
	}
	o.d.set.Scale(to, to, o.poolShare())
}

// unpoolPixel computes row at of dx: the gradient of one pixel.
func (o *windowOp) unpoolPixel(at int) {
	to, w := rowOf(o.dx.Tensor, at), o.w
	image, top, left := at/(w.Side*w.Side), at/w.Side%w.Side/w.Stride, at%w.Side/w.Stride
	switch {
	case top >= o.out || left >= o.out:
		if !o.dx.Add {
			clear(to)
		}
	case o.dx.Add:
		o.d.set.AddScaled(to, rowOf(o.y, (image*o.out+top)*o.out+left), o.poolShare())
	default:
		o.d.set.Scale(to, rowOf(o.y, (image*o.out+top)*o.out+left), o.poolShare())
	}
}
