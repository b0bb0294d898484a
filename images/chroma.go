package images

import "image"

// chroma upsamples rows of chroma to the width of luma. For halved rows or columns it interpolates
// as libjpeg-turbo ("fancy upsampling") and libwebp do by default: of two neighbours the nearer has
// the weight 3, the other 1; in two directions the weights are 9, 3, 3 and 1. For other ratios it
// repeats pixels.
type chroma struct {
	width, height int // in pixels of chroma
	stride        int
	across, down  int // pixels of luma for one of chroma
	webp          bool

	cb, cr []byte   // an output row, with space for one more pixel
	column []uint16 // weighted sums of a row and its neighbour
}

func (c *chroma) prepare(m *image.YCbCr, webp bool) {
	c.across, c.down = 1, 1
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio422:
		c.across = 2
	case image.YCbCrSubsampleRatio420:
		c.across, c.down = 2, 2
	case image.YCbCrSubsampleRatio440:
		c.down = 2
	case image.YCbCrSubsampleRatio411:
		c.across = 4
	case image.YCbCrSubsampleRatio410:
		c.across, c.down = 4, 2
	}
	size := m.Bounds().Max
	c.width, c.height = (size.X+c.across-1)/c.across, (size.Y+c.down-1)/c.down
	c.stride, c.webp = m.CStride, webp
	if n := c.width * c.across; cap(c.cb) < n {
		c.cb, c.cr = make([]byte, n), make([]byte, n)
	}
	if cap(c.column) < c.width {
		c.column = make([]uint16, c.width)
	}
}

// upsampleRow returns row y of luma's pixels for a plane of chroma. It may use the memory of room.
func (c *chroma) upsampleRow(plane []byte, room *[]byte, y int) []byte {
	at := y / c.down
	near := plane[at*c.stride:][:c.width]
	other := at + 1
	if y%c.down == 0 {
		other = at - 1
	}
	far := plane[min(max(other, 0), c.height-1)*c.stride:][:c.width]
	row := (*room)[:c.width*c.across]
	switch {
	case c.across == 1 && c.down == 1:
		return near
	case c.webp:
		interpolateWebP(row, near, far)
	case c.across == 2 && c.down == 2 && c.width > 2:
		c.interpolateBoth(row, near, far)
	case c.across == 2 && c.down == 1 && c.width > 2:
		interpolateColumns(row, near)
	case c.across == 1 && c.down == 2:
		interpolateRows(row, near, far, y%2)
	default:
		for i := range row {
			row[i] = near[i/c.across]
		}
	}
	return row
}

// interpolateBoth interpolates between two rows and then between columns.
func (c *chroma) interpolateBoth(row, near, far []byte) {
	column := c.column[:len(near)]
	far = far[:len(near)]
	for i, v := range near {
		column[i] = 3*uint16(v) + uint16(far[i])
	}
	last := len(column) - 1
	row[0], row[2*last+1] = uint8((4*column[0]+8)>>4), uint8((4*column[last]+7)>>4)
	left := column[0]
	inner := row[1 : 2*last+1]
	for _, right := range column[1:] {
		inner[0] = uint8((3*left + right + 7) >> 4)
		inner[1] = uint8((3*right + left + 8) >> 4)
		left, inner = right, inner[2:]
	}
}

// interpolateColumns interpolates between the columns of one row.
func interpolateColumns(row, near []byte) {
	last := len(near) - 1
	row[0], row[2*last+1] = near[0], near[last]
	for i := range last {
		left, right := uint16(near[i]), uint16(near[i+1])
		row[2*i+1] = uint8((3*left + right + 2) >> 2)
		row[2*i+2] = uint8((3*right + left + 1) >> 2)
	}
}

// interpolateRows interpolates between two rows. lower is 1 for the lower of two output rows, which is
// rounded differently.
func interpolateRows(row, near, far []byte, lower int) {
	bias := uint16(1 + lower)
	for i, v := range near {
		row[i] = uint8((3*uint16(v) + uint16(far[i]) + bias) >> 2)
	}
}

// interpolateWebP interpolates between two rows and between columns, rounded in two steps as libwebp does.
func interpolateWebP(row, near, far []byte) {
	last := len(near) - 1
	row[0] = uint8((3*uint16(near[0]) + uint16(far[0]) + 2) >> 2)
	row[2*last+1] = uint8((3*uint16(near[last]) + uint16(far[last]) + 2) >> 2)
	for i := range last {
		n0, n1 := uint16(near[i]), uint16(near[i+1])
		f0, f1 := uint16(far[i]), uint16(far[i+1])
		sum := n0 + n1 + f0 + f1 + 8
		row[2*i+1] = uint8((((sum + 2*(n1+f0)) >> 3) + n0) >> 1)
		row[2*i+2] = uint8((((sum + 2*(n0+f1)) >> 3) + n1) >> 1)
	}
}
