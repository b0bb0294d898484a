package images

import (
	"fmt"
	"image"

	"capgraph/images/resize"
)

// RandomCrops decodes random crops of images. Each worker of a loader needs its own.
type RandomCrops struct {
	Decoder Decoder
	// Side is the width and height of crops in pixels. Scale and Ratio are as in CropDraw.
	Side         int
	Scale, Ratio [2]float64
	// Kept is a cache of decoded images that all workers share; nil for none.
	Kept *PictureCache
}

// NewRandomCrops returns RandomCrops with this scale, torchvision's ratios and the cache k.
func NewRandomCrops(side int, scale [2]float64, k *PictureCache) *RandomCrops {
	return &RandomCrops{Side: side, Scale: scale, Ratio: NewCropDraw(0, 0).Ratio, Kept: k}
}

// Decode writes the crop that seed, epoch and key draw to dst, Side × Side × 3 bytes. name
// identifies the image in the cache; read is called for its encoded bytes if it is not there. The
// crop does not depend on the cache.
func (r *RandomCrops) Decode(dst []byte, name string, read func() ([]byte, error), seed, epoch uint64, key string) error {
	if want := 3 * r.Side * r.Side; len(dst) != want {
		return fmt.Errorf("%d bytes for a crop of %d", len(dst), want)
	}
	c := CropDraw{seed, epoch, r.Scale, r.Ratio}
	if i, ok := r.Kept.lookup(name); ok {
		return r.cropPicture(dst, i, c, key)
	}
	encoded, err := read()
	if err != nil {
		return err
	}
	if r.Kept.hasRoom() {
		if err := r.Decoder.Decode(encoded, func(p resize.Pixels) { r.Kept.put(name, p) }); err != nil {
			return err
		}
		if i, ok := r.Kept.lookup(name); ok {
			return r.cropPicture(dst, i, c, key)
		}
	}
	_, err = r.Decoder.RandomCrop(encoded, r.Side, c, key, dst)
	return err
}

// cropPicture writes the crop to dst that Decoder.RandomCrop would make, from a cached image.
func (r *RandomCrops) cropPicture(dst []byte, i picture, c CropDraw, key string) error {
	defer r.Decoder.reservePixels(i.size)()
	i.copyPart(&r.Decoder.pixels, c.Box(key, i.size.X, i.size.Y))
	return r.Decoder.resizer.ResizeTo(dst, r.Decoder.pixels, image.Pt(r.Side, r.Side), image.Rect(0, 0, r.Side, r.Side))
}
