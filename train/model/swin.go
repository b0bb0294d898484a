package model

import (
	"errors"
	"fmt"

	"capgraph/kernels"
)

// swin is the architecture of the Swin transformer (Liu et al. 2021). It has four stages of blocks with attention
// within windows; the windows of every second block are shifted by half a window. Between stages, four patches are
// merged into one. Features are the mean of the last stage, which a linear layer projects to the common space, as in
// open_clip's TimmModel.
type swin struct{}

// swinStages is the number of stages. Each has half the height and width of the previous one.
const swinStages = len(Stages{})

// swinNetwork returns a Swin transformer with these numbers of blocks: patches of 4 pixels, heads of 32, images of 224
// pixels, normalised by ImageNet's mean and standard deviation.
func swinNetwork(stages Stages, width int) timmNetwork {
	return timmNetwork{
		architecture: swin{},
		Image:        Image{Stages: stages, Width: width, HeadWidth: 32, PatchSize: 4, ImageSize: 224, MLPRatio: 4},
		pools:        []string{"avg", ""},
		proj:         "linear",
		mean:         [3]float64{0.485, 0.456, 0.406},
		std:          [3]float64{0.229, 0.224, 0.225},
	}
}

func (swin) check(c Config) error {
	i := c.Image
	if i.Stages.isEmpty() {
		return errors.New("vision_cfg.layers is a number: those of a Swin transformer are of its four stages, such as [2, 2, 6, 2]")
	}
	for _, n := range i.Stages {
		if err := checkLimits(limit{"a stage of vision_cfg.layers", n, maxLayers}); err != nil {
			return err
		}
	}
	if err := checkLimits(
		limit{"vision_cfg.width", i.Width, maxWidth >> (swinStages - 1)},
		limit{"vision_cfg.head_width", i.HeadWidth, maxWidth},
		limit{"vision_cfg.patch_size", i.PatchSize, maxSide},
		limit{"vision_cfg.image_size", i.ImageSize, maxSide},
		limit{"vision_cfg.width · mlp_ratio", hiddenWidth(i.Width, i.MLPRatio), maxWidth},
	); err != nil {
		return err
	}
	if !c.Binding.IsNone() {
		return errors.New("vision_cfg.timm_model_name is a Swin transformer's, and binding_cfg reads patches: use a vision transformer")
	}
	return checkDivisions(
		division{"vision_cfg.width", i.Width, "head_width", i.HeadWidth},
		division{"vision_cfg.image_size", i.ImageSize, "patch_size · 8, its stride", i.PatchSize << (swinStages - 1)},
	)
}

// toFile returns open_clip's vision_cfg; of its numbers open_clip reads image_size only.
func (swin) toFile(i Image) visionFile {
	f := timmFileOf(i, "avg")
	f.Layers = i.Stages
	return f
}

// windowSide returns the side of a window, which equals the side of the last stage: 7 patches for images of 224 pixels. timm
// scales it in the same way for other sizes.
func (swin) windowSide(i Image) int { return i.Grid() >> (swinStages - 1) }

// specs returns parameters under timm's names, with timm's initial values.
func (s swin) specs(c Config) []Spec {
	i := c.Image
	t := towerSpecs{name: ImageTower, prefix: "visual.trunk."}
	linear := func(name string, in, out int) {
		t.addSpec(name+".weight", normal(0.02), out, in)
		t.addSpec(name+".bias", constant(0), out)
	}
	patch := 3 * i.PatchSize * i.PatchSize
	t.addSpec("patch_embed.proj.weight", fanIn(patch), i.Width, 3, i.PatchSize, i.PatchSize)
	t.addSpec("patch_embed.proj.bias", fanIn(patch), i.Width)
	t.addNorm("patch_embed.norm", i.Width)
	cells := 2*s.windowSide(i) - 1
	i.Stages.eachBlock(func(stage, number int) {
		w := i.Width << stage
		t.blockNumber++
		if stage > 0 && number == 0 {
			at := swinMergingName(stage)
			first := len(t.specs)
			t.addNorm(at+"norm", 2*w)
			t.addSpec(at+"reduction.weight", normal(0.02), w, 2*w)
			for k := range t.specs[first:] {
				t.specs[first+k].Merged = true
			}
		}
		at := swinBlockName(stage, number)
		t.addNorm(at+"norm1", w)
		t.addSpec(at+"attn.relative_position_bias_table", normal(0.02), cells*cells, w/i.HeadWidth)
		t.specs[len(t.specs)-1].Decay = false // as in open_clip, because its name contains "bias"
		linear(at+"attn.qkv", w, 3*w)
		linear(at+"attn.proj", w, w)
		t.addNorm(at+"norm2", w)
		linear(at+"mlp.fc1", w, hiddenWidth(w, i.MLPRatio))
		linear(at+"mlp.fc2", hiddenWidth(w, i.MLPRatio), w)
	})
	t.blockNumber = 0
	last := i.Width << (swinStages - 1)
	t.addNorm("norm", last)
	t.prefix = "visual."
	t.addSpec("head.proj.weight", fanIn(last), c.EmbedDim, last)
	return t.specs
}

func swinBlockName(stage, number int) string {
	return fmt.Sprintf("layers.%d.blocks.%d.", stage, number)
}

func swinMergingName(stage int) string { return fmt.Sprintf("layers.%d.downsample.", stage) }

// packImages sets the sequences of the images' tokens, which are the places of the last stage.
func (swin) packImages(p *Packer, d kernels.Device, c Config, n int, to *Images) {
	p.packSequences(d, n, c.Image.Tokens(), to)
}
