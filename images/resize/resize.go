package resize

import (
	"encoding/binary"
	"fmt"
	"image"
)

// Pixels is an image of 4 bytes a pixel: red, green, blue, and one that is ignored. Row y begins at
// 4·y·Width.
type Pixels struct {
	Width, Height int
	RGBX          []byte
}

// Bicubic resamples images. The zero value is ready for use. It reuses its memory, so each worker
// needs its own.
type Bicubic struct {
	across, down weights
	rows, row    []byte // rows: the image between the passes; row: an output row
}

// maxSide bounds the width and height of an output, so that the weights fit in memory.
const maxSide = 1 << 15

// ResizeTo resamples src to full.X × full.Y pixels and writes the part of the result in part to dst, row
// by row, 3 bytes a pixel. Sizes that do not match are an error.
func (b *Bicubic) ResizeTo(dst []byte, src Pixels, full image.Point, part image.Rectangle) error {
	switch {
	case src.Width < 1 || src.Height < 1 || len(src.RGBX) != 4*src.Width*src.Height:
		return fmt.Errorf("resize: %d bytes are no image of %d × %d pixels", len(src.RGBX), src.Width, src.Height)
	case part.Empty() || !part.In(image.Rectangle{Max: full}) || part.Dx() > maxSide || part.Dy() > maxSide:
		return fmt.Errorf("resize: %v is no part of %v that can be computed", part, full)
	case len(dst) != 3*part.Dx()*part.Dy():
		return fmt.Errorf("resize: %d bytes for %v", len(dst), part)
	}
	b.across.setAxis(axis{src.Width, full.X, part.Min.X, part.Dx()})
	b.down.setAxis(axis{src.Height, full.Y, part.Min.Y, part.Dy()})

	// Compute only the rows that the second pass needs.
	first := int(b.down.begin[0])
	last := int(b.down.begin[part.Dy()-1]) + b.down.width
	stride := 4 * part.Dx()
	b.rows, b.row = growBytes(b.rows, (last-first)*stride), growBytes(b.row, stride)
	for y := first; y < last; y++ {
		resampleRow(b.rows[(y-first)*stride:][:stride], src.RGBX[4*y*src.Width:][:4*src.Width], &b.across)
	}
	for y, begin := range b.down.begin {
		rows := b.rows[(int(begin)-first)*stride:][:b.down.width*stride]
		resampleColumns(b.row, rows, b.down.factors[y*b.down.width:][:b.down.width])
		packRGB(dst[3*y*part.Dx():][:3*part.Dx()], b.row)
	}
	return nil
}

// packRGB writes pixels of 4 bytes to rgb without their fourth byte.
func packRGB(rgb, rgbx []byte) {
	for len(rgb) >= 3 && len(rgbx) >= 4 {
		rgb[0], rgb[1], rgb[2] = rgbx[0], rgbx[1], rgbx[2]
		rgb, rgbx = rgb[3:], rgbx[4:]
	}
}

func growBytes(b []byte, n int) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	return make([]byte, n, n+n/4)
}

// acrossPortable resamples along a row: it writes a row of dst, 4 bytes a pixel, from a row of src.
func acrossPortable(dst, src []byte, w *weights) {
	for i, begin := range w.begin {
		var s sums
		row := src[4*begin:]
		for k, f := range w.factors[i*w.width:][:w.width] {
			s.add(f, binary.LittleEndian.Uint32(row[4*k:]))
		}
		binary.LittleEndian.PutUint32(dst[4*i:], s.pixel())
	}
}

// downPortable resamples along columns: it writes a row of dst from len(factors) rows, weighted by factors.
func downPortable(dst, rows []byte, factors []int32) {
	for i := 0; i < len(dst); i += 4 {
		var s sums
		for k, f := range factors {
			s.add(f, binary.LittleEndian.Uint32(rows[k*len(dst)+i:]))
		}
		binary.LittleEndian.PutUint32(dst[i:], s.pixel())
	}
}

// sums adds up weighted pixels. redBlue has the sum of red in its lower and that of blue in its
// upper 32 bits; neither overflows.
type sums struct{ redBlue, green int64 }

func (s *sums) add(f int32, rgbx uint32) {
	p := int64(rgbx)
	s.redBlue += int64(f) * (p&0xff | p&0xff0000<<16)
	s.green += int64(f) * (p >> 8 & 0xff)
}

func (s *sums) pixel() uint32 {
	red := int32(s.redBlue)
	blue := int32((s.redBlue - int64(red)) >> 32)
	return clipSum(red) | clipSum(int32(s.green))<<8 | clipSum(blue)<<16
}

// clipSum rounds a weighted sum to a byte.
func clipSum(sum int32) uint32 {
	return uint32(min(max((sum+1<<(precision-1))>>precision, 0), 255))
}
