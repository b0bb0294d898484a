package model_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/train/model"
)

// wide is small to draw, and yet every matrix has numbers enough to measure.
func wide() model.Config {
	return model.Config{
		EmbedDim: 192,
		Image:    model.Image{Layers: 2, Width: 256, HeadWidth: 64, PatchSize: 8, ImageSize: 64, MLPRatio: 4},
		Text:     model.Text{ContextLength: 77, VocabSize: 512, Layers: 3, Width: 128, Heads: 2, MLPRatio: 4},
		Std:      [3]float64{1, 1, 1},
	}
}

func TestInitialisationHasOpenCLIPsDeviations(t *testing.T) {
	const u = 1.7320508075688772 // of a uniform distribution the bound is √3 deviations
	for suffix, want := range map[string]float64{
		"visual.conv1.weight":         1 / math.Sqrt(192) / u,
		"visual.positional_embedding": 1 / math.Sqrt(256),
		"visual.proj":                 1 / math.Sqrt(256),
		"visual.transformer.resblocks.1.attn.in_proj_weight":  math.Sqrt(6./1024) / u,
		"visual.transformer.resblocks.0.attn.out_proj.weight": 1 / math.Sqrt(256) / u,
		"visual.transformer.resblocks.0.mlp.c_fc.weight":      1 / math.Sqrt(256) / u,
		"visual.transformer.resblocks.0.mlp.c_proj.weight":    1 / math.Sqrt(1024) / u,
		"token_embedding.weight":                              0.02,
		"positional_embedding":                                0.01,
		"transformer.resblocks.2.attn.in_proj_weight":         1 / math.Sqrt(128),
		"transformer.resblocks.2.attn.out_proj.weight":        1 / math.Sqrt(128*6),
		"transformer.resblocks.0.mlp.c_fc.weight":             1 / math.Sqrt(256),
		"transformer.resblocks.0.mlp.c_proj.weight":           1 / math.Sqrt(128*6),
		"text_projection":                                     1 / math.Sqrt(128),
	} {
		x := initial(t, suffix, 3)
		var sum, squares float64
		for _, v := range x {
			sum += v
			squares += v * v
		}
		n := float64(len(x))
		if got := math.Sqrt(squares / n); math.Abs(got/want-1) > 0.02 {
			t.Errorf("%s: deviation %v, not %v", suffix, got, want)
		}
		if math.Abs(sum/n) > 4*want/math.Sqrt(n) {
			t.Errorf("%s: mean %v", suffix, sum/n)
		}
		if strings.Contains(suffix, "visual.trans") && slices.Max(x) > want*u {
			t.Errorf("%s: %v is above the bound", suffix, slices.Max(x))
		}
	}
	if got := initial(t, "logit_scale", 3); len(got) != 1 || math.Abs(got[0]-math.Log(1/0.07)) > 1e-6 {
		t.Errorf("logit_scale begins with %v", got)
	}
	for _, c := range []struct {
		name string
		want float64
	}{{"ln_final.weight", 1}, {"visual.ln_pre.bias", 0}, {"transformer.resblocks.0.attn.in_proj_bias", 0}, {"visual.transformer.resblocks.0.attn.out_proj.bias", 0}} {
		if x := initial(t, c.name, 3); slices.Min(x) != c.want || slices.Max(x) != c.want {
			t.Errorf("%s is not all %v", c.name, c.want)
		}
	}
	if x := initial(t, "transformer.resblocks.0.mlp.c_fc.bias", 3); slices.Max(x) > 1/math.Sqrt(128) || slices.Max(x) < 0.9/math.Sqrt(128) {
		t.Errorf("the largest c_fc.bias is %v", slices.Max(x))
	}
}

// A ResNet's blocks begin as what passes by them, and its norms as those of nothing seen.
func TestInitialisationOfAResNet(t *testing.T) {
	c := wide()
	c.Image = model.Image{Stages: model.Stages{1, 1, 1, 1}, Width: 8, HeadWidth: 64, PatchSize: 32, ImageSize: 64, MLPRatio: 4}
	const u = 1.7320508075688772
	for name, want := range map[string]struct{ mean, deviation float64 }{
		"visual.conv2.weight":                  {0, 1 / math.Sqrt(4*9) / u},
		"visual.layer4.0.conv2.weight":         {0, 1 / math.Sqrt(64*9) / u},
		"visual.attnpool.positional_embedding": {0, 1. / 16},
		"visual.attnpool.k_proj.weight":        {0, 1. / 16},
		"visual.attnpool.v_proj.bias":          {0, 1. / 16 / u},
		"visual.attnpool.c_proj.weight":        {0, 1. / 16},
		"visual.bn3.weight":                    {1, 0},
		"visual.layer2.0.bn2.weight":           {1, 0},
		"visual.layer2.0.bn3.weight":           {0, 0},
		"visual.layer2.0.downsample.1.weight":  {1, 0},
		"visual.layer2.0.bn1.bias":             {0, 0},
		"visual.layer2.0.bn1.running_mean":     {0, 0},
		"visual.layer2.0.bn1.running_var":      {1, 0},
	} {
		var sum, squares float64
		x := initialOf(t, c, name, 3)
		for _, v := range x {
			sum += v
			squares += (v - want.mean) * (v - want.mean)
		}
		n := float64(len(x))
		if got := math.Sqrt(squares / n); math.Abs(got-want.deviation) > 0.15*want.deviation || math.Abs(sum/n-want.mean) > 4*want.deviation/math.Sqrt(n) {
			t.Errorf("%s: mean %v and deviation %v, not %v", name, sum/n, got, want)
		}
	}
}

