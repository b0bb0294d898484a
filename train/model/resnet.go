package model

import (
	"errors"
	"fmt"
	"math"

	"capgraph/kernels"
)

// resNet is the architecture of CLIP's modified ResNets (Radford et al. 2021, §2.4): three
// convolutions and an average pool before four stages of bottleneck blocks (He et al. 2016),
// average pools in place of strides, and attention pooling.
type resNet struct{}

const (
	// resNetStride is the side, in pixels, of the square that is one place of the last stage.
	resNetStride = 32
	// expansion is the width of a bottleneck block's result divided by the width of its middle.
	expansion = 4
)

// Stages are the numbers of blocks in each stage; all 0 for towers without stages.
type Stages [4]int

// isEmpty reports whether there are no stages.
func (s Stages) isEmpty() bool { return s == Stages{} }

// pooledWidth returns the width of a ResNet's attention pooling.
func (i Image) pooledWidth() int { return i.Width * 8 * expansion }

func (resNet) check(c Config) error {
	i := c.Image
	for _, n := range i.Stages {
		if err := checkLimits(limit{"a stage of vision_cfg.layers", n, maxLayers}); err != nil {
			return err
		}
	}
	if err := checkLimits(
		limit{"vision_cfg.width", i.Width, maxWidth / (8 * expansion)},
		limit{"vision_cfg.head_width", i.HeadWidth, maxWidth},
		limit{"vision_cfg.image_size", i.ImageSize, maxSide},
	); err != nil {
		return err
	}
	if i.PatchSize != resNetStride {
		return fmt.Errorf("vision_cfg.patch_size is %d: that of a ResNet is %d, its stride", i.PatchSize, resNetStride)
	}
	if !c.Binding.IsNone() {
		return errors.New("vision_cfg.layers is a ResNet's, and binding_cfg reads patches: use a vision transformer, whose layers are a number")
	}
	return checkDivisions(
		division{"vision_cfg.width", i.Width, "the convolutions before its stages", 2},
		division{"vision_cfg.width · 32", i.pooledWidth(), "head_width", i.HeadWidth},
		division{"vision_cfg.image_size", i.ImageSize, "its stride", resNetStride},
	)
}

func (resNet) toFile(i Image) visionFile {
	return visionFile{ImageSize: i.ImageSize, Layers: i.Stages, Width: i.Width, HeadWidth: i.HeadWidth}
}

func (resNet) specs(c Config) []Spec {
	t, i := towerSpecs{name: ImageTower, prefix: "visual."}, c.Image
	t.blockNumber = 1 // the stem before the stages counts as a block
	t.addConvolution("conv1", 3, i.Width/2, 3)
	t.addBatchNorm("bn1", i.Width/2, 1)
	t.addConvolution("conv2", i.Width/2, i.Width/2, 3)
	t.addBatchNorm("bn2", i.Width/2, 1)
	t.addConvolution("conv3", i.Width/2, i.Width, 3)
	t.addBatchNorm("bn3", i.Width, 1)
	in := i.Width
	i.Stages.eachBlock(func(stage, number int) {
		t.blockNumber++
		at, middle := bottleneckName(stage, number), i.Width<<stage
		t.addConvolution(at+"conv1", in, middle, 1)
		t.addBatchNorm(at+"bn1", middle, 1)
		t.addConvolution(at+"conv2", middle, middle, 3)
		t.addBatchNorm(at+"bn2", middle, 1)
		t.addConvolution(at+"conv3", middle, expansion*middle, 1)
		t.addBatchNorm(at+"bn3", expansion*middle, 0) // so that blocks are initially the identity
		if number == 0 {
			t.addConvolution(at+"downsample.0", in, expansion*middle, 1)
			t.addBatchNorm(at+"downsample.1", expansion*middle, 1)
		}
		in = expansion * middle
	})
	t.blockNumber = 0
	w := i.pooledWidth()
	scale := 1 / math.Sqrt(float64(w))
	t.addPositions("attnpool.positional_embedding", normal(scale), Antialiased, i.Tokens(), w)
	for _, part := range []string{"weight", "bias"} {
		for _, name := range []string{"q_proj.", "k_proj.", "v_proj."} {
			if part == "weight" {
				t.addSpec("attnpool."+name+part, normal(scale), w, w)
			} else {
				t.addSpec("attnpool."+name+part, fanIn(w), w)
			}
			t.specs[len(t.specs)-1].joined = "visual.attnpool.qkv." + part
		}
	}
	t.addSpec("attnpool.c_proj.weight", normal(scale), c.EmbedDim, w)
	t.addSpec("attnpool.c_proj.bias", fanIn(w), c.EmbedDim)
	return t.specs
}

// eachBlock calls f for each block, with its stage and its number within the stage, both from 0.
func (s Stages) eachBlock(f func(stage, number int)) {
	for stage, n := range s {
		for number := range n {
			f(stage, number)
		}
	}
}

func bottleneckName(stage, number int) string { return fmt.Sprintf("layer%d.%d.", stage+1, number) }

// addConvolution adds the kernels, of side·side pixels, of a convolution without a bias.
func (t *towerSpecs) addConvolution(name string, in, out, side int) {
	t.addSpec(name+".weight", fanIn(in*side*side), out, in, side, side)
	t.specs[len(t.specs)-1].Pixels = side * side
}

// addBatchNorm adds the gain, with the given initial value, the bias and the running averages of a
// batch norm.
func (t *towerSpecs) addBatchNorm(name string, width int, gain float64) {
	t.addSpec(name+".weight", constant(gain), width)
	t.addSpec(name+".bias", constant(0), width)
	t.addSpec(name+".running_mean", constant(0), width)
	t.addSpec(name+".running_var", constant(1), width)
	for i := range 2 {
		t.specs[len(t.specs)-1-i].Running = true
	}
}

// packImages sets the rows of each image's tokens, which are its mean, then its places. The rows
// have the means of all images first, then all places.
func (resNet) packImages(p *Packer, d kernels.Device, c Config, n int, to *Images) {
	length := c.Image.Tokens()
	p.packSequences(d, n, length, to)
	p.ids = p.ids[:0]
	for i := range n {
		p.ids = append(p.ids, int32(i))
		for k := range length - 1 {
			p.ids = append(p.ids, int32(n+i*(length-1)+k))
		}
	}
	to.places, to.byPlace = d.Ints(p.ids), groupRows(d, &p.byID, p.ids, n*length)
}
