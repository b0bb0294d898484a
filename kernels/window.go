package kernels

// Window is what a convolution or a pooling sees of square images whose rows are
// pixels, channels side by side: x [n·Side², c] is of n images. It is Kernel pixels
// high and wide, moves by Stride, and begins Padding pixels outside, where all is 0.
type Window struct{ Side, Kernel, Stride, Padding int }

// Out is the side of what comes out: as many places the window has along a side.
func (w Window) Out() int { return (w.Side+2*w.Padding-w.Kernel)/w.Stride + 1 }

// area is the number of pixels that the window sees at once.
func (w Window) area() int { return w.Kernel * w.Kernel }

// fits says whether x is whole images that the window has a place in.
func (w Window) fits(x Tensor) bool {
	return w.Side > 0 && w.Kernel > 0 && w.Stride > 0 && w.Padding >= 0 && w.Padding < w.Kernel && w.Side+2*w.Padding >= w.Kernel && x.Rows%(w.Side*w.Side) == 0
}

// images is how many there are in x.
func (w Window) images(x Tensor) int { return x.Rows / (w.Side * w.Side) }

// each calls f for what the window sees of n images: the row of what comes out, which
// pixel of the window it is, and its row of the images, in order; what lies outside is
// left out.
func (w Window) each(n int, f func(place, pixel, row int)) {
	out := w.Out()
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
