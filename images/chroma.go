package images

import "image"

// chroma makes rows of chroma as wide as luma. Where there are half as many
// columns or rows it interpolates, as libjpeg-turbo ("fancy upsampling") and libwebp
// do by default: of two neighbours the nearer weighs 3, the other 1, and in two
// directions 9, 3, 3 and 1. Else it repeats.
type chroma struct {
	width, height int // in pixels of chroma
	stride        int
	across, down  int // pixels of luma a pixel of chroma
	webp          bool

	cb, cr []byte   // a row of luma's width, with room for one more
	column []uint16 // the sum of a row above and one below
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

// upsampleRow is a row of a plane, in luma's pixels.
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
		blendNinths(row, near, far)
	case c.across == 2 && c.down == 2 && c.width > 2:
		c.upsampleBoth(row, near, far)
	case c.across == 2 && c.down == 1 && c.width > 2:
		upsampleHalf(row, near)
	case c.across == 1 && c.down == 2:
		blendRows(row, near, far, y%2)
	default:
		for i := range row {
			row[i] = near[i/c.across]
		}
	}
	return row
}

// upsampleBoth interpolates rows and then columns.
func (c *chroma) upsampleBoth(row, near, far []byte) {
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

// upsampleHalf interpolates columns.
func upsampleHalf(row, near []byte) {
	last := len(near) - 1
	row[0], row[2*last+1] = near[0], near[last]
	for i := range last {
		left, right := uint16(near[i]), uint16(near[i+1])
		row[2*i+1] = uint8((3*left + right + 2) >> 2)
		row[2*i+2] = uint8((3*right + left + 1) >> 2)
	}
}

// blendRows interpolates rows; bias, 1 more in the lower of two, rounds.
func blendRows(row, near, far []byte, lower int) {
	bias := uint16(1 + lower)
	for i, v := range near {
		row[i] = uint8((3*uint16(v) + uint16(far[i]) + bias) >> 2)
	}
}

// blendNinths interpolates rows and columns as libwebp rounds: in two steps.
func blendNinths(row, near, far []byte) {
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
