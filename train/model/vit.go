package model

import (
	"math"

	"capgraph/kernels"
)

// visionTransformer is the architecture of CLIP's vision transformer: that of Dosovitskiy et al.
// (2020), pooled at its class token, with a layer norm before the first block.
type visionTransformer struct{}

func (visionTransformer) check(c Config) error {
	i := c.Image
	if err := checkLimits(
		limit{"vision_cfg.layers", i.Layers, maxLayers},
		limit{"vision_cfg.width", i.Width, maxWidth},
		limit{"vision_cfg.head_width", i.HeadWidth, maxWidth},
		limit{"vision_cfg.patch_size", i.PatchSize, maxSide},
		limit{"vision_cfg.image_size", i.ImageSize, maxSide},
		limit{"vision_cfg.width · mlp_ratio", hiddenWidth(i.Width, i.MLPRatio), 16 * maxWidth},
	); err != nil {
		return err
	}
	return checkDivisions(
		division{"vision_cfg.width", i.Width, "head_width", i.HeadWidth},
		division{"vision_cfg.image_size", i.ImageSize, "patch_size", i.PatchSize},
	)
}

func (visionTransformer) toFile(i Image) visionFile {
	return visionFile{ImageSize: i.ImageSize, Layers: i.Layers, Width: i.Width, HeadWidth: i.HeadWidth, PatchSize: i.PatchSize, MLPRatio: i.MLPRatio}
}

func (visionTransformer) specs(c Config) []Spec {
	t := towerSpecs{name: ImageTower, prefix: "visual."}
	w := c.Image.Width
	scale := 1 / math.Sqrt(float64(w))
	patch := c.Image.PatchSize
	t.addSpec("conv1.weight", fanIn(3*patch*patch), w, 3, patch, patch)
	t.addSpec("class_embedding", normal(scale), w)
	t.addPositions("positional_embedding", normal(scale), Antialiased, c.Image.Tokens(), w)
	t.addNorm("ln_pre", w)
	for i := range c.Image.Layers {
		// As in open_clip, the vision transformer has the default initial values of PyTorch's
		// layers.
		t.addBlock(i, w, c.Image.Hidden(), blockInits{
			in: uniform(math.Sqrt(6 / float64(4*w))), out: fanIn(w), fc: fanIn(w), proj: fanIn(c.Image.Hidden()),
		})
	}
	t.addNorm("ln_post", w)
	t.addProjection("proj", normal(scale), w, c.EmbedDim)
	return t.specs
}

func (visionTransformer) packImages(p *Packer, d kernels.Device, c Config, n int, to *Images) {
	length := c.Image.Tokens()
	p.packSequences(d, n, length, to)
	if p.WithPatches || !c.Binding.IsNone() {
		to.patches = p.packPatches(d, n, length)
	}
}

func (visionTransformer) newTower(named map[string]*kernels.Var, c Config) imageTower {
	return &vit{findImageTower(named, c), c}
}

// vit has a vision transformer's parameters on a device.
type vit struct {
	encoder
	config Config
}

func (v *vit) encodeTokens(t *kernels.Tape, images Images) *kernels.Var {
	c := v.config
	patches := t.Patchify(images.pixels, c.Image.ImageSize, c.Image.PatchSize, c.Mean, c.Std)
	x := t.Vision(t.Linear(patches, v.embedding, nil, nil, kernels.NoActivation), v.class, v.positions)
	return v.runBlocks(t, v.preNorm.apply(t, x), images.starts)
}

func (v *vit) poolFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return v.projectPooled(t, t.Gather(tokens, images.class, images.byClass))
}

func (v *vit) patchTokens(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return v.postNorm.apply(t, t.Gather(tokens, images.patches.rows, images.patches.byRow))
}

func (v *vit) patchFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return v.projectPooled(t, t.Gather(tokens, images.patches.rows, images.patches.byRow))
}
