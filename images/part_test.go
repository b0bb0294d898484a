package images

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func encodePNG(t *testing.T, i image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, i); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCentreCropOfAPartIsThatOfTheImageCutOut(t *testing.T) {
	whole := image.NewNRGBA(image.Rect(0, 0, 40, 30))
	for y := range 30 {
		for x := range 40 {
			whole.Set(x, y, color.NRGBA{uint8(6 * x), uint8(8 * y), uint8(x * y), 255})
		}
	}
	encoded := func(i image.Image) []byte { return encodePNG(t, i) }
	var d Decoder
	for _, part := range []image.Rectangle{
		{}, image.Rect(0, 0, 40, 30), image.Rect(3, 5, 20, 29), image.Rect(39, 29, 40, 30), image.Rect(-9, 20, 15, 90),
	} {
		cut := part.Intersect(whole.Rect)
		if part.Empty() {
			cut = whole.Rect
		}
		got, err := d.CentreCropPart(encoded(whole), part, 12, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := d.CentreCrop(encoded(whole.SubImage(cut)), 12, nil)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: not the pixels of the image cut out (%v)", part, err)
		}
	}
	if _, err := d.CentreCropPart(encoded(whole), image.Rect(50, 0, 60, 9), 12, nil); err == nil || !strings.Contains(err.Error(), "is beyond the image, of 40 × 30 pixels") {
		t.Errorf("a part beyond the image: %v", err)
	}
	if _, err := d.CentreCropPart(nil, image.Rect(0, 0, 6, 9), 12, nil); err == nil {
		t.Error("no bytes: no error")
	}
}

// SquashPart keeps all of an image or of its part, in another shape.
func TestSquashOfKeepsTheWholeImage(t *testing.T) {
	whole := image.NewRGBA(image.Rect(0, 0, 40, 20))
	for y := range 20 {
		for x := range 40 {
			whole.Set(x, y, color.RGBA{R: uint8(6 * x), A: 255})
		}
	}
	var d Decoder
	encoded := encodePNG(t, whole)
	for _, part := range []image.Rectangle{{}, image.Rect(20, 0, 40, 20)} {
		got, err := d.SquashPart(encoded, part, 10, nil)
		if err != nil || len(got) != 300 {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		first, last := got[0], got[27]
		if from := byte(6 * part.Min.X); first < from || first > from+24 || last < 6*36 {
			t.Errorf("%v: red is %d at the left and %d at the right", part, first, last)
		}
	}
}
