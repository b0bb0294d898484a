package images

import (
	"fmt"
	"image"
	"image/color"
)

// convertPixels fills d.pixels with the pixels of img inside box.
func (d *Decoder) convertPixels(img image.Image, box image.Rectangle, webp bool) error {
	var row func(dst []byte, x, y int) // converts a row of pixels from (x, y) on
	switch m := img.(type) {
	case *image.YCbCr:
		d.convertPlanes(m, box, webp)
		return nil
	case *image.NYCbCrA:
		d.convertPlanes(&m.YCbCr, box, webp)
		return nil
	case *image.Gray:
		row = func(dst []byte, x, y int) { copyGrey(dst, m.Pix[m.PixOffset(x, y):], 1) }
	case *image.Gray16:
		row = func(dst []byte, x, y int) { copyGrey(dst, m.Pix[m.PixOffset(x, y):], 2) }
	case *image.RGBA:
		row = func(dst []byte, x, y int) { copy(dst, m.Pix[m.PixOffset(x, y):]) }
	case *image.NRGBA:
		row = func(dst []byte, x, y int) { copy(dst, m.Pix[m.PixOffset(x, y):]) }
	case *image.RGBA64:
		row = func(dst []byte, x, y int) { copyHighBytes(dst, m.Pix[m.PixOffset(x, y):]) }
	case *image.NRGBA64:
		row = func(dst []byte, x, y int) { copyHighBytes(dst, m.Pix[m.PixOffset(x, y):]) }
	case *image.CMYK:
		row = func(dst []byte, x, y int) { convertCMYK(dst, m.Pix[m.PixOffset(x, y):]) }
	case *image.Paletted:
		colours := paletteColors(m.Palette)
		row = func(dst []byte, x, y int) {
			for i, n := range m.Pix[m.PixOffset(x, y):][:len(dst)/4] {
				copy(dst[4*i:4*i+4], colours[n][:])
			}
		}
	default:
		return fmt.Errorf("decoded to %T, which nothing is known of", img)
	}
	for y := range box.Dy() {
		row(d.pixels.RGBX[4*y*box.Dx():][:4*box.Dx()], box.Min.X, box.Min.Y+y)
	}
	return nil
}

// copyGrey copies every step-th byte of src to the three channels of dst.
func copyGrey(dst, src []byte, step int) {
	for i := 0; i < len(dst); i += 4 {
		v := src[i/4*step]
		dst[i], dst[i+1], dst[i+2] = v, v, v
	}
}

// copyHighBytes copies the upper bytes of 16-bit channels.
func copyHighBytes(dst, src []byte) {
	for i := range dst {
		dst[i] = src[2*i]
	}
}

func convertCMYK(dst, src []byte) {
	for i := 0; i < len(dst); i += 4 {
		left := 255 - uint32(src[i+3])
		for c := range 3 {
			product := uint32(src[i+c])*left + 128
			dst[i+c] = uint8(left - (product+product>>8)>>8)
		}
	}
}

// paletteColors returns the colours of p without alpha. Indices beyond the palette are black.
func paletteColors(p color.Palette) *[256][4]byte {
	colours := new([256][4]byte)
	for i, c := range p[:min(len(p), 256)] {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		if a, ok := c.(color.NRGBA); ok { // keep the colours of transparent pixels
			n = a
		}
		colours[i] = [4]byte{n.R, n.G, n.B}
	}
	return colours
}
