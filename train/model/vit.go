package model

import (
	"math"

	"capgraph/kernels"
)

// visionTransformer is the architecture of Dosovitskiy et al. 2020 with CLIP's layer
// norm before the first block, pooled at its class token.
type visionTransformer struct{}

func (visionTransformer) check(c Config) error {
	i := c.Image
	if err := bounded(
		bound{"vision_cfg.layers", i.Layers, maxLayers},
		bound{"vision_cfg.width", i.Width, maxWidth},
		bound{"vision_cfg.head_width", i.HeadWidth, maxWidth},
		bound{"vision_cfg.patch_size", i.PatchSize, maxSide},
		bound{"vision_cfg.image_size", i.ImageSize, maxSide},
		bound{"vision_cfg.width · mlp_ratio", hidden(i.Width, i.MLPRatio), 16 * maxWidth},
	); err != nil {
		return err
	}
	return divides(
		division{"vision_cfg.width", i.Width, "head_width", i.HeadWidth},
		division{"vision_cfg.image_size", i.ImageSize, "patch_size", i.PatchSize},
	)
}

func (visionTransformer) form(i Image) visionFile {
	return visionFile{ImageSize: i.ImageSize, Layers: i.Layers, Width: i.Width, HeadWidth: i.HeadWidth, PatchSize: i.PatchSize, MLPRatio: i.MLPRatio}
}

func (visionTransformer) parameters(c Config) []Spec {
	t := tower{name: ImageTower, prefix: "visual."}
	w := c.Image.Width
	scale := 1 / math.Sqrt(float64(w))
	patch := c.Image.PatchSize
	t.add("conv1.weight", fanIn(3*patch*patch), w, 3, patch, patch)
	t.add("class_embedding", normal(scale), w)
	t.positions("positional_embedding", normal(scale), Antialiased, c.Image.Tokens(), w)
	t.norm("ln_pre", w)
	for i := range c.Image.Layers {
		// The vision transformer keeps the defaults of PyTorch's layers.
		t.block(i, w, c.Image.Hidden(), blockLaws{
			in: uniform(math.Sqrt(6 / float64(4*w))), out: fanIn(w), fc: fanIn(w), proj: fanIn(c.Image.Hidden()),
		})
	}
	t.norm("ln_post", w)
	t.project("proj", normal(scale), w, c.EmbedDim)
	return t.specs
}

func (visionTransformer) lay(p *Packer, d kernels.Device, c Config, n int, to *Images) {
	length := c.Image.Tokens()
	p.sequences(d, n, length, to)
	if !c.Binding.None() {
		to.patches = p.patches(d, n, length)
	}
}

func (visionTransformer) tower(named map[string]*kernels.Var, c Config) imageTower {
	return &vit{encoderOf(named, "visual.", c.Image.Layers, c.Image.Heads(), false, c.activation()), c}
}

// vit is a vision transformer's parameters on a device.
type vit struct {
	encoder
	config Config
}

func (v *vit) tokens(t *kernels.Tape, images Images) *kernels.Var {
	c := v.config
	patches := t.Patchify(images.pixels, c.Image.ImageSize, c.Image.PatchSize, c.Mean, c.Std)
	x := t.Vision(t.Linear(patches, v.first, nil, nil, kernels.NoActivation), v.class, v.positions)
	return v.transform(t, v.before.on(t, x), images.starts)
}

func (v *vit) pool(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return v.project(t, t.Gather(tokens, images.class, images.by))
}

func (v *vit) patches(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return v.after.on(t, t.Gather(tokens, images.patches.rows, images.patches.byRow))
}
