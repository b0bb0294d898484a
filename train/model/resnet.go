package model

import (
	"errors"
	"fmt"
	"math"

	"capgraph/kernels"
)

// resNet is the architecture of CLIP's modified ResNets (Radford et al. 2021, §2.4):
// three convolutions and an average pool before four stages of bottleneck blocks (He et
// al. 2016), an average pool where a stride was, and attention pooling.
type resNet struct{}

const (
	// resNetStride is how many pixels of a side a place of the last stage stands for.
	resNetStride = 32
	// expansion is the width of what a bottleneck block gives, in that of its middle.
	expansion = 4
)

// Stages are the blocks of each stage of a ResNet; all 0 of towers that have none.
type Stages [4]int

// none says whether there are no stages.
func (s Stages) none() bool { return s == Stages{} }

// pooled is the width that a ResNet's attention pooling has.
func (i Image) pooled() int { return i.Width * 8 * expansion }

func (resNet) check(c Config) error {
	i := c.Image
	for _, n := range i.Stages {
		if err := bounded(bound{"a stage of vision_cfg.layers", n, maxLayers}); err != nil {
			return err
		}
	}
	if err := bounded(
		bound{"vision_cfg.width", i.Width, maxWidth / (8 * expansion)},
		bound{"vision_cfg.head_width", i.HeadWidth, maxWidth},
		bound{"vision_cfg.image_size", i.ImageSize, maxSide},
	); err != nil {
		return err
	}
	if i.PatchSize != resNetStride {
		return fmt.Errorf("vision_cfg.patch_size is %d: that of a ResNet is %d, its stride", i.PatchSize, resNetStride)
	}
	if !c.Binding.None() {
		return errors.New("vision_cfg.layers is a ResNet's, and binding_cfg reads patches: use a vision transformer, whose layers are a number")
	}
	return divides(
		division{"vision_cfg.width", i.Width, "the convolutions before its stages", 2},
		division{"vision_cfg.width · 32", i.pooled(), "head_width", i.HeadWidth},
		division{"vision_cfg.image_size", i.ImageSize, "its stride", resNetStride},
	)
}

func (resNet) form(i Image) visionFile {
	return visionFile{ImageSize: i.ImageSize, Layers: i.Stages, Width: i.Width, HeadWidth: i.HeadWidth}
}

func (resNet) parameters(c Config) []Spec {
	t, i := tower{name: ImageTower, prefix: "visual."}, c.Image
	t.of = 1 // what is before the stages is a block too
	t.convolution("conv1", 3, i.Width/2, 3)
	t.batchNorm("bn1", i.Width/2, 1)
	t.convolution("conv2", i.Width/2, i.Width/2, 3)
	t.batchNorm("bn2", i.Width/2, 1)
	t.convolution("conv3", i.Width/2, i.Width, 3)
	t.batchNorm("bn3", i.Width, 1)
	in := i.Width
	i.Stages.each(func(stage, number int) {
		t.of++
		at, middle := bottleneckName(stage, number), i.Width<<stage
		t.convolution(at+"conv1", in, middle, 1)
		t.batchNorm(at+"bn1", middle, 1)
		t.convolution(at+"conv2", middle, middle, 3)
		t.batchNorm(at+"bn2", middle, 1)
		t.convolution(at+"conv3", middle, expansion*middle, 1)
		t.batchNorm(at+"bn3", expansion*middle, 0) // so that blocks begin as what passes by them
		if number == 0 {
			t.convolution(at+"downsample.0", in, expansion*middle, 1)
			t.batchNorm(at+"downsample.1", expansion*middle, 1)
		}
		in = expansion * middle
	})
	t.of = 0
	w := i.pooled()
	scale := 1 / math.Sqrt(float64(w))
	t.positions("attnpool.positional_embedding", normal(scale), Antialiased, i.Tokens(), w)
	for _, part := range []string{"weight", "bias"} {
		for _, name := range []string{"q_proj.", "k_proj.", "v_proj."} {
			if part == "weight" {
				t.add("attnpool."+name+part, normal(scale), w, w)
			} else {
				t.add("attnpool."+name+part, fanIn(w), w)
			}
			t.specs[len(t.specs)-1].joint = "visual.attnpool.qkv." + part
		}
	}
	t.add("attnpool.c_proj.weight", normal(scale), c.EmbedDim, w)
	t.add("attnpool.c_proj.bias", fanIn(w), c.EmbedDim)
	return t.specs
}

// each calls f for each block: its stage and its number within it, both from 0.
func (s Stages) each(f func(stage, number int)) {
	for stage, n := range s {
		for number := range n {
			f(stage, number)
		}
	}
}

func bottleneckName(stage, number int) string { return fmt.Sprintf("layer%d.%d.", stage+1, number) }

// convolution adds the kernels of one without a bias, of side·side pixels.
func (t *tower) convolution(name string, in, out, side int) {
	t.add(name+".weight", fanIn(in*side*side), out, in, side, side)
	t.specs[len(t.specs)-1].Pixels = side * side
}

// batchNorm adds gain, which begins as that, bias and running averages.
func (t *tower) batchNorm(name string, width int, gain float64) {
	t.add(name+".weight", constant(gain), width)
	t.add(name+".bias", constant(0), width)
	t.add(name+".running_mean", constant(0), width)
	t.add(name+".running_var", constant(1), width)
	for i := range 2 {
		t.specs[len(t.specs)-1-i].Running = true
	}
}

// lay lays out the mean of each image and its places, of which a list has the means of
// all images first.
func (resNet) lay(p *Packer, d kernels.Device, c Config, n int, to *Images) {
	length := c.Image.Tokens()
	p.sequences(d, n, length, to)
	p.ids = p.ids[:0]
	for i := range n {
		p.ids = append(p.ids, int32(i))
		for k := range length - 1 {
			p.ids = append(p.ids, int32(n+i*(length-1)+k))
		}
	}
	to.places, to.byPlace = d.Ints(p.ids), groupsOf(d, &p.byID, p.ids, n*length)
}
