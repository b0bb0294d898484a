package images

import "image"

// convertPlanes fills d.pixels with the pixels in box of an image with separate planes of luma and
// chroma. Only the rows of chroma that box needs are upsampled.
func (d *Decoder) convertPlanes(m *image.YCbCr, box image.Rectangle, webp bool) {
	c := &d.chroma
	c.prepare(m, webp)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		cb, cr := c.upsampleRow(m.Cb, &c.cb, y), c.upsampleRow(m.Cr, &c.cr, y)
		luma := m.Y[m.YOffset(0, y):]
		dst := d.pixels.RGBX[4*(y-box.Min.Y)*box.Dx():][:4*box.Dx()]
		if webp {
			convertVP8Row(dst, luma[box.Min.X:box.Max.X], cb[box.Min.X:box.Max.X], cr[box.Min.X:box.Max.X])
		} else {
			convertJFIFRow(dst, luma[box.Min.X:box.Max.X], cb[box.Min.X:box.Max.X], cr[box.Min.X:box.Max.X])
		}
	}
}

// convertJFIFRow converts a row from YCbCr to RGB as JFIF specifies (ITU-T T.871, 7), in fixed
// point with 16 fractional bits. It is rounded as by libjpeg; the two terms of green are rounded
// together.
func convertJFIFRow(dst, y, cb, cr []byte) {
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

// convertVP8Row converts a row from YCbCr to RGB as VP8 specifies (ITU-R BT.601, luma from 16 to
// 235). It is rounded as by libwebp, whose products have 6 fractional bits.
func convertVP8Row(dst, y, cb, cr []byte) {
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
