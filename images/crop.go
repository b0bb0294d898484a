package images

import (
	"image"
	"math"

	"capgraph/internal/portable"
	"capgraph/schemas/drawing"
)

// CropDraw says which part of an image an epoch sees: torchvision's
// RandomResizedCrop, drawn by SplitMix64 (docs/format.md, "The draw"), as
// testdata/golden.py draws it too. It is a function of its fields, a key and
// the size of the image.
type CropDraw struct {
	Seed, Epoch uint64
	// Scale are the least and the greatest share of the image's area; Ratio the
	// least and the greatest width to height. Both are positive and ascending.
	Scale, Ratio [2]float64
}

// NewCropDraw returns the crop of open_clip's training: 0.9 to 1 of the area, and
// torchvision's ratios, 3/4 to 4/3.
func NewCropDraw(seed, epoch uint64) CropDraw {
	return CropDraw{Seed: seed, Epoch: epoch, Scale: [2]float64{0.9, 1}, Ratio: [2]float64{3. / 4, 4. / 3}}
}

// tries is how often a box is drawn that does not fit before the centre is taken.
const tries = 10

// Box returns the part of an image of width × height pixels, both positive, that
// is kept.
func (c CropDraw) Box(key string, width, height int) image.Rectangle {
	s := drawing.Draw{Seed: c.Seed, Epoch: c.Epoch}.Random("crop", key)
	area := float64(width) * float64(height)
	low, high := portable.Log(c.Ratio[0]), portable.Log(c.Ratio[1])
	for range tries {
		target := float64(area * drawBetween(&s, c.Scale[0], c.Scale[1]))
		ratio := portable.Exp(drawBetween(&s, low, high))
		w := int(math.RoundToEven(math.Sqrt(float64(target * ratio))))
		h := int(math.RoundToEven(math.Sqrt(target / ratio)))
		if 0 < w && w <= width && 0 < h && h <= height {
			top := s.IntN(height - h + 1)
			left := s.IntN(width - w + 1)
			return image.Rect(left, top, left+w, top+h)
		}
	}
	w, h := width, height
	switch ratio := float64(width) / float64(height); {
	case ratio < c.Ratio[0]:
		h = min(max(int(math.RoundToEven(float64(width)/c.Ratio[0])), 1), height)
	case ratio > c.Ratio[1]:
		w = min(max(int(math.RoundToEven(float64(height)*c.Ratio[1])), 1), width)
	}
	left, top := (width-w)/2, (height-h)/2
	return image.Rect(left, top, left+w, top+h)
}

// drawBetween is the next number, uniform from low to high: its upper 53 bits over
// 2^53.
func drawBetween(s *portable.SplitMix64, low, high float64) float64 {
	u := float64(s.Next()>>11) / (1 << 53)
	return low + float64((high-low)*u)
}
