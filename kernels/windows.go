package kernels

// Windows are the squares of Size² pixels that images of Side² pixels fall into, moved
// by Shift pixels down and to the right: what is moved out at the end of a side comes
// back at its beginning (Liu et al. 2021, §3.2). x [n·Side², c] is of n images.
type Windows struct{ Side, Size, Shift int }

// area is the number of pixels of a window.
func (w Windows) area() int { return w.Size * w.Size }

// cells is how many offsets there are between two pixels of a window.
func (w Windows) cells() int { return (2*w.Size - 1) * (2*w.Size - 1) }

// fits says whether x is whole images that fall into windows.
func (w Windows) fits(x Tensor) bool {
	return w.Size > 0 && w.Side > 0 && w.Side%w.Size == 0 && w.Shift >= 0 && w.Shift < w.Size && x.Rows%(w.Side*w.Side) == 0
}

// Count is how many windows there are in x.
func (w Windows) Count(x Tensor) int { return x.Rows / (w.Size * w.Size) }

// Row is the row of x that a pixel of a window has. Windows are counted by images, then
// by rows, and so are the pixels of one.
func (w Windows) Row(window, pixel int) int {
	across := w.Side / w.Size
	image, at := window/(across*across), window%(across*across)
	y, x := at/across*w.Size+pixel/w.Size, at%across*w.Size+pixel%w.Size
	return (image*w.Side+(y+w.Shift)%w.Side)*w.Side + (x+w.Shift)%w.Side
}

// Region says which of what lies beside each other in a window, and not in the image, a
// pixel is of: pixels of one region see each other.
func (w Windows) Region(window, pixel int) (region int) {
	across := w.Side / w.Size
	at := window % (across * across)
	if at/across*w.Size+pixel/w.Size >= w.Side-w.Shift {
		region = 1
	}
	if at%across*w.Size+pixel%w.Size >= w.Side-w.Shift {
		region += 2
	}
	return region
}

// Whole says whether all pixels of a window see each other.
func (w Windows) Whole(window int) bool {
	return w.Shift == 0 || w.Region(window, 0) == w.Region(window, w.area()-1)
}

// Cell is the row of the table of biases for two pixels of a window.
func (w Windows) Cell(i, j int) int {
	y, x := i/w.Size-j/w.Size, i%w.Size-j%w.Size
	return (y+w.Size-1)*(2*w.Size-1) + x + w.Size - 1
}
