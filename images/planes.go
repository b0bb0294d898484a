package images

import "image"

// convertPlanes fills d.pixels with a part of an image in planes. Of chroma that has fewer
// pixels than luma, as many rows and columns as the part needs are made.
func (d *Decoder) convertPlanes(m *image.YCbCr, box image.Rectangle, webp bool) {
	c := &d.chroma
	c.prepare(m, webp)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		cb, cr := c.upsampleRow(m.Cb, &c.cb, y), c.upsampleRow(m.Cr, &c.cr, y)
		luma := m.Y[m.YOffset(0, y):]
		dst := d.pixels.RGBX[4*(y-box.Min.Y)*box.Dx():][:4*box.Dx()]
		if webp {
			convertStudioRow(dst, luma[box.Min.X:box.Max.X], cb[box.Min.X:box.Max.X], cr[box.Min.X:box.Max.X])
		} else {
			fullRange(dst, luma[box.Min.X:box.Max.X], cb[box.Min.X:box.Max.X], cr[box.Min.X:box.Max.X])
		}
	}
}

// fullRange converts as JFIF has it (ITU-T T.871, 7), rounded as libjpeg rounds: to
// 16 bits behind the point, and the two parts of green together.
func fullRange(dst, y, cb, cr []byte) {
	const half = 1 << 15
	cb, cr = cb[:len(y)], cr[:len(y)]
	dst = dst[:4*len(y)]
	for i, luma := range y {
		l, b, r := int32(luma), int32(cb[i])-128, int32(cr[i])-128
		p := dst[4*i : 4*i+4 : 4*i+4]
		p[0] = clampByte(l + (91881*r+half)>>16)
		p[1] = clampByte(l + (-22554*b-46802*r+half)>>16)
		p[2] = clampByte(l + (116130*b+half)>>16)
	}
}

// convertStudioRow converts as VP8 has it (ITU-R BT.601, luma from 16 to 235), rounded as
// libwebp rounds: products to 6 bits behind the point.
func convertStudioRow(dst, y, cb, cr []byte) {
	cb, cr = cb[:len(y)], cr[:len(y)]
	dst = dst[:4*len(y)]
	for i, luma := range y {
		l, b, r := int32(luma)*19077>>8, int32(cb[i]), int32(cr[i])
		p := dst[4*i : 4*i+4 : 4*i+4]
		p[0] = clampByte((l + r*26149>>8 - 14234) >> 6)
		p[1] = clampByte((l - b*6419>>8 - r*13320>>8 + 8708) >> 6)
		p[2] = clampByte((l + b*33050>>8 - 17685) >> 6)
	}
}

func clampByte(v int32) uint8 {
	if uint32(v) > 255 {
		return uint8(^v >> 31)
	}
	return uint8(v)
}
