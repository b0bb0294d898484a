package model

import (
	"errors"
	"fmt"
	"math"

	"capgraph/kernels"
)

// siglip is the architecture of SigLIP's vision transformer (Zhai et al. 2023): no class token, no norm before the
// first block, and a bias in the embedding of patches. A learned query attends to the patches, and an MLP follows (Zhai
// et al. 2022, appendix E). There is no projection. Its activation is always GELU.
type siglip struct{ visionTransformer }

// siglipEps is added to variances in layer norms.
const siglipEps = 1e-6

// siglipNetwork returns a network of SigLIP for images of side pixels.
func siglipNetwork(patch, side, layers, width, headWidth int, mlpRatio float64) timmNetwork {
	return timmNetwork{
		architecture: siglip{},
		Image:        Image{Layers: layers, Width: width, HeadWidth: headWidth, PatchSize: patch, ImageSize: side, MLPRatio: mlpRatio},
		pools:        []string{"map"},
		proj:         "none",
		mean:         [3]float64{0.5, 0.5, 0.5},
		std:          [3]float64{0.5, 0.5, 0.5},
		squash:       true,
	}
}

func (s siglip) check(c Config) error {
	if err := s.visionTransformer.check(c); err != nil {
		return err
	}
	if !c.Binding.IsNone() {
		return errors.New("vision_cfg.timm_model_name is SigLIP's, and binding_cfg needs a vision transformer with a class token")
	}
	if c.EmbedDim != c.Image.Width {
		return fmt.Errorf("embed_dim is %d and vision_cfg.width %d: they must be equal, since SigLIP's image tower has no projection", c.EmbedDim, c.Image.Width)
	}
	return nil
}

func (siglip) toFile(i Image) visionFile {
	f := timmFileOf(i, "map")
	f.Proj = "none"
	return f
}

// specs returns parameters under timm's names, with timm's initial values.
func (siglip) specs(c Config) []Spec {
	t := towerSpecs{name: ImageTower, prefix: "visual.trunk."}
	w, hidden := c.Image.Width, c.Image.Hidden()
	t.addSpec("pos_embed", normal(0.02), 1, c.Image.Tokens(), w)
	positions := &t.specs[len(t.specs)-1]
	positions.Rows, positions.Cols = c.Image.Tokens(), w
	t.addTimmBlocks(c.Image, false)
	t.addSpec("attn_pool.latent", normal(1/math.Sqrt(float64(w))), 1, 1, w)
	t.addTimmLinear("attn_pool.q", w, w)
	t.addTimmLinear("attn_pool.kv", w, 2*w)
	t.addTimmLinear("attn_pool.proj", w, w)
	t.addNorm("attn_pool.norm", w)
	t.addTimmLinear("attn_pool.mlp.fc1", w, hidden)
	t.addTimmLinear("attn_pool.mlp.fc2", hidden, w)
	return t.specs
}

func (siglip) newTower(named map[string]*kernels.Var, c Config) imageTower {
	get := func(name string) *kernels.Var { return named["visual.trunk."+name] }
	layerOf := func(name string) layer { return layer{get(name + ".weight"), get(name + ".bias")} }
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias"), siglipEps} }
	s := &siglipTower{
		encoder: encoder{positions: get("pos_embed"), postNorm: normOf("norm")},
		config:  c, embed: layerOf("patch_embed.proj"),
		latent: get("attn_pool.latent"), query: layerOf("attn_pool.q"), keysValues: layerOf("attn_pool.kv"), out: layerOf("attn_pool.proj"),
		norm: normOf("attn_pool.norm"), fc: layerOf("attn_pool.mlp.fc1"), proj: layerOf("attn_pool.mlp.fc2"),
	}
	for i := range c.Image.Layers {
		at := fmt.Sprintf("blocks.%d.", i)
		b := &block{
			norm1: normOf(at + "norm1"), norm2: normOf(at + "norm2"),
			in: layerOf(at + "attn.qkv"), out: layerOf(at + "attn.proj"), fc: layerOf(at + "mlp.fc1"), proj: layerOf(at + "mlp.fc2"),
			heads: c.Image.Heads(), activation: kernels.GELU,
		}
		s.blocks = append(s.blocks, b.apply)
	}
	return s
}

