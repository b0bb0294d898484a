package kernels

// Windows partitions images of Side² pixels into squares of Size² pixels, which are shifted by
// Shift pixels down and to the right. Pixels wrap around at the edges (Liu et al. 2021, §3.2). x
// [n·Side², c] is n images.
type Windows struct{ Side, Size, Shift int }

// area returns the number of pixels of a window.
func (w Windows) area() int { return w.Size * w.Size }

// offsetCount returns the number of possible offsets between two pixels of a window.
func (w Windows) offsetCount() int { return (2*w.Size - 1) * (2*w.Size - 1) }

// fits reports whether x is whole images that divide into whole windows.
func (w Windows) fits(x Tensor) bool {
	return w.Size > 0 && w.Side > 0 && w.Side%w.Size == 0 && w.Shift >= 0 && w.Shift < w.Size && x.Rows%(w.Side*w.Side) == 0
}

// CountIn returns the number of windows in x.
func (w Windows) CountIn(x Tensor) int { return x.Rows / (w.Size * w.Size) }

// Row returns the row of x of a pixel of a window. Windows are numbered image by image, in row
// order; so are the pixels of a window.
func (w Windows) Row(window, pixel int) int {
	across := w.Side / w.Size
	image, at := window/(across*across), window%(across*across)
	y, x := at/across*w.Size+pixel/w.Size, at%across*w.Size+pixel%w.Size
	return (image*w.Side+(y+w.Shift)%w.Side)*w.Side + (x+w.Shift)%w.Side
}

// Region returns the region of a pixel in its window, from 0 to 3. After a shift, a window can have
// pixels from opposite edges of the image, which are different regions. Pixels attend only to their
// own region.
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

// IsWhole reports whether all pixels of a window are in one region.
func (w Windows) IsWhole(window int) bool {
	return w.Shift == 0 || w.Region(window, 0) == w.Region(window, w.area()-1)
}

// Cell returns the row of the bias table for the pixels i and j of a window.
func (w Windows) Cell(i, j int) int {
	y, x := i/w.Size-j/w.Size, i%w.Size-j%w.Size
	return (y+w.Size-1)*(2*w.Size-1) + x + w.Size - 1
}
