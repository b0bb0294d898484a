package cpu

import "capgraph/kernels"

// averagePool is the means of windows, a part some of them, or the way back, a part
// some pixels.
type averagePool struct {
	rowParts
	d     *Device
	y, x  kernels.Tensor
	dx    kernels.Grad
	w     kernels.Window
	out   int
	share float32 // of a pixel in its mean
	back  bool
}

// AveragePool implements kernels.Device.
func (d *Device) AveragePool(y, x kernels.Tensor, w kernels.Window) {
	d.averagePool = averagePool{rowParts: partsOf(y.Rows, y.Cols), d: d, y: y, x: x, w: w, out: w.Out(), share: 1 / float32(w.Kernel*w.Kernel)}
	d.pool.run(d.averagePool.count(), &d.averagePool)
}

// AveragePoolBackward implements kernels.Device.
func (d *Device) AveragePoolBackward(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	d.averagePool = averagePool{rowParts: partsOf(dx.Rows, dx.Cols), d: d, y: dy, dx: dx, w: w, out: w.Out(), share: 1 / float32(w.Kernel*w.Kernel), back: true}
	d.pool.run(d.averagePool.count(), &d.averagePool)
}

// part implements work.
func (p *averagePool) part(_ *worker, i int) {
	first, end := p.bounds(i)
	for at := first; at < end; at++ {
		if p.back {
			p.pixel(at)
		} else {
			p.mean(at)
		}
	}
}

// mean is one place of the window.
func (p *averagePool) mean(at int) {
	to, w := row(p.y, at), p.w
	image, top, left := at/(p.out*p.out), at/p.out%p.out*w.Stride, at%p.out*w.Stride
	clear(to)
	for pixel := range w.Kernel * w.Kernel {
		p.d.set.Add(to, row(p.x, (image*w.Side+top+pixel/w.Kernel)*w.Side+left+pixel%w.Kernel))
	}
	p.d.set.Scale(to, to, p.share)
}

// pixel is the gradient of one pixel.
func (p *averagePool) pixel(at int) {
	to, w := row(p.dx.Tensor, at), p.w
	image, top, left := at/(w.Side*w.Side), at/w.Side%w.Side/w.Stride, at%w.Side/w.Stride
	switch {
	case top >= p.out || left >= p.out:
		if !p.dx.Add {
			clear(to)
		}
	case p.dx.Add:
		p.d.set.AddScaled(to, row(p.y, (image*p.out+top)*p.out+left), p.share)
	default:
		p.d.set.Scale(to, row(p.y, (image*p.out+top)*p.out+left), p.share)
	}
}
