package images

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"runtime"

	"golang.org/x/image/webp"

	"capgraph/images/resize"
)

// DefaultMaxPixels is more than photographs have. Larger images are taken for decompression bombs.
const DefaultMaxPixels = 50_000_000

// Bounds for a progressive JPEG, each of whose scans costs a pass over all pixels. Any image may
// have maxScans; more are allowed while scans times pixels are at most maxScanPixels. Encoders
// write about ten scans.
const (
	maxScans      = 20
	maxScanPixels = 1 << 26
)

// MaxSide bounds the width and height of resized images in pixels.
const MaxSide = 4096

// Decoder decodes JPEG, PNG, WebP and the first frame of a GIF, and resizes them for a model. The zero
// value is ready for use. It reuses its memory, so each worker needs its own.
//
// Colours are converted as by Pillow's convert("RGB"): grey to three equal channels, palettes to
// their colours, CMYK by Pillow's formula; alpha is dropped. Of 16 bits the upper 8 are kept
// (Pillow turns most 16-bit grey white). As in Pillow and open_clip, the EXIF orientation is
// ignored. Subsampled chroma is interpolated as in libjpeg-turbo and libwebp.
type Decoder struct {
	// MaxPixels bounds the pixels of an image, which is checked before memory is allocated; 0 for
	// DefaultMaxPixels.
	MaxPixels int

	budget  *budget // nil for the one that all decoders share
	reader  bytes.Reader
	pixels  resize.Pixels
	chroma  chroma
	resizer resize.Bicubic
}

// RandomCrop returns the crop of an image that c draws for key, resized to side × side pixels of 3
// bytes. It uses the memory of buf if that is large enough.
func (d *Decoder) RandomCrop(encoded []byte, side int, c CropDraw, key string, buf []byte) ([]byte, error) {
	return d.decodeSquare(encoded, side, buf, func(width, height int) (box image.Rectangle, full image.Point, part image.Rectangle) {
		return c.Box(key, width, height), image.Pt(side, side), image.Rect(0, 0, side, side)
	})
}

// CentreCrop resizes an image so that its shorter side is side, and returns its centre of side ×
// side pixels of 3 bytes, as torchvision's Resize and CenterCrop do. It uses the memory of buf if
// that is large enough.
func (d *Decoder) CentreCrop(encoded []byte, side int, buf []byte) ([]byte, error) {
	return d.CentreCropPart(encoded, image.Rectangle{}, side, buf)
}

// CentreCropPart does CentreCrop of a part of the image, which is cut out first and may exceed the
// image. An empty part stands for the whole image.
func (d *Decoder) CentreCropPart(encoded []byte, part image.Rectangle, side int, buf []byte) ([]byte, error) {
	return d.resizePart(encoded, part, side, buf, planCentreCrop)
}

// SquashPart returns a part as in CentreCropPart, resized to side × side pixels whatever its shape.
func (d *Decoder) SquashPart(encoded []byte, part image.Rectangle, side int, buf []byte) ([]byte, error) {
	return d.resizePart(encoded, part, side, buf, func(_, _, side int) (image.Point, image.Rectangle) {
		return image.Pt(side, side), image.Rect(0, 0, side, side)
	})
}

// resizePart cuts out a part of an image, resizes it to full and returns the pixels in kept. plan
// returns full and kept, given the part's width and height.
func (d *Decoder) resizePart(encoded []byte, part image.Rectangle, side int, buf []byte, plan func(width, height, side int) (full image.Point, kept image.Rectangle)) ([]byte, error) {
	if part.Empty() {
		return d.decodeSquare(encoded, side, buf, func(width, height int) (image.Rectangle, image.Point, image.Rectangle) {
			full, kept := plan(width, height, side)
			return image.Rect(0, 0, width, height), full, kept
		})
	}
	_, size, err := d.readHeader(encoded)
	if err != nil {
		return nil, err
	}
	cut := part.Intersect(image.Rectangle{Max: size})
	if cut.Empty() {
		return nil, fmt.Errorf("the part %v is beyond the image, of %d × %d pixels", part, size.X, size.Y)
	}
	return d.decodeSquare(encoded, side, buf, func(int, int) (image.Rectangle, image.Point, image.Rectangle) {
		full, kept := plan(cut.Dx(), cut.Dy(), side)
		return cut, full, kept
	})
}

