//go:build turbojpeg && !linux && !darwin

package turbojpeg

import (
	"errors"
	"image"
)

// Library is libjpeg-turbo, opened.
type Library struct{}

// Open is an error: nothing is known of the library here.
func Open() (*Library, error) { return nil, errors.ErrUnsupported }

// Version is "".
func (*Library) Version() string { return "" }

// Decoder decodes one image at a time.
type Decoder struct{}

// NewDecoder is an error.
func (*Library) NewDecoder() (*Decoder, error) { return nil, errors.ErrUnsupported }

// RGBX is an error.
func (*Decoder) RGBX(dst, jpeg []byte, size image.Point) error { return errors.ErrUnsupported }

// Close does nothing.
func (*Decoder) Close() {}
