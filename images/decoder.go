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

// DefaultMaxPixels is more than photographs have: more is taken for a decompression bomb.
const DefaultMaxPixels = 50_000_000

// The scans of a progressive JPEG, each over all pixels: any image may have maxScans, small
// ones more. Encoders write some ten.
const (
	maxScans      = 20
	maxScanPixels = 1 << 26
)

// MaxSide bounds the pixels of a side that images are brought to.
const MaxSide = 4096

// Decoder decodes JPEG, PNG, WebP and the first frame of a GIF, and brings them to the size of a model. The
// zero value is ready for use; it uses its memory again, so that a worker has one
// of its own.
//
// Colours are as by Pillow's convert("RGB"): grey as three equal channels, a
// palette looked up, alpha left out, CMYK as Pillow has it, of 16 bits the upper 8
// (Pillow makes white of most 16-bit grey). The orientation in EXIF is not looked
// at, and so Pillow and open_clip have it. Chroma of fewer pixels is
// interpolated as libjpeg-turbo and libwebp do.
type Decoder struct {
	// MaxPixels bounds the pixels of an image, before memory is taken; 0 is
	// DefaultMaxPixels.
	MaxPixels int

	budget  *budget // nil: the one that all decoders share
	reader  bytes.Reader
	pixels  resize.Pixels
	chroma  chroma
	resizer resize.Bicubic
}

// RandomCrop returns the part of an image that c draws for key, resized to
// side × side pixels of 3 bytes, in the memory of buf where that is large enough.
func (d *Decoder) RandomCrop(encoded []byte, side int, c CropDraw, key string, buf []byte) ([]byte, error) {
	return d.decodeSquare(encoded, side, buf, func(width, height int) (box image.Rectangle, full image.Point, part image.Rectangle) {
		return c.Box(key, width, height), image.Pt(side, side), image.Rect(0, 0, side, side)
	})
}

// CentreCrop returns the centre of an image whose shorter side was resized to side,
// side × side pixels of 3 bytes, in the memory of buf where that is large enough:
// torchvision's Resize and CenterCrop.
func (d *Decoder) CentreCrop(encoded []byte, side int, buf []byte) ([]byte, error) {
	return d.CentreCropOf(encoded, image.Rectangle{}, side, buf)
}

// CentreCropOf is CentreCrop of a part of the image, which is cut out first; what of
// it is beyond the image is left off. A part that is empty is all of it.
func (d *Decoder) CentreCropOf(encoded []byte, part image.Rectangle, side int, buf []byte) ([]byte, error) {
	return d.resizePart(encoded, part, side, buf, centreCrop)
}

// SquashOf returns such a part resized to side × side pixels, whatever its shape.
func (d *Decoder) SquashOf(encoded []byte, part image.Rectangle, side int, buf []byte) ([]byte, error) {
	return d.resizePart(encoded, part, side, buf, func(_, _, side int) (image.Point, image.Rectangle) {
		return image.Pt(side, side), image.Rect(0, 0, side, side)
	})
}

// resizePart resizes a part of an image to the size that plan gives its width and height, and keeps
// the pixels that plan names.
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

// centreCrop is the size to which width × height is resized so that the shorter side is
// side, and its centre.
func centreCrop(width, height, side int) (full image.Point, part image.Rectangle) {
	full = image.Pt(side, side)
	if width <= height {
		full.Y = int(float64(side) * float64(height) / float64(width))
	} else {
		full.X = int(float64(side) * float64(width) / float64(height))
	}
	left, top := centreOffset(full.X, side), centreOffset(full.Y, side)
	return full, image.Rect(left, top, left+side, top+side)
}

// centreOffset is where the middle part of a whole begins, halves rounded to even.
func centreOffset(whole, part int) int { return int(math.RoundToEven(float64(whole-part) / 2)) }

// decodeSquare decodes the box of an image, resizes it to full, and keeps a part of it.
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
	buf = grow(buf, 3*side*side)
	return buf, d.resizer.To(buf, d.pixels, full, part)
}

// Decode calls do with all pixels of an image, which are valid until do returns.
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

// format is one of those that are decoded. A pixel takes at least 1/density bytes.
type format struct {
	name    string
	config  func(*bytes.Reader) (image.Config, error)
	decode  func(*bytes.Reader) (image.Image, error)
	density int
}

// formatOf tells the format by how the bytes begin.
func formatOf(b []byte) (format, error) {
	switch {
	case len(b) == 0:
		return format{}, errors.New("the image is empty: it has no bytes")
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		// A block of 64 pixels takes a bit, and colours may be in blocks 16 times as large.
		return format{"JPEG", func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) },
			func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) }, 64 * 8}, nil
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		// Deflate packs 1,032 bytes in one, of 8 pixels each.
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

// checkScans returns an error if a JPEG has more scans than a picture needs. Bytes of the data that look
// like the beginning of a scan are escaped.
func checkScans(encoded []byte, size image.Point) error {
	n := bytes.Count(encoded, []byte{0xff, 0xda})
	if n > maxScans && n*size.X*size.Y > maxScanPixels {
		return fmt.Errorf("the JPEG has %d scans of %d × %d pixels, more than a picture needs", n, size.X, size.Y)
	}
	return nil
}

// readHeader tells the format and the size of an image, which is within the limits.
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

// decodePart fills d.pixels with a part of an image of that size.
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
	if size.X*size.Y > hugePixels { // what was decoded on the way takes more memory than the image
		runtime.GC()
	}
	d.pixels.RGBX = grow(d.pixels.RGBX, 4*box.Dx()*box.Dy())
	return d.convertPixels(img, box, f.name == "WebP")
}

// onCanvas is the first frame of an animation, which may be a part of the whole; the rest is black.
func onCanvas(frame image.Image, size image.Point) image.Image {
	whole := image.Rectangle{Max: size}
	if frame.Bounds() == whole {
		return frame
	}
	canvas := image.NewRGBA(whole)
	draw.Draw(canvas, frame.Bounds(), frame, frame.Bounds().Min, draw.Src)
	return canvas
}

// kept is the most memory that is reused for smaller images: the memory of one huge image would
// otherwise stay with each worker.
const kept = 64 << 20

// grow is n bytes, in the memory of b where that will do.
func grow(b []byte, n int) []byte {
	if n > cap(b) || n < kept && cap(b) > kept {
		return make([]byte, n)
	}
	return b[:n]
}

// recoverAsError turns a panic over bytes from outside into an error.
func recoverAsError(format string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the %s is damaged: %v", format, r)
	}
}
