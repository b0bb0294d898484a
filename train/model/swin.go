package model

import (
	"errors"
	"fmt"

	"capgraph/kernels"
)

// swin is the Swin transformer (Liu et al. 2021): four stages of blocks whose attention
// is within windows, every second block's moved by half a window, four patches merged
// into one between stages, and the mean of the last stage's. A linear layer takes it to
// the common space, as open_clip's TimmModel has it.
type swin struct{}

// swinStages is the number of stages, each half as high and wide as the one before.
const swinStages = len(Stages{})

// swinOf is a network of Swin's with these blocks: patches of 4 pixels, heads of 32, images
// of 224 pixels normalised by the means and deviations of ImageNet.
func swinOf(stages Stages, width int) timmNetwork {
	return timmNetwork{
		architecture: swin{},
		Image:        Image{Stages: stages, Width: width, HeadWidth: 32, PatchSize: 4, ImageSize: 224, MLPRatio: 4},
		pools:        []string{"avg", ""},
		mean:         [3]float64{0.485, 0.456, 0.406},
		std:          [3]float64{0.229, 0.224, 0.225},
	}
}

func (swin) check(c Config) error {
	i := c.Image
	if i.Stages.none() {
		return errors.New("vision_cfg.layers is a number: those of a Swin transformer are of its four stages, such as [2, 2, 6, 2]")
	}
	for _, n := range i.Stages {
		if err := bounded(bound{"a stage of vision_cfg.layers", n, maxLayers}); err != nil {
			return err
		}
	}
	if err := bounded(
		bound{"vision_cfg.width", i.Width, maxWidth >> (swinStages - 1)},
		bound{"vision_cfg.head_width", i.HeadWidth, maxWidth},
		bound{"vision_cfg.patch_size", i.PatchSize, maxSide},
		bound{"vision_cfg.image_size", i.ImageSize, maxSide},
		bound{"vision_cfg.width · mlp_ratio", hidden(i.Width, i.MLPRatio), maxWidth},
	); err != nil {
		return err
	}
	if !c.Binding.None() {
		return errors.New("vision_cfg.timm_model_name is a Swin transformer's, and binding_cfg reads patches: use a vision transformer")
	}
	return divides(
		division{"vision_cfg.width", i.Width, "head_width", i.HeadWidth},
		division{"vision_cfg.image_size", i.ImageSize, "patch_size · 8, its stride", i.PatchSize << (swinStages - 1)},
	)
}

// form is open_clip's vision_cfg; of the numbers it looks at image_size alone.
func (swin) form(i Image) visionFile {
	f := timmForm(i, "avg")
	f.Layers = i.Stages
	return f
}

// window is the side of a window, which is that of the last stage: 7 patches of images of
// 224 pixels. At other sizes timm scales it so.
func (swin) window(i Image) int { return i.Grid() >> (swinStages - 1) }

// parameters are named as timm names them; what they begin with is timm's.
func (s swin) parameters(c Config) []Spec {
	i := c.Image
	t := tower{name: ImageTower, prefix: "visual.trunk."}
	linear := func(name string, in, out int) {
		t.add(name+".weight", normal(0.02), out, in)
		t.add(name+".bias", constant(0), out)
	}
	patch := 3 * i.PatchSize * i.PatchSize
	t.add("patch_embed.proj.weight", fanIn(patch), i.Width, 3, i.PatchSize, i.PatchSize)
	t.add("patch_embed.proj.bias", fanIn(patch), i.Width)
	t.norm("patch_embed.norm", i.Width)
	cells := 2*s.window(i) - 1
	i.Stages.each(func(stage, number int) {
		w := i.Width << stage
		t.of++
		if stage > 0 && number == 0 {
			at := swinMergingName(stage)
			first := len(t.specs)
			t.norm(at+"norm", 2*w)
			t.add(at+"reduction.weight", normal(0.02), w, 2*w)
			for k := range t.specs[first:] {
				t.specs[first+k].Merged = true
			}
		}
		at := swinBlockName(stage, number)
		t.norm(at+"norm1", w)
		t.add(at+"attn.relative_position_bias_table", normal(0.02), cells*cells, w/i.HeadWidth)
		t.specs[len(t.specs)-1].Decay = false // its name has bias in it
		linear(at+"attn.qkv", w, 3*w)
		linear(at+"attn.proj", w, w)
		t.norm(at+"norm2", w)
		linear(at+"mlp.fc1", w, hidden(w, i.MLPRatio))
		linear(at+"mlp.fc2", hidden(w, i.MLPRatio), w)
	})
	t.of = 0
	last := i.Width << (swinStages - 1)
	t.norm("norm", last)
	t.prefix = "visual."
	t.add("head.proj.weight", fanIn(last), c.EmbedDim, last)
	return t.specs
}

func swinBlockName(stage, number int) string {
	return fmt.Sprintf("layers.%d.blocks.%d.", stage, number)
}

func swinMergingName(stage int) string { return fmt.Sprintf("layers.%d.downsample.", stage) }

// lay lays out the images as sequences of what tokens gives.
func (swin) lay(p *Packer, d kernels.Device, c Config, n int, to *Images) {
	p.sequences(d, n, c.Image.Tokens(), to)
}