// planCentreCrop returns the full size to which width × height is resized so that its shorter side
// is side, and the centre of it to keep.
func planCentreCrop(width, height, side int) (full image.Point, part image.Rectangle) {
	full = image.Pt(side, side)
	if width <= height {
		full.Y = int(float64(side) * float64(height) / float64(width))
	} else {
		full.X = int(float64(side) * float64(width) / float64(height))
	}
	left, top := centreOffset(full.X, side), centreOffset(full.Y, side)
	return full, image.Rect(left, top, left+side, top+side)
}

// centreOffset returns the offset at which a centred part of a whole begins. Halves are rounded to even.
func centreOffset(whole, part int) int { return int(math.RoundToEven(float64(whole-part) / 2)) }

// decodeSquare decodes the pixels in box, resizes them to full and returns those in part. plan returns the
// three, given the image's width and height.
func (d *Decoder) decodeSquare(encoded []byte, side int, buf []byte, plan func(width, height int) (box image.Rectangle, full image.Point, part image.Rectangle)) ([]byte, error) {
	if side < 1 || side > MaxSide {
		return nil, fmt.Errorf("images of %d pixels a side: want 1 to %d", side, MaxSide)
	}
	format, size, err := d.readHeader(encoded)
	if err != nil {
		return nil, err
	}
	defer d.reservePixels(size)()
	box, full, part := plan(size.X, size.Y)
	if err := d.decodePart(format, encoded, size, box); err != nil {
		return nil, err
	}
	buf = reuseBytes(buf, 3*side*side)
	return buf, d.resizer.ResizeTo(buf, d.pixels, full, part)
}

// Decode calls do with all pixels of an image. They are valid until do returns.
func (d *Decoder) Decode(encoded []byte, do func(resize.Pixels)) error {
	format, size, err := d.readHeader(encoded)
	if err != nil {
		return err
	}
	defer d.reservePixels(size)()
	if err := d.decodePart(format, encoded, size, image.Rectangle{Max: size}); err != nil {
		return err
	}
	do(d.pixels)
	return nil
}

// format is an image format that can be decoded. A byte holds at most density pixels; density is 0 if there
// is no such bound.
type format struct {
	name    string
	config  func(*bytes.Reader) (image.Config, error)
	decode  func(*bytes.Reader) (image.Image, error)
	density int
}

// formatOf detects the format from the first bytes.
func formatOf(b []byte) (format, error) {
	switch {
	case len(b) == 0:
		return format{}, errors.New("the image is empty: it has no bytes")
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		// A block of 64 pixels takes at least a bit; blocks of chroma may cover 16 times as many pixels.
		return format{"JPEG", func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) },
			func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) }, 64 * 8}, nil
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		// Deflate compresses at most 1,032 bytes to one; a byte has up to 8 pixels.
		return format{"PNG", func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) },
			func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) }, 1032 * 8}, nil
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return format{"WebP", func(r *bytes.Reader) (image.Config, error) { return webp.DecodeConfig(r) },
			func(r *bytes.Reader) (image.Image, error) { return webp.Decode(r) }, 0}, nil
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		return format{"GIF", func(r *bytes.Reader) (image.Config, error) { return gif.DecodeConfig(r) },
			func(r *bytes.Reader) (image.Image, error) { return gif.Decode(r) }, 0}, nil
	}
	return format{}, fmt.Errorf("the image is no JPEG, PNG, WebP or GIF: it begins with %q", b[:min(len(b), 8)])
}

