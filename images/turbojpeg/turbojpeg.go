//go:build turbojpeg && (linux || darwin)

package turbojpeg

import (
	"errors"
	"fmt"
	"image"
	"runtime"

	"github.com/ebitengine/purego"
)

// Constants of turbojpeg.h, which versions 2 and 3 share.
const (
	formatRGBX  = 2 // TJPF_RGBX
	accurateDCT = 4096
	cmyk        = 3 // TJCS_CMYK, and YCCK after it

)

// names are those of the library, by operating system.
var names = map[string]string{"linux": "libturbojpeg.so.0", "darwin": "libturbojpeg.0.dylib"}

// Library is libjpeg-turbo, opened.
type Library struct {
	version     string
	initialise  func() uintptr
	destroy     func(handle uintptr) int32
	header      func(handle uintptr, jpeg *byte, size uint, width, height, subsampling, colours *int32) int32
	decompress  func(handle uintptr, jpeg *byte, size uint, dst *byte, width, pitch, height, format, flags int32) int32
	errorString func(handle uintptr) string
}

// Open finds the library and its functions. The error says what is missing.
func Open() (*Library, error) {
	name := names[runtime.GOOS]
	lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("libjpeg-turbo cannot be opened (%w): install it (Debian: libturbojpeg0)", err)
	}
	l := &Library{version: "libjpeg-turbo 2"}
	if _, err := purego.Dlsym(lib, "tj3Init"); err == nil {
		l.version = "libjpeg-turbo 3"
	}
	for symbol, f := range map[string]any{
		"tjInitDecompress": &l.initialise, "tjDestroy": &l.destroy, "tjDecompressHeader3": &l.header,
		"tjDecompress2": &l.decompress, "tjGetErrorStr2": &l.errorString,
	} {
		address, err := purego.Dlsym(lib, symbol)
		if err != nil {
			return nil, fmt.Errorf("%s has no %s: install libjpeg-turbo 2 or 3", name, symbol)
		}
		purego.RegisterFunc(f, address)
	}
	return l, nil
}

// Version is libjpeg-turbo with its major version, "libjpeg-turbo 2": within one,
// the accurate transform gives the same bytes.
func (l *Library) Version() string { return l.version }

// Decoder decodes one image at a time.
type Decoder struct {
	library *Library
	handle  uintptr
}

var errNoMemory = errors.New("libjpeg-turbo: there is no memory for a decompressor")

// NewDecoder returns a decoder, which Close frees.
func (l *Library) NewDecoder() (*Decoder, error) {
	h := l.initialise()
	if h == 0 {
		return nil, errNoMemory
	}
	return &Decoder{l, h}, nil
}

// RGBX decodes an image of that size to dst, 4 bytes a pixel, with the accurate
// transform and interpolated chroma. What the library warns of is an error, and so
// are images without colours in three channels.
func (d *Decoder) RGBX(dst, jpeg []byte, size image.Point) error {
	if len(jpeg) == 0 || len(dst) != 4*size.X*size.Y || len(dst) == 0 {
		return fmt.Errorf("libjpeg-turbo: %d bytes for %v pixels of %d bytes", len(dst), size, len(jpeg))
	}
	if d.handle == 0 {
		return errNoMemory
	}
	var width, height, subsampling, colours int32
	if d.library.header(d.handle, &jpeg[0], uint(len(jpeg)), &width, &height, &subsampling, &colours) != 0 {
		return d.failed()
	}
	if int(width) != size.X || int(height) != size.Y || colours >= cmyk {
		return fmt.Errorf("libjpeg-turbo: %d × %d pixels of colours %d", width, height, colours)
	}
	if d.library.decompress(d.handle, &jpeg[0], uint(len(jpeg)), &dst[0], width, 4*width, height, formatRGBX, accurateDCT) != 0 {
		return d.failed()
	}
	return nil
}

// failed begins anew: a decompressor that stopped within a header would read the
// next image as more of it.
func (d *Decoder) failed() error {
	err := fmt.Errorf("libjpeg-turbo: %s", d.library.errorString(d.handle))
	d.library.destroy(d.handle)
	d.handle = d.library.initialise()
	return err
}

// Close frees the decoder, which is of no use then.
func (d *Decoder) Close() {
	if d.handle != 0 {
		d.library.destroy(d.handle)
		d.handle = 0
	}
}
