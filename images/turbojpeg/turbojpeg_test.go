//go:build turbojpeg

package turbojpeg

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"
)

func decoder(t testing.TB) *Decoder {
	t.Helper()
	l, err := Open()
	if err != nil {
		t.Skip(err)
	}
	if !strings.HasPrefix(l.Version(), "libjpeg-turbo ") {
		t.Errorf("version %q", l.Version())
	}
	d, err := l.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func encoded(t testing.TB, size image.Point) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			img.SetRGBA(x, y, color.RGBA{uint8(10 * x), uint8(10 * y), 128, 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOneImageAfterAnother decodes an image the same way after what is none, cut
// off at any place or of another size.
func TestOneImageAfterAnother(t *testing.T) {
	d, size := decoder(t), image.Pt(20, 12)
	data := encoded(t, size)
	want, got, spoilt := make([]byte, 960), make([]byte, 960), make([]byte, 960)
	if err := d.RGBX(want, data, size); err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if err := d.RGBX(spoilt, data[:n], size); err == nil && n < len(data)-2 {
			t.Errorf("%d of %d bytes are decoded", n, len(data))
		}
		if err := d.RGBX(got, data, size); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
	if err := d.RGBX(spoilt, data, image.Pt(12, 20)); err == nil {
		t.Error("an image of another size is decoded")
	}
	if err := d.RGBX(spoilt[:4], data, size); err == nil {
		t.Error("an image is decoded to 4 bytes")
	}
	if err := d.RGBX(got, data, size); err != nil || !bytes.Equal(got, want) {
		t.Error(err)
	}
	d.Close()
	if err := d.RGBX(got, data, size); err == nil {
		t.Error("a closed decoder decodes")
	}
}

func FuzzRGBX(f *testing.F) {
	size := image.Pt(20, 12)
	data := encoded(f, size)
	f.Add(data)
	f.Add(data[:len(data)/2])
	d := decoder(f)
	dst := make([]byte, 4*size.X*size.Y)
	f.Fuzz(func(t *testing.T, jpeg []byte) {
		d.RGBX(dst, jpeg, size) // an error or pixels, and the process goes on
	})
}