// packImages sets the rows of patches, and those of the query, keys and values of the pooling.
func (siglip) packImages(p *Packer, d kernels.Device, c Config, n int, to *Images) {
	length := c.Image.Tokens()
	p.packSequences(d, n, length, to)
	p.rows, p.places = p.rows[:0], p.places[:0]
	for i := range n * length {
		p.rows = append(p.rows, int32(i))
		key := int32(2 * i)
		query := key // the result of this row is not used
		if i%length == 0 {
			query = int32(2 * n * length) // the row of the learned query, after all keys and values
		}
		p.places = append(p.places, query, key, key+1)
	}
	to.places, to.byPlace = d.Ints(p.rows), groupRows(d, &p.byPlace, p.rows, n*length)
	to.pooled, to.byPooled = d.Ints(p.places), groupRows(d, &p.byPatch, p.places, 2*n*length+1)
	if p.WithPatches {
		p.begins = p.begins[:0]
		for i := range n * length {
			p.begins = append(p.begins, int32(2*i+1))
		}
		to.values, to.byValue = d.Ints(p.begins), groupRows(d, &p.byValue, p.begins, 2*n*length)
	}
}

// siglipTower has SigLIP's parameters on a device.
type siglipTower struct {
	encoder
	config                 Config
	embed                  layer
	latent                 *kernels.Var
	query, keysValues, out layer // of pooling
	norm                   norm
	fc, proj               layer
}

func (s *siglipTower) encodeTokens(t *kernels.Tape, images Images) *kernels.Var {
	c := s.config
	patches := t.Patchify(images.pixels, c.Image.ImageSize, c.Image.PatchSize, c.Mean, c.Std)
	x := t.Linear(patches, s.embed.weight, s.embed.bias, nil, kernels.NoActivation)
	return s.runBlocks(t, t.Tokens(x, s.positions, images.places, images.starts, images.byPlace), images.starts)
}

// poolFeatures is attention pooling, in which the learned query attends to the patches of each image. It takes the row
// of the image's first patch.
func (s *siglipTower) poolFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	w := s.config.Image.Width
	query := t.Linear(s.latent, s.query.weight, s.query.bias, nil, kernels.NoActivation)
	qkv := t.Gather(t.Stack(s.projectKeysValues(t, tokens), query), images.pooled, images.byPooled)
	x := t.Attention(t.Reshape(qkv, 3*w), images.starts, s.config.Image.Heads(), false)
	return s.projectValues(t, t.Gather(x, images.class, images.byClass))
}

// patchFeatures applies the layers after pooling to the value of each patch, as C2LIP's authors do. The feature of a
// patch is of an image whose pooling attends to this patch alone.
func (s *siglipTower) patchFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return s.projectValues(t, t.Gather(s.projectKeysValues(t, tokens), images.values, images.byValue))
}

// projectKeysValues returns the key and the value of each patch for pooling, as two rows.
func (s *siglipTower) projectKeysValues(t *kernels.Tape, tokens *kernels.Var) *kernels.Var {
	x := t.Linear(s.postNorm.applyHalf(t, tokens), s.keysValues.weight, s.keysValues.bias, nil, kernels.NoActivation)
	return t.Reshape(x, s.config.Image.Width)
}

// projectValues applies the layers after pooling, which project values to the common space.
func (s *siglipTower) projectValues(t *kernels.Tape, x *kernels.Var) *kernels.Var {
	x = t.Linear(x, s.out.weight, s.out.bias, nil, kernels.NoActivation)
	hidden := t.HiddenLinear(s.norm.applyHalf(t, x), s.fc.weight, s.fc.bias, kernels.GELU)
	return t.Linear(hidden, s.proj.weight, s.proj.bias, x, kernels.NoActivation)
}
