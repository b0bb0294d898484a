package model

import "capgraph/kernels"

// swinEps is added to variances in layer norms.
const swinEps = 1e-5

// swinTower has a Swin transformer's parameters on a device.
type swinTower struct {
	config       Config
	embed        layer
	before, norm norm
	blocks       []kernels.PartFunc
	projection   *kernels.Var
}

// swinBlock is a Swin transformer's block for images of windows.Side² patches.
type swinBlock struct {
	merge             *merging // the merging before the block, or nil
	norm1, norm2      norm
	in, out, fc, proj layer
	table             *kernels.Var
	windows           kernels.Windows
}

// merging merges each square of four patches into one, for images of side² patches.
type merging struct {
	norm      norm
	reduction *kernels.Var
	side      int
}

func (s swin) newTower(named map[string]*kernels.Var, c Config) imageTower {
	get := func(name string) *kernels.Var { return named["visual.trunk."+name] }
	layerOf := func(name string) layer { return layer{get(name + ".weight"), get(name + ".bias")} }
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias"), swinEps} }
	t := &swinTower{
		config: c, embed: layerOf("patch_embed.proj"), before: normOf("patch_embed.norm"), norm: normOf("norm"),
		projection: named["visual.head.proj.weight"],
	}
	c.Image.Stages.eachBlock(func(stage, number int) {
		at := swinBlockName(stage, number)
		b := &swinBlock{
			norm1: normOf(at + "norm1"), norm2: normOf(at + "norm2"),
			in: layerOf(at + "attn.qkv"), out: layerOf(at + "attn.proj"), fc: layerOf(at + "mlp.fc1"), proj: layerOf(at + "mlp.fc2"),
			table:   get(at + "attn.relative_position_bias_table"),
			windows: kernels.Windows{Side: c.Image.Grid() >> stage, Size: s.windowSide(c.Image)},
		}
		if number%2 == 1 && b.windows.Side > b.windows.Size {
			b.windows.Shift = b.windows.Size / 2
		}
		if stage > 0 && number == 0 {
			down := swinMergingName(stage)
			b.merge = &merging{normOf(down + "norm"), get(down + "reduction.weight"), 2 * b.windows.Side}
		}
		t.blocks = append(t.blocks, b.apply)
	})
	return t
}

// apply concatenates the vectors of four patches and projects them to half the width.
func (m *merging) apply(t *kernels.Tape, x *kernels.Var) *kernels.Var {
	x = t.Unfold(x, kernels.Window{Side: m.side, Kernel: 2, Stride: 2})
	return t.Linear(m.norm.applyHalf(t, x), m.reduction, nil, nil, kernels.NoActivation)
}

// apply applies the block to images.
func (b *swinBlock) apply(t *kernels.Tape, x *kernels.Var, _ kernels.Ints) *kernels.Var {
	if b.merge != nil {
		x = b.merge.apply(t, x)
	}
	qkv := t.Linear(b.norm1.applyHalf(t, x), b.in.weight, b.in.bias, nil, kernels.NoActivation)
	x = t.Linear(t.WindowAttention(qkv, b.table, b.windows), b.out.weight, b.out.bias, x, kernels.NoActivation)
	hidden := t.HiddenLinear(b.norm2.applyHalf(t, x), b.fc.weight, b.fc.bias, kernels.GELU)
	return t.Linear(hidden, b.proj.weight, b.proj.bias, x, kernels.NoActivation)
}

// encodeTokens returns the vectors of the places of the last stage.
func (s *swinTower) encodeTokens(t *kernels.Tape, images Images) *kernels.Var {
	c := s.config
	patches := t.Patchify(images.pixels, c.Image.ImageSize, c.Image.PatchSize, c.Mean, c.Std)
	x := s.before.apply(t, t.Linear(patches, s.embed.weight, s.embed.bias, nil, kernels.NoActivation))
	for _, block := range s.blocks {
		x = t.Part(x, images.starts, block)
	}
	return x
}

// poolFeatures returns the projected mean of the normalised places.
func (s *swinTower) poolFeatures(t *kernels.Tape, tokens *kernels.Var, _ Images) *kernels.Var {
	side := swin{}.windowSide(s.config.Image)
	return t.Linear(t.AveragePool(s.norm.apply(t, tokens), side, side), s.projection, nil, nil, kernels.NoActivation)
}
