package images

import (
	"image"
	"math"

	"capgraph/internal/portable"
	"capgraph/schemas/drawing"
)

// CropDraw draws the random crop of an image for an epoch: torchvision's RandomResizedCrop, drawn
// by SplitMix64 (docs/format.md, "The draw"). Only its fields, a key and the size of the image
// decide. testdata/golden.py draws the same crops.
type CropDraw struct {
	Seed, Epoch uint64
	// Scale has the least and greatest share of the image's area, Ratio the least and greatest width
	// divided by height. All are positive, and the pairs ascend.
	Scale, Ratio [2]float64
}

// NewCropDraw returns the crop of open_clip's training: a share of 0.9 to 1 of the area, and
// torchvision's ratios 3/4 to 4/3.
func NewCropDraw(seed, epoch uint64) CropDraw {
	return CropDraw{Seed: seed, Epoch: epoch, Scale: [2]float64{0.9, 1}, Ratio: [2]float64{3. / 4, 4. / 3}}
}

// tries is how many boxes are drawn before the centre is taken, if none fits into the image.
const tries = 10

// Box returns the part to keep of an image of width × height pixels; both are positive.
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

// drawBetween returns the next random number, uniform in [low, high): from the upper 53 bits of
// s.Next(), over 2^53.
func drawBetween(s *portable.SplitMix64, low, high float64) float64 {
	u := float64(s.Next()>>11) / (1 << 53)
	return low + float64((high-low)*u)
}
