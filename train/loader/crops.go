package loader

import "capgraph/train/images"

// RandomCrops returns the decoder of a training: crops of an image, of scale[0] to
// scale[1] of its area, resized to side × side pixels (images.CropDraw).
func RandomCrops(side int, scale [2]float64) Decoder {
	return &randomCrops{side: side, scale: scale}
}

type randomCrops struct {
	decoder images.Decoder
	side    int
	scale   [2]float64
}

// Decode implements Decoder.
func (c *randomCrops) Decode(dst, encoded []byte, seed, epoch uint64, key string) error {
	crop := images.NewCropDraw(seed, epoch)
	crop.Scale = c.scale
	_, err := c.decoder.RandomCrop(encoded, c.side, crop, key, dst)
	return err
}