// DINOv2's are those of timm's initialisation.
func TestInitialisationOfDINOv2(t *testing.T) {
	c := read(t, "vit_base_patch14_dinov2")
	c.Image.Layers = 1
	beginWith(t, c, map[string]float64{
		"visual.trunk.cls_token": 1e-6, "visual.trunk.pos_embed": 0.02, "visual.trunk.patch_embed.proj.weight": 1 / math.Sqrt(3*588),
		"visual.trunk.blocks.0.attn.qkv.weight": 0.02, "visual.trunk.blocks.0.mlp.fc2.weight": 0.02, "visual.trunk.blocks.0.ls2.gamma": 1e-5,
		"visual.trunk.blocks.0.attn.proj.bias": 0, "visual.trunk.norm.weight": 1, "visual.head.proj.weight": 1 / math.Sqrt(3*768),
	})
}

// A Swin transformer's are those of timm's initialisation too.
func TestInitialisationOfSwin(t *testing.T) {
	beginWith(t, read(t, "swin_tiny_patch4_window7_224"), map[string]float64{
		"visual.trunk.patch_embed.proj.weight": 1 / math.Sqrt(3*48), "visual.trunk.patch_embed.norm.weight": 1,
		"visual.trunk.layers.0.blocks.1.attn.relative_position_bias_table": 0.02, "visual.trunk.layers.1.blocks.0.attn.qkv.weight": 0.02,
		"visual.trunk.layers.3.blocks.1.mlp.fc2.weight": 0.02, "visual.trunk.layers.2.downsample.reduction.weight": 0.02,
		"visual.trunk.layers.2.downsample.norm.bias": 0, "visual.head.proj.weight": 1 / math.Sqrt(3*768),
	})
}

// beginWith compares the root mean squares of what parameters begin with.
func beginWith(t *testing.T, c model.Config, want map[string]float64) {
	t.Helper()
	for _, s := range model.Parameters(c) {
		size, ok := want[s.Name]
		if !ok {
			continue
		}
		delete(want, s.Name)
		x, squares := make([]float64, s.Len()), 0.0
		s.Initialise(3, x)
		for _, v := range x {
			squares += v * v
		}
		if got := math.Sqrt(squares / float64(len(x))); math.Abs(got-size) > 0.1*size {
			t.Errorf("%s: root mean square %v, not %v", s.Name, got, size)
		}
	}
	if len(want) > 0 {
		t.Errorf("there is no %v", want)
	}
}

func TestInitialisationFollowsTheSeedAndTheName(t *testing.T) {
	a, b := initial(t, "text_projection", 3), initial(t, "text_projection", 3)
	if !slices.Equal(a, b) {
		t.Error("the same seed gives other numbers")
	}
	if slices.Equal(a, initial(t, "text_projection", 4)) {
		t.Error("another seed gives the same numbers")
	}
	if slices.Equal(initial(t, "transformer.resblocks.0.attn.out_proj.weight", 3), initial(t, "transformer.resblocks.1.attn.out_proj.weight", 3)) {
		t.Error("two blocks begin alike")
	}
	for _, v := range a {
		if v != float64(float32(v)) {
			t.Fatalf("%v is not a float32", v)
		}
	}
	// An odd number of elements, in which the last normal number has no pair.
	c := wide()
	c.Image.Width, c.Image.HeadWidth = 63, 63
	for _, s := range model.Parameters(c) {
		if s.Name == "visual.class_embedding" {
			x := make([]float64, s.Len())
			s.Initialise(1, x)
			if len(x) != 63 || x[62] == 0 {
				t.Errorf("class_embedding %v", x)
			}
		}
	}
}

func TestDecayIsOpenCLIPs(t *testing.T) {
	resNet := wide()
	resNet.Image = model.Image{Stages: model.Stages{1, 1, 1, 1}, Width: 8, HeadWidth: 64, PatchSize: 32, ImageSize: 64, MLPRatio: 4}
	for _, s := range append(model.Parameters(wide()), append(model.Parameters(resNet), slices.Concat(model.Parameters(read(t, "vit_base_patch14_dinov2")), model.Parameters(read(t, "swin_tiny_patch4_window7_224")))...)...) {
		exempt := len(s.Shape) < 2
		for _, part := range []string{"bn", "ln", "bias", "logit_scale"} {
			exempt = exempt || strings.Contains(s.Name, part)
		}
		if s.Decay == exempt {
			t.Errorf("%s: decay %v", s.Name, s.Decay)
		}
		n := 1
		for _, d := range s.Shape {
			n *= d
		}
		if n != s.Len() {
			t.Errorf("%s: shape %v, but %d × %d on the tape", s.Name, s.Shape, s.Rows, s.Cols)
		}
	}
}

func initial(t *testing.T, name string, seed uint64) []float64 {
	t.Helper()
	return initialOf(t, wide(), name, seed)
}

func initialOf(t *testing.T, c model.Config, name string, seed uint64) []float64 {
	t.Helper()
	for _, s := range model.Parameters(c) {
		if s.Name == name {
			x := make([]float64, s.Len())
			s.Initialise(seed, x)
			return x
		}
	}
	t.Fatalf("no parameter %s", name)
	return nil
}
