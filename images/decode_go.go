//go:build !turbojpeg

package images

import (
	"image"

	"capgraph/images/resize"
)

// DecoderName says what decodes JPEG: pixels of another decoder differ in the last
// bits, so that a training that goes on wants the same.
func DecoderName() string { return goDecoder }

// DecoderMissing says why Go's decoder stands in for libjpeg-turbo in a build that
// has it; nil if it does not.
func DecoderMissing() error { return nil }

// jpegDecoder leaves all to Go's decoder.
type jpegDecoder struct{}

func (jpegDecoder) decodePart(*resize.Pixels, []byte, image.Point, image.Rectangle) (done bool, err error) {
	return false, nil
}
