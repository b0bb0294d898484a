package model

import (
	"fmt"

	"capgraph/kernels"
)

// dinov2 is the architecture of DINOv2's vision transformer (Oquab et al. 2024): a bias in the
// embedding of patches, no norm before the first block, and layer scale (Touvron et al. 2021). Its
// activation is always GELU. A linear layer projects the class token to the common space, as in
// open_clip's TimmModel.
type dinov2 struct{ visionTransformer }

// dinov2Eps is added to variances in layer norms.
const dinov2Eps = 1e-6

// dinov2Network returns a network of DINOv2: patches of 14 pixels, heads of 64, pixels normalised
// by ImageNet's mean and standard deviation. DINOv2 itself has images of 518 pixels; the default
// here, as in CLIP, is 224.
func dinov2Network(layers, width int) timmNetwork {
	return timmNetwork{
		architecture: dinov2{},
		Image:        Image{Layers: layers, Width: width, HeadWidth: 64, PatchSize: 14, ImageSize: 224, MLPRatio: 4},
		pools:        []string{"token", ""},
		proj:         "linear",
		mean:         [3]float64{0.485, 0.456, 0.406},
		std:          [3]float64{0.229, 0.224, 0.225},
	}
}

func (dinov2) toFile(i Image) visionFile { return timmFileOf(i, "token") }

// specs returns parameters under timm's names, which DINOv2's published files use too, with timm's
// initial values.
func (dinov2) specs(c Config) []Spec {
	t := towerSpecs{name: ImageTower, prefix: "visual.trunk."}
	w := c.Image.Width
	t.addSpec("cls_token", normal(1e-6), 1, 1, w)
	t.addPositions("pos_embed", normal(0.02), Bicubic, 1, c.Image.Tokens(), w)
	t.addTimmBlocks(c.Image, true)
	t.prefix = "visual."
	t.addSpec("head.proj.weight", fanIn(w), c.EmbedDim, w)
	return t.specs
}

func (dinov2) newTower(named map[string]*kernels.Var, c Config) imageTower {
	get := func(name string) *kernels.Var { return named["visual.trunk."+name] }
	layerOf := func(name string) layer { return layer{get(name + ".weight"), get(name + ".bias")} }
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias"), dinov2Eps} }
	d := &scaledTower{embed: layerOf("patch_embed.proj")}
	d.config = c
	d.class, d.positions, d.postNorm, d.projection = get("cls_token"), get("pos_embed"), normOf("norm"), layer{weight: named["visual.head.proj.weight"]}
	for i := range c.Image.Layers {
		at := fmt.Sprintf("blocks.%d.", i)
		b := &scaledBlock{block: block{
			norm1: normOf(at + "norm1"), norm2: normOf(at + "norm2"),
			in: layerOf(at + "attn.qkv"), out: layerOf(at + "attn.proj"), fc: layerOf(at + "mlp.fc1"), proj: layerOf(at + "mlp.fc2"),
			heads: c.Image.Heads(), activation: kernels.GELU,
		}, first: get(at + "ls1.gamma"), second: get(at + "ls2.gamma")}
		d.blocks = append(d.blocks, b.apply)
	}
	return d
}

// scaledTower has DINOv2's parameters on a device.
type scaledTower struct {
	vit
	embed layer
}

func (s *scaledTower) encodeTokens(t *kernels.Tape, images Images) *kernels.Var {
	c := s.config
	patches := t.Patchify(images.pixels, c.Image.ImageSize, c.Image.PatchSize, c.Mean, c.Std)
	x := t.Vision(t.Linear(patches, s.embed.weight, s.embed.bias, nil, kernels.NoActivation), s.class, s.positions)
	return s.runBlocks(t, x, images.starts)
}

// scaledBlock is a block with layer scale: the results of its halves are multiplied by gains before
// they are added.
type scaledBlock struct {
	block
	first, second *kernels.Var
}

func (b *scaledBlock) apply(t *kernels.Tape, x *kernels.Var, starts kernels.Ints) *kernels.Var {
	qkv := t.Linear(b.norm1.applyHalf(t, x), b.in.weight, b.in.bias, nil, kernels.NoActivation)
	attended := t.Linear(t.Attention(qkv, starts, b.heads, false), b.out.weight, b.out.bias, nil, kernels.NoActivation)
	x = t.LayerScale(attended, b.first, x)
	hidden := t.HiddenLinear(b.norm2.applyHalf(t, x), b.fc.weight, b.fc.bias, b.activation)
	return t.LayerScale(t.Linear(hidden, b.proj.weight, b.proj.bias, nil, kernels.NoActivation), b.second, x)
}
