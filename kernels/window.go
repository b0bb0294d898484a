package kernels

// Window describes a convolution or a pooling over square images. A row of x [n·Side², c] is a
// pixel. The window is Kernel pixels high and wide, moves by Stride, and begins Padding pixels
// outside the image, where all is 0.
type Window struct{ Side, Kernel, Stride, Padding int }

// OutputSide returns the side of the result: the number of places that the window has along a side.
func (w Window) OutputSide() int { return (w.Side+2*w.Padding-w.Kernel)/w.Stride + 1 }

// area returns the number of pixels of the window.
func (w Window) area() int { return w.Kernel * w.Kernel }

// fits reports whether x is whole images, which are large enough for the window.
func (w Window) fits(x Tensor) bool {
	return w.Side > 0 && w.Kernel > 0 && w.Stride > 0 && w.Padding >= 0 && w.Padding < w.Kernel && w.Side+2*w.Padding >= w.Kernel && x.Rows%(w.Side*w.Side) == 0
}

// imageCount returns the number of images in x.
func (w Window) imageCount(x Tensor) int { return x.Rows / (w.Side * w.Side) }

// eachPixel calls f for each place of the window in n images and each of its pixels: with the
// place's row in the result, the pixel's index in the window, and its row in the images. Pixels
// outside the image are skipped.
func (w Window) eachPixel(n int, f func(place, pixel, row int)) {
	out := w.OutputSide()
	for image := range n {
		for at := range out * out {
			for p := range w.area() {
				y, x := at/out*w.Stride+p/w.Kernel-w.Padding, at%out*w.Stride+p%w.Kernel-w.Padding
				if y >= 0 && y < w.Side && x >= 0 && x < w.Side {
					f(image*out*out+at, p, (image*w.Side+y)*w.Side+x)
				}
			}
		}
	}
}
