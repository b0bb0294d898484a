package resize

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"image"
	"os"
	"testing"

	"capgraph/internal/portable"

	"pgregory.net/rapid"
)

// noise is the image of testdata/golden.py, with 255 in the bytes between.
func noise(width, height int, seed uint64, gentle bool) (p Pixels, rgb []byte) {
	s := portable.SplitMix64(seed)
	p = Pixels{Width: width, Height: height}
	for range width * height {
		for range 3 {
			z := s.Next()
			b := byte(z)
			if (z>>16)%5 == 0 {
				b = 255 * byte(z>>8&1)
			}
			if gentle {
				b = 96 + b/4
			}
			rgb, p.RGBX = append(rgb, b), append(p.RGBX, b)
		}
		p.RGBX = append(p.RGBX, 255)
	}
	return p, rgb
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// TestAsPillowAndTorchvision holds the resize to Pillow's bytes, and to
// torchvision's of a tensor within 1.
func TestAsPillowAndTorchvision(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Size, Full     [2]int
		Box            [4]int
		SHA256, Pillow string
		Torchvision    string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	var b Bicubic
	for seed, c := range cases {
		src, rgb := noise(c.Size[0], c.Size[1], uint64(seed), c.Torchvision != "")
		if digest(rgb) != c.SHA256 {
			t.Fatalf("%v: the image is not that of golden.py", c.Size)
		}
		part := image.Rect(c.Box[0], c.Box[1], c.Box[2], c.Box[3])
		got := make([]byte, 3*part.Dx()*part.Dy())
		if err := b.ResizeTo(got, src, image.Pt(c.Full[0], c.Full[1]), part); err != nil {
			t.Fatal(err)
		}
		if digest(got) != c.Pillow {
			t.Errorf("%v to %v: not Pillow's bytes", c.Size, c.Full)
		}
		if c.Torchvision == "" {
			continue
		}
		want, err := base64.StdEncoding.DecodeString(c.Torchvision)
		if err != nil || len(want) != len(got) {
			t.Fatal(err, len(want))
		}
		for i := range got {
			if d := int(got[i]) - int(want[i]); d < -1 || d > 1 {
				t.Errorf("%v to %v: byte %d is %d, torchvision's %d", c.Size, c.Full, i, got[i], want[i])
				break
			}
		}
	}
}

// TestPassesAgree holds what this processor computes with to plain Go.
func TestPassesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 60)
		size, full := side.Draw(t, "size"), side.Draw(t, "full")
		first := rapid.IntRange(0, full-1).Draw(t, "first")
		var w weights
		w.setAxis(axis{size, full, first, rapid.IntRange(1, full-first).Draw(t, "count")})
		src, _ := noise(size, 1, rapid.Uint64().Draw(t, "seed"), false)
		got, want := make([]byte, 4*len(w.begin)), make([]byte, 4*len(w.begin))
		resampleRow(got, src.RGBX, &w)
		acrossPortable(want, src.RGBX, &w)
		if !equal(got, want) {
			t.Fatalf("across: %v, want %v", got, want)
		}
		width := side.Draw(t, "width")
		rows, _ := noise(width, w.width, 3, false)
		got, want = make([]byte, 4*width+1), make([]byte, 4*width)
		got[4*width] = 99
		resampleColumns(got[:4*width], rows.RGBX, w.factors[:w.width])
		downPortable(want, rows.RGBX, w.factors[:w.width])
		if !equal(got[:4*width], want) || got[4*width] != 99 {
			t.Fatalf("down: %v, want %v", got, want)
		}
	})
}

// equal leaves the fourth bytes out.
func equal(a, b []byte) bool {
	x, y := make([]byte, len(a)/4*3), make([]byte, len(b)/4*3)
	packRGB(x, a)
	packRGB(y, b)
	return bytes.Equal(x, y)
}

func TestRefuses(t *testing.T) {
	src, _ := noise(4, 4, 1, false)
	whole := image.Rect(0, 0, 2, 2)
	for name, c := range map[string]struct {
		dst  int
		src  Pixels
		full image.Point
		part image.Rectangle
	}{
		"an empty image":         {12, Pixels{}, whole.Max, whole},
		"too few bytes":          {12, Pixels{5, 4, src.RGBX}, whole.Max, whole},
		"a part outside":         {12, src, image.Pt(2, 1), whole},
		"an empty part":          {0, src, whole.Max, image.Rectangle{}},
		"another length of dst":  {13, src, whole.Max, whole},
		"a part beyond all size": {3 << 17, src, image.Pt(1<<17, 1), image.Rect(0, 0, 1<<17, 1)},
	} {
		if err := new(Bicubic).ResizeTo(make([]byte, c.dst), c.src, c.full, c.part); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestNoMemoryOfItsOwnAfterTheFirst(t *testing.T) {
	src, _ := noise(64, 48, 1, false)
	dst := make([]byte, 3*32*32)
	var b Bicubic
	if n := testing.AllocsPerRun(10, func() {
		if err := b.ResizeTo(dst, src, image.Pt(32, 32), image.Rect(0, 0, 32, 32)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkResize(b *testing.B) {
	src, _ := noise(640, 480, 1, false)
	dst := make([]byte, 3*224*224)
	var r Bicubic
	for b.Loop() {
		if err := r.ResizeTo(dst, src, image.Pt(224, 224), image.Rect(0, 0, 224, 224)); err != nil {
			b.Fatal(err)
		}
	}
}
