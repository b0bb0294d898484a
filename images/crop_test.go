package images

import (
	"bytes"
	"image"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestBoxes holds the draw to the boxes of testdata/golden.py, which draws them as
// docs/format.md says.
func TestBoxes(t *testing.T) {
	var cases []struct {
		Seed         string
		Epoch        uint64
		Key          string
		Size         [2]int
		Scale, Ratio [2]float64
		Box          [4]int
	}
	read(t, "testdata/boxes.json", &cases)
	for _, c := range cases {
		seed, err := strconv.ParseUint(c.Seed, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		got := CropDraw{seed, c.Epoch, c.Scale, c.Ratio}.Box(c.Key, c.Size[0], c.Size[1])
		if want := image.Rect(c.Box[0], c.Box[1], c.Box[0]+c.Box[2], c.Box[1]+c.Box[3]); got != want {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
}

func TestBoxLiesInTheImage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 2000)
		w, h := side.Draw(t, "width"), side.Draw(t, "height")
		c := NewCropDraw(rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "epoch"))
		c.Scale[0] = rapid.Float64Range(1e-6, 1).Draw(t, "scale")
		if box := c.Box(rapid.String().Draw(t, "key"), w, h); box.Empty() || !box.In(image.Rect(0, 0, w, h)) {
			t.Fatalf("%v of %d × %d", box, w, h)
		}
	})
}

// TestBoxesAreSpread draws many boxes: their areas are uniform in the scale, and
// no epoch and no key sees another's.
func TestBoxesAreSpread(t *testing.T) {
	seen := map[image.Rectangle]bool{}
	var mean, left float64
	const n = 2000
	for i := range n {
		c := NewCropDraw(1, uint64(i%50))
		c.Scale = [2]float64{0.2, 0.6}
		box := c.Box(strconv.Itoa(i/50), 1000, 1000)
		seen[box] = true
		mean += float64(box.Dx()*box.Dy()) / 1e6 / n
		left += float64(box.Min.X) / float64(1000-box.Dx()) / n
	}
	if len(seen) < n-2 || mean < 0.39 || mean > 0.41 || left < 0.47 || left > 0.53 {
		t.Errorf("%d boxes of %d, mean area %.3f, mean place %.3f", len(seen), n, mean, left)
	}
}

func TestRandomCropsAreTheDraw(t *testing.T) {
	r := NewRandomCrops(24, [2]float64{0.3, 0.5}, nil)
	for _, f := range golden(t)[:18] {
		c := CropDraw{5, 6, r.Scale, [2]float64{3. / 4, 4. / 3}}
		want, err := new(Decoder).RandomCrop(f.File, 24, c, f.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, read := make([]byte, 24*24*3), func() ([]byte, error) { return f.File, nil }
		if err := r.Decode(got, f.Name, read, 5, 6, f.Name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: not the crop that is drawn (%v)", f.Name, err)
		}
		if err := r.Decode(got[1:], f.Name, read, 5, 6, f.Name); err == nil {
			t.Error("too few bytes are no error")
		}
	}
}
