package images

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/images/resize"
	"capgraph/testing/longtest"
)

// goldenFile is a file of testdata/golden.json. Pixels are those of a JPEG; of
// what is decoded alike everywhere there is a hash.
type goldenFile struct {
	Name           string
	Size           [2]int
	File, Pixels   []byte
	SHA256, Centre string
}

func golden(t testing.TB) (files []goldenFile) {
	t.Helper()
	read(t, "testdata/golden.json", &files)
	return files
}

func read(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// pixelsOf are all pixels of an image that is not huge, valid until d is used again.
func pixelsOf(d *Decoder, encoded []byte) (p resize.Pixels, err error) {
	err = d.Decode(encoded, func(all resize.Pixels) { p = all })
	return p, err
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func rgb(rgbx []byte) []byte {
	out := make([]byte, 0, len(rgbx)/4*3)
	for i := 0; i < len(rgbx); i += 4 {
		out = append(out, rgbx[i:i+3]...)
	}
	return out
}

// TestAsPillow holds PNG and WebP to the pixels of Pillow and to torchvision's
// centre; JPEG to Pillow's within what another inverse transform makes of them.
func TestAsPillow(t *testing.T) {
	var d Decoder
	for _, f := range golden(t) {
		p, err := pixelsOf(&d, f.File)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if p.Width != f.Size[0] || p.Height != f.Size[1] {
			t.Errorf("%s: %d × %d pixels", f.Name, p.Width, p.Height)
			continue
		}
		got := rgb(p.RGBX)
		if f.Pixels != nil {
			if worst := apart(got, f.Pixels); worst > 3 {
				t.Errorf("%s: %d from Pillow", f.Name, worst)
			}
			continue
		}
		if digest(got) != f.SHA256 {
			t.Errorf("%s: not Pillow's pixels", f.Name)
		}
		centre, err := d.CentreCrop(f.File, 16, nil)
		if err != nil || digest(centre) != f.Centre {
			t.Errorf("%s: not torchvision's centre (%v)", f.Name, err)
		}
	}
}

func apart(a, b []byte) (worst int) {
	if len(a) != len(b) {
		return 256
	}
	for i := range a {
		worst = max(worst, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return worst
}

// TestPartIsOfTheWhole holds parts that are decoded to the whole: what lies
// outside the box makes no difference to what lies inside.
func TestPartIsOfTheWhole(t *testing.T) {
	var d, e Decoder
	for _, f := range golden(t) {
		if f.Size[0] != 33 {
			continue
		}
		whole, err := pixelsOf(&d, f.File)
		if err != nil {
			t.Fatal(err)
		}
		for _, box := range []image.Rectangle{image.Rect(0, 0, 1, 1), image.Rect(32, 20, 33, 21), image.Rect(5, 3, 30, 20), image.Rect(4, 0, 9, 21)} {
			format, size, err := e.readHeader(f.File)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.decodePart(format, f.File, size, box); err != nil {
				t.Fatal(err)
			}
			for y := range box.Dy() {
				at := 4 * ((box.Min.Y+y)*whole.Width + box.Min.X)
				if got, want := rgb(e.pixels.RGBX[4*y*box.Dx():][:4*box.Dx()]), rgb(whole.RGBX[at:][:4*box.Dx()]); !bytes.Equal(got, want) {
					t.Errorf("%s, %v, row %d: %v, want %v", f.Name, box, y, got, want)
				}
			}
		}
	}
}

func TestSixteenBitsAreTheUpperEight(t *testing.T) {
	grey := image.NewGray16(image.Rect(0, 0, 2, 1))
	grey.SetGray16(0, 0, color.Gray16{0x12ff})
	grey.SetGray16(1, 0, color.Gray16{0xfe01})
	colours := image.NewNRGBA64(image.Rect(0, 0, 2, 1))
	colours.SetNRGBA64(0, 0, color.NRGBA64{0x12ff, 0x34ff, 0x5600, 0})
	colours.SetNRGBA64(1, 0, color.NRGBA64{0xfe01, 1, 0xff00, 0x8000})
	var d Decoder
	for _, c := range []struct {
		img  image.Image
		want []byte
	}{
		{grey, []byte{0x12, 0x12, 0x12, 0xfe, 0xfe, 0xfe}},
		{colours, []byte{0x12, 0x34, 0x56, 0xfe, 0, 0xff}},
	} {
		var b bytes.Buffer
		if err := png.Encode(&b, c.img); err != nil {
			t.Fatal(err)
		}
		if p, err := pixelsOf(&d, b.Bytes()); err != nil || !bytes.Equal(rgb(p.RGBX), c.want) {
			t.Errorf("%T: %v, %v; want %v", c.img, rgb(p.RGBX), err, c.want)
		}
	}
}

// header is a PNG of that size without pixels.
func pngHeader(width, height uint32) []byte {
	chunk := append([]byte("IHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(chunk[4:], width)
	binary.BigEndian.PutUint32(chunk[8:], height)
	chunk[12], chunk[13] = 8, 2
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(chunk))
}

func jpegHeader(width, height uint16) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0}
	binary.BigEndian.PutUint16(b[7:], height)
	binary.BigEndian.PutUint16(b[9:], width)
	return b
}

// TestManyScans refuses a progressive JPEG whose decoding takes many times that of a picture.
func TestManyScans(t *testing.T) {
	var progressive []byte
	for _, f := range golden(t) {
		if f.Name == "JPEG progressive, 33 x 21" {
			progressive = f.File
		}
	}
	last := bytes.LastIndex(progressive, []byte{0xff, 0xda})
	repeated := func(scans int) []byte {
		b := bytes.Clone(progressive[:last])
		for range scans {
			b = append(b, progressive[last:len(progressive)-2]...)
		}
		return append(b, 0xff, 0xd9)
	}
	small, large := image.Pt(33, 21), image.Pt(7000, 7000)
	for _, c := range []struct {
		scans   int
		size    image.Point
		refused bool
	}{{10, large, false}, {60, large, true}, {60, small, false}, {100_000, small, true}} {
		if err := checkScans(repeated(c.scans), c.size); (err != nil) != c.refused {
			t.Errorf("%d scans of %v: %v", c.scans, c.size, err)
		}
	}
	began := bytes.Clone(repeated(100_000))
	if _, err := pixelsOf(new(Decoder), began); err == nil || !strings.Contains(err.Error(), "scans of 33 × 21 pixels, more than a picture needs") {
		t.Errorf("100,000 scans: %v", err)
	}
}

func TestBrokenImages(t *testing.T) {
	byName := map[string][]byte{}
	for _, f := range golden(t) {
		byName[f.Name] = f.File
	}
	cut := func(name string) []byte { return byName[name][:len(byName[name])*2/3] }
	for _, c := range []struct {
		name, want string
		encoded    []byte
	}{
		{"nothing", "has no bytes", nil},
		{"a page of HTML", "no JPEG, PNG, WebP or GIF", []byte("<!DOCTYPE html><html>")},
		{"a GIF without a frame", "the GIF cannot be decoded", []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00")},
		{"a JPEG cut off", "cannot be decoded", cut("JPEG 4:2:0, 33 x 21")},
		{"a progressive JPEG cut off", "cannot be decoded", cut("JPEG progressive, 33 x 21")},
		{"a PNG cut off", "cannot be decoded", cut("PNG, 33 x 21")},
		{"a WebP cut off", "cannot be decoded", cut("WebP, 33 x 21")},
		{"a lossless WebP cut off", "cannot be decoded", cut("WebP lossless, 33 x 21")},
		{"three bytes", "cannot be decoded", []byte{0xff, 0xd8, 0xff}},
		{"a PNG of nothing", "PNG", pngHeader(0, 5)},
		{"a JPEG of nothing", "JPEG", jpegHeader(0, 5)},
		{"a bomb", "more than 50000000", pngHeader(1<<16, 1<<16)},
		{"a small bomb", "cannot hold 7000 × 7000", pngHeader(7000, 7000)},
		{"a JPEG of nothing but size", "cannot hold 7000 × 7000", jpegHeader(7000, 7000)},
	} {
		for do, f := range map[string]func(*Decoder) error{
			"Decode":     func(d *Decoder) error { _, err := pixelsOf(d, c.encoded); return err },
			"CentreCrop": func(d *Decoder) error { _, err := d.CentreCrop(c.encoded, 8, nil); return err },
			"RandomCrop": func(d *Decoder) error { _, err := d.RandomCrop(c.encoded, 8, NewCropDraw(1, 1), "k", nil); return err },
		} {
			if err := f(new(Decoder)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s of %s: %v, want %q", do, c.name, err, c.want)
			}
		}
	}
	file := byName["PNG, 33 x 21"]
	if _, err := pixelsOf(&Decoder{MaxPixels: 692}, file); err == nil {
		t.Error("an image of a pixel more than MaxPixels is decoded")
	}
	if _, err := pixelsOf(&Decoder{MaxPixels: 693}, file); err != nil {
		t.Error(err)
	}
	for _, side := range []int{0, -1, MaxSide + 1} {
		if _, err := new(Decoder).CentreCrop(file, side, nil); err == nil {
			t.Errorf("no error of %d pixels a side", side)
		}
	}
}

// TestADecoderForgets decodes after broken images, of other sizes, into old memory.
func TestADecoderForgets(t *testing.T) {
	var d Decoder
	buf := bytes.Repeat([]byte{9}, 4000)
	for _, f := range golden(t) {
		want, err := new(Decoder).RandomCrop(f.File, 24, NewCropDraw(3, 2), f.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pixelsOf(&d, f.File[:len(f.File)/2]); err == nil {
			t.Errorf("half of %s is decoded", f.Name)
		}
		got, err := d.RandomCrop(f.File, 24, NewCropDraw(3, 2), f.Name, buf)
		if err != nil || !bytes.Equal(got, want) || &got[0] != &buf[0] {
			t.Errorf("%s: not as with a new decoder (%v)", f.Name, err)
		}
	}
}

// cocoImages are the encoded images of a corpus beside the repository.
func cocoImages(t testing.TB) (names []string, encoded [][]byte) {
	t.Helper()
	names, err := filepath.Glob("../../shared/data/coco/mini/images/*.jpg")
	if err != nil || len(names) == 0 {
		t.Skip("there is no ../shared/data/coco/mini")
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		encoded = append(encoded, data)
	}
	return names, encoded
}

func TestPhotographs(t *testing.T) {
	names, encoded := cocoImages(t)
	if !longtest.Wanted() {
		encoded = encoded[:min(len(encoded), 5)]
	}
	var d Decoder
	for i, data := range encoded {
		p, err := pixelsOf(&d, data)
		if err != nil || p.Width*p.Height < 100_000 {
			t.Errorf("%s: %d × %d, %v", names[i], p.Width, p.Height, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, g := range golden(f) {
		f.Add(g.File)
	}
	f.Add(pngHeader(1, 1))
	f.Add(jpegHeader(8, 8))
	f.Add([]byte("GIF89a\x02\x00\x02\x00\x80\x00\x00\xff\x00\x00\x00\xff\x00,\x01\x00\x01\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		d := Decoder{MaxPixels: 1 << 16}
		if pixels, err := d.CentreCrop(encoded, 8, nil); err == nil && len(pixels) != 192 {
			t.Errorf("%d bytes", len(pixels))
		}
	})
}
