package model

import (
	"testing"

	"capgraph/kernels"
)

// Gradients of a tower lie together, a block after the other.
func TestExtents(t *testing.T) {
	c, err := Parse([]byte(`{"embed_dim": 8, "vision_cfg": {"image_size": 8, "patch_size": 4, "width": 8, "layers": 3, "head_width": 4},
		"text_cfg": {"context_length": 5, "vocab_size": 9, "width": 8, "heads": 2, "layers": 11}}`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(kernels.NewReference(), c)
	if err != nil {
		t.Fatal(err)
	}
	image, text := m.Extent(ImageTower), m.Extent(TextTower)
	if image.First != 0 || image.End != text.First || text.End >= m.Gradients().Len() || len(image.Blocks) != 3 || len(text.Blocks) != 11 {
		t.Errorf("%+v, %+v of %d", image, text, m.Gradients().Len())
	}
	for _, e := range []Extent{image, text} {
		for i, at := range e.Blocks {
			var grad kernels.Tensor
			for j, s := range m.Specs {
				if v := m.Vars[j]; s.Block == i+1 && &v.Grad.F64[0] == &m.Gradients().F64[at] {
					grad = v.Grad
				}
			}
			if grad.IsNone() || i > 0 && at <= e.Blocks[i-1] || at <= e.First || at >= e.End {
				t.Errorf("block %d begins at %d, where no gradient of a block does", i, at)
			}
		}
	}
	frozen, err := New(kernels.NewReference(), c, ImageTower)
	if err != nil {
		t.Fatal(err)
	}
	if e := frozen.Extent(ImageTower); e.End != 0 || len(e.Blocks) > 0 || frozen.Extent(TextTower).First != 0 {
		t.Errorf("a frozen tower has gradients: %+v", e)
	}
}

// What is before a ResNet's stages is a block too, so that parts of the tape are blocks.
func TestExtentsOfAResNet(t *testing.T) {
	c, err := Parse([]byte(`{"embed_dim": 8, "vision_cfg": {"image_size": 32, "width": 2, "layers": [2, 1, 1, 3], "head_width": 4},
		"text_cfg": {"context_length": 5, "vocab_size": 9, "width": 8, "heads": 2, "layers": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	d := &kernels.CountingDevice{ElementSize: 4}
	m, err := New(d, c)
	if err != nil {
		t.Fatal(err)
	}
	tape, packer := kernels.NewTape(d, kernels.NewCountingArena(d)), Packer{}
	images := packer.Images(d, c, make([]byte, 2*3*32*32))
	images.Learned = true
	m.EncodeImages(tape, images)
	e := m.Extent(ImageTower)
	if len(e.Blocks) != 8 || len(tape.Parts) != len(e.Blocks) || e.Blocks[0] != e.First || e.End != m.Extent(TextTower).First {
		t.Errorf("%+v of %d parts", e, len(tape.Parts))
	}
}