// checkScans returns an error if a JPEG has more scans than a picture needs. It counts start-of-scan
// markers, which are escaped within data.
func checkScans(encoded []byte, size image.Point) error {
	n := bytes.Count(encoded, []byte{0xff, 0xda})
	if n > maxScans && n*size.X*size.Y > maxScanPixels {
		return fmt.Errorf("the JPEG has %d scans of %d × %d pixels, more than a picture needs", n, size.X, size.Y)
	}
	return nil
}

// readHeader returns the format and the size of an image, or an error if it exceeds the limits.
func (d *Decoder) readHeader(encoded []byte) (f format, size image.Point, err error) {
	if f, err = formatOf(encoded); err != nil {
		return f, size, err
	}
	defer recoverAsError(f.name, &err)
	d.reader.Reset(encoded)
	c, err := f.config(&d.reader)
	if err != nil {
		return f, size, f.decodeError(err)
	}
	most := d.MaxPixels
	if most <= 0 {
		most = DefaultMaxPixels
	}
	size = image.Pt(c.Width, c.Height)
	switch {
	case c.Width < 1 || c.Height < 1:
		err = fmt.Errorf("the %s has %d × %d pixels", f.name, c.Width, c.Height)
	case c.Width > most/c.Height:
		err = fmt.Errorf("the %s has %d × %d pixels, more than %d", f.name, c.Width, c.Height, most)
	case f.density > 0 && c.Width*c.Height/f.density > len(encoded):
		err = fmt.Errorf("the %s is cut off: %d bytes cannot hold %d × %d pixels", f.name, len(encoded), c.Width, c.Height)
	case f.name == "JPEG":
		err = checkScans(encoded, size)
	}
	return f, size, err
}

func (f format) decodeError(err error) error {
	return fmt.Errorf("the %s cannot be decoded: %w", f.name, err)
}

// decodePart fills d.pixels with the pixels in box of an image of that size.
func (d *Decoder) decodePart(f format, encoded []byte, size image.Point, box image.Rectangle) (err error) {
	defer recoverAsError(f.name, &err)
	d.pixels.Width, d.pixels.Height = box.Dx(), box.Dy()
	d.reader.Reset(encoded)
	img, err := f.decode(&d.reader)
	if err != nil {
		return f.decodeError(err)
	}
	if f.name == "GIF" {
		img = onCanvas(img, size)
	}
	if img.Bounds() != (image.Rectangle{Max: size}) {
		return fmt.Errorf("the %s has %v pixels, and its header says %v", f.name, img.Bounds().Max, size)
	}
	if size.X*size.Y > hugePixels { // decoding has taken more memory than the image
		runtime.GC()
	}
	d.pixels.RGBX = reuseBytes(d.pixels.RGBX, 4*box.Dx()*box.Dy())
	return d.convertPixels(img, box, f.name == "WebP")
}

// onCanvas returns the first frame of an animation as an image of that size. Where the frame does not cover
// it, it is black.
func onCanvas(frame image.Image, size image.Point) image.Image {
	whole := image.Rectangle{Max: size}
	if frame.Bounds() == whole {
		return frame
	}
	canvas := image.NewRGBA(whole)
	draw.Draw(canvas, frame.Bounds(), frame, frame.Bounds().Min, draw.Src)
	return canvas
}

// kept is the most memory, in bytes, that is reused for a smaller image. Otherwise each worker
// would keep the memory of one huge image.
const kept = 64 << 20

// reuseBytes returns a slice of n bytes, in the memory of b if that is large enough and not far too large.
func reuseBytes(b []byte, n int) []byte {
	if n > cap(b) || n < kept && cap(b) > kept {
		return make([]byte, n)
	}
	return b[:n]
}

// recoverAsError turns a panic of a decoder on damaged input into an error.
func recoverAsError(format string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the %s is damaged: %v", format, r)
	}
}
