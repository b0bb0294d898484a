//go:build turbojpeg

package images

import (
	"image"
	"runtime"

	"capgraph/images/resize"
	"capgraph/images/turbojpeg"
)

// DecoderName says what decodes JPEG: pixels of another decoder differ in the last
// bits, so that a training that goes on wants the same.
func DecoderName() string {
	l, err := turbojpeg.Open()
	if err != nil {
		return goDecoder
	}
	return l.Version()
}

// DecoderMissing says why Go's decoder stands in for libjpeg-turbo in a build that
// has it; nil if it does not.
func DecoderMissing() error {
	_, err := turbojpeg.Open()
	return err
}

// jpegDecoder decodes with libjpeg-turbo where the machine has it. What the library
// warns of is left to Go's decoder, and so is CMYK: the same images are
// broken in every build.
type jpegDecoder struct {
	tried   bool
	decoder *turbojpeg.Decoder
}

func (j *jpegDecoder) decodePart(p *resize.Pixels, encoded []byte, size image.Point, box image.Rectangle) (done bool, err error) {
	if !j.tried {
		j.tried = true
		if l, err := turbojpeg.Open(); err == nil {
			if j.decoder, err = l.NewDecoder(); err == nil {
				runtime.AddCleanup(j, (*turbojpeg.Decoder).Close, j.decoder)
			}
		}
	}
	if j.decoder == nil {
		return false, nil
	}
	whole := grow(p.RGBX, 4*size.X*size.Y)
	part := whole[:4*box.Dx()*box.Dy()]
	p.RGBX = part
	if err := j.decoder.RGBX(whole, encoded, size); err != nil {
		return false, nil
	}
	for y := range box.Dy() { // the part moves to the front
		copy(part[4*y*box.Dx():][:4*box.Dx()], whole[4*((box.Min.Y+y)*size.X+box.Min.X):])
	}
	return true, nil
}
