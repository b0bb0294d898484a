package model_test

import (
	"testing"

	"capgraph/kernels"
	"capgraph/train/model"
)

// As many images as are said to be within a number of tokens take 0.3 to 2 GB of float32,
// whatever the tower.
func TestImagesWithinTokens(t *testing.T) {
	const tokens = 1 << 13
	for _, name := range model.Names() {
		c := read(t, name)
		d := &kernels.CountingDevice{ElementSize: 4}
		m, err := model.New(d, c)
		if err != nil {
			t.Fatal(err)
		}
		tape, packer := kernels.NewTape(d, kernels.NewCountingArena(d)), model.Packer{}
		tape.ForwardOnly, tape.Scratch = true, kernels.NewTape(d, kernels.NewCountingArena(d))
		side := c.Image.ImageSize
		n := c.Image.ImagesWithin(tokens)
		m.EncodeImages(tape, packer.Images(d, c, make([]byte, n*3*side*side)))
		if gb := 4 * float64(tape.Arena.Peak()+tape.Scratch.Arena.Peak()) / (1 << 30); gb < 0.3 || gb > 2 || c.Image.ImagesWithin(1) != 1 {
			t.Errorf("%s: %d images take %.2f GB", name, n, gb)
		}
	}
}
