package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/train/model"
)

func read(t *testing.T, name string) model.Config {
	t.Helper()
	c, err := model.Read(store.Local{}, name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The figures are those of open_clip's own models.
func TestCountsOfKnownModels(t *testing.T) {
	for _, c := range []struct {
		name        string
		image, text int
	}{
		{"ViT-B-32", 87849216, 63428096},
		{"ViT-B-32-quickgelu", 87849216, 63428096},
		{"ViT-B-16", 86192640, 63428096},
		{"ViT-L-14", 303966208, 123650304},
		{"RN50", 38316896, 63690240},
		{"swin_tiny_patch4_window7_224", 27519354 + 768*512, 63428096}, // timm's without its classifier
	} {
		image, text := model.CountByTower(read(t, c.name))
		if image != c.image || text != c.text {
			t.Errorf("%s has %d and %d parameters, not %d and %d", c.name, image, text, c.image, c.text)
		}
	}
}

// DINOv2's pixels are normalised as ImageNet's are, whatever its size, and as a file says
// where one does.
func TestPixelsOfDINOv2(t *testing.T) {
	c := read(t, "vit_base_patch14_dinov2")
	if c.Mean != [3]float64{0.485, 0.456, 0.406} || c.Std != [3]float64{0.229, 0.224, 0.225} || c.Image.Grid() != 16 {
		t.Errorf("%v, %v, %d patches a side", c.Mean, c.Std, c.Image.Grid())
	}
	c, err := model.Parse([]byte(`{"model_cfg": {"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_small_patch14_dinov2", "timm_pool": "token", "image_size": 518}, "text_cfg": {}},
		"preprocess_cfg": {"mean": [0.5, 0.5, 0.5]}}`))
	if err != nil || c.Mean != [3]float64{.5, .5, .5} || c.Std != [3]float64{0.229, 0.224, 0.225} || c.Image.Grid() != 37 || c.Image.Width != 384 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestEveryNamedModelIsRead(t *testing.T) {
	names := model.Names()
	if len(names) < 4 {
		t.Fatal(names)
	}
	for _, name := range names {
		if c := read(t, name); c.QuickGELU != strings.Contains(name, "quickgelu") {
			t.Errorf("%s has QuickGELU %v", name, c.QuickGELU)
		}
	}
}

func TestConfigurationsFromFiles(t *testing.T) {
	dir := t.TempDir()
	want := read(t, "ViT-L-14-quickgelu")
	want.Mean, want.Std = [3]float64{.5, .4, .3}, [3]float64{.2, .1, .25}
	data, err := want.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, model.ConfigFile), data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, filepath.Join(dir, model.ConfigFile)} {
		if got := read(t, name); got != want {
			t.Errorf("%s: %+v, not %+v", name, got, want)
		}
	}
	_, err = model.Read(store.Local{}, "ViT-B-23")
	if err == nil || !strings.Contains(err.Error(), "ViT-B-32") {
		t.Errorf("a name that is unknown: %v", err)
	}
	if _, err = model.Read(store.Local{}, t.TempDir()); err == nil || !strings.Contains(err.Error(), model.ConfigFile) {
		t.Errorf("a folder without a configuration: %v", err)
	}
}

func TestParse(t *testing.T) {
	const text = `"text_cfg": {"width": 24, "heads": 2}`
	const siglip = `{"timm_model_name": "vit_base_patch16_siglip_224", "timm_pool": "map", "timm_proj": "none"}`
	for _, c := range []struct{ what, data, want string }{
		{"what is silent", `{"embed_dim": 16, "vision_cfg": {}, ` + text + `}`, ""},
		{"sides in pairs", `{"embed_dim": 16, "vision_cfg": {"image_size": [64, 64], "patch_size": [16, 16]}, ` + text + `}`, ""},
		{"keys at their defaults", `{"embed_dim": 16, "init_logit_bias": null, "vision_cfg": {"patch_dropout": 0.0, "pool_type": "tok", "timm_pool": "avg", "ls_init_value": null}, ` + text + `}`, ""},
		{"a network of timm", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base_patch14_dinov2.lvd142m", "timm_model_pretrained": false, "timm_pool": "token", "timm_drop": 0.0, "timm_drop_path": null}, ` + text + `}`, ""},
		{"another of timm's", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base"}, ` + text + `}`, `vision_cfg.timm_model_name is "vit_base": only `},
		{"registers", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base_patch14_reg4_dinov2"}, ` + text + `}`, `vision_cfg.timm_model_name is "vit_base_patch14_reg4_dinov2"`},
		{"timm's pooling", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base_patch14_dinov2"}, ` + text + `}`, `vision_cfg.timm_pool is "avg": only "token"`},
		{"timm's projection", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base_patch14_dinov2", "timm_pool": "", "timm_proj": "mlp"}, ` + text + `}`, `vision_cfg.timm_proj is "mlp"`},
		{"stochastic depth", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base_patch14_dinov2", "timm_pool": "", "timm_drop_path": 0.1}, ` + text + `}`, "timm_drop_path 0.1"},
		{"Swin", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "swin_tiny_patch4_window7_224.ms_in1k", "timm_pool": "", "image_size": 448, "layers": [2, 2, 18, 2]}, ` + text + `}`, ""},
		{"Swin of one stage", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "swin_tiny_patch4_window7_224", "layers": 12}, ` + text + `}`, "those of a Swin transformer are of its four stages"},
		{"Swin whose stages do not halve", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "swin_tiny_patch4_window7_224", "image_size": 240}, ` + text + `}`, "vision_cfg.image_size, 240, must be a multiple of patch_size · 8, its stride, 32"},
		{"Swin's heads", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "swin_tiny_patch4_window7_224", "width": 100}, ` + text + `}`, "vision_cfg.width, 100, must be a multiple of head_width, 32"},
		{"Swin's pooling", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": "swin_tiny_patch4_window7_224", "timm_pool": "token"}, ` + text + `}`, `vision_cfg.timm_pool is "token": only "avg"`},
		{"Swin that is bound", `{"model_cfg": {"embed_dim": 16, "vision_cfg": {"timm_model_name": "swin_tiny_patch4_window7_224"}, ` + text + `}, "binding_cfg": {"width": 8, "relation_width": 4, "layers": 1, "heads": 2, "default_tokens": 1}}`, "use a vision transformer"},
		{"a name that is a number", `{"embed_dim": 16, "vision_cfg": {"timm_model_name": 3}, ` + text + `}`, "timm_model_name"},
		{"SigLIP", `{"embed_dim": 768, "vision_cfg": ` + siglip + `, "text_cfg": {"pool_type": "last", "no_causal_mask": true, "hf_tokenizer_name": "a", "tokenizer_kwargs": {"clean": "canonicalize"}}}`, ""},
		{"SigLIP with a projection", `{"embed_dim": 768, "vision_cfg": {"timm_model_name": "vit_base_patch16_siglip_224", "timm_pool": "map"}, ` + text + `}`, `vision_cfg.timm_proj is "linear"`},
		{"SigLIP's length of features", `{"embed_dim": 16, "vision_cfg": ` + siglip + `, ` + text + `}`, "embed_dim is 16 and vision_cfg.width 768: they must be equal"},
		{"SigLIP that is bound", `{"model_cfg": {"embed_dim": 768, "vision_cfg": ` + siglip + `, ` + text + `}, "binding_cfg": {"width": 8, "relation_width": 4, "layers": 1, "heads": 2, "default_tokens": 1}}`, "needs a vision transformer with a class token"},
		{"SigLIP 2's activation", `{"embed_dim": 768, "vision_cfg": ` + siglip + `, "text_cfg": {"act_kwargs": {"approximate": "tanh"}}}`, "text_cfg.act_kwargs"},
		{"no causal mask alone", `{"embed_dim": 16, "vision_cfg": {}, "text_cfg": {"no_causal_mask": true}}`, "no_causal_mask true"},
		{"the last token of a causal tower", `{"embed_dim": 16, "vision_cfg": {}, "text_cfg": {"pool_type": "last", "hf_tokenizer_name": "a"}}`, `pool_type "last"`},
		{"a tokenizer that cleans otherwise", `{"embed_dim": 16, "vision_cfg": {}, "text_cfg": {"pool_type": "last", "no_causal_mask": true, "hf_tokenizer_name": "a"}}`, "tokenizer_kwargs"},
		{"no epsilon", `{"embed_dim": 16, "vision_cfg": {}, "text_cfg": {"norm_kwargs": {"eps": 0}}}`, "norm_kwargs"},
		{"another way to resize", `{"model_cfg": {"embed_dim": 16, "vision_cfg": {}, ` + text + `}, "preprocess_cfg": {"resize_mode": "longest"}}`, "preprocess_cfg.resize_mode"},
		{"patch dropout", `{"embed_dim": 16, "vision_cfg": {"patch_dropout": 0.5}, ` + text + `}`, "vision_cfg.patch_dropout is 0.5: only 0 "},
		{"pooling", `{"embed_dim": 16, "vision_cfg": {"pool_type": "avg"}, ` + text + `}`, `only "tok"`},
		{"attentional pooling", `{"embed_dim": 16, "vision_cfg": {"attentional_pool": true}, ` + text + `}`, "attentional_pool"},
		{"another text tower", `{"embed_dim": 16, "vision_cfg": {}, "text_cfg": {"hf_model_name": "roberta-base"}}`, "text_cfg.hf_model_name"},
		{"a key that nobody knows", `{"embed_dim": 16, "vision_cfg": {"depth": 3}, ` + text + `}`, "vision_cfg.depth is not known"},
		{"ResNet", `{"embed_dim": 16, "vision_cfg": {"layers": [3, 4, 6, 3], "width": 64, "patch_size": null}, ` + text + `}`, ""},
		{"a ResNet of three stages", `{"embed_dim": 16, "vision_cfg": {"layers": [3, 4, 6], "width": 64}, ` + text + `}`, "vision_cfg.layers is [3, 4, 6]"},
		{"a ResNet with an empty stage", `{"embed_dim": 16, "vision_cfg": {"layers": [3, 4, 0, 3], "width": 64}, ` + text + `}`, "four stages"},
		{"a ResNet's stage beyond all bounds", `{"embed_dim": 16, "vision_cfg": {"layers": [3, 4, 9999, 3], "width": 64}, ` + text + `}`, "9999"},
		{"a ResNet as wide as a transformer", `{"embed_dim": 16, "vision_cfg": {"layers": [3, 4, 6, 3], "width": 768}, ` + text + `}`, "vision_cfg.width is 768"},
		{"a ResNet of an odd width", `{"embed_dim": 16, "vision_cfg": {"layers": [1, 1, 1, 1], "width": 9}, ` + text + `}`, "vision_cfg.width, 9, must be a multiple of"},
		{"a ResNet's images that its stride does not divide", `{"embed_dim": 16, "vision_cfg": {"layers": [1, 1, 1, 1], "width": 8, "image_size": 112}, ` + text + `}`, "image_size, 112, must be a multiple of its stride, 32"},
		{"a ResNet's heads", `{"embed_dim": 16, "vision_cfg": {"layers": [1, 1, 1, 1], "width": 8, "head_width": 48}, ` + text + `}`, "head_width, 48"},
		{"a ResNet's binding", `{"model_cfg": {"embed_dim": 16, "vision_cfg": {"layers": [1, 1, 1, 1], "width": 8}, ` + text + `},
			"binding_cfg": {"width": 8, "relation_width": 4, "layers": 1, "heads": 2, "default_tokens": 1}}`, "binding_cfg reads patches"},
		{"an oblong", `{"embed_dim": 16, "vision_cfg": {"image_size": [64, 32]}, ` + text + `}`, "only squares"},
		{"no length of features", `{"vision_cfg": {}, ` + text + `}`, "embed_dim is 0"},
		{"no tower", `{"embed_dim": 16, ` + text + `}`, "is missing"},
		{"heads that do not divide", `{"embed_dim": 16, "vision_cfg": {}, "text_cfg": {"width": 24, "heads": 5}}`, "text_cfg.width, 24, must be a multiple of heads, 5"},
		{"patches that do not fit", `{"embed_dim": 16, "vision_cfg": {"patch_size": 32, "image_size": 240}, ` + text + `}`, "image_size, 240, must be a multiple"},
		{"a size beyond all bounds", `{"embed_dim": 16, "vision_cfg": {"width": 99999999}, ` + text + `}`, "vision_cfg.width is 99999999"},
		{"a negative ratio", `{"embed_dim": 16, "vision_cfg": {"mlp_ratio": -4}, ` + text + `}`, "mlp_ratio"},
		{"resizing of another kind", `{"model_cfg": {"embed_dim": 16, "vision_cfg": {}, ` + text + `}, "preprocess_cfg": {"interpolation": "bilinear"}}`, "preprocess_cfg.interpolation"},
		{"no deviation", `{"model_cfg": {"embed_dim": 16, "vision_cfg": {}, ` + text + `}, "preprocess_cfg": {"std": [0, 1, 1]}}`, "preprocess_cfg.std"},
		{"no JSON", `embed_dim: 16`, "open_clip's form"},
	} {
		_, err := model.Parse([]byte(c.data))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, not %q", c.what, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"embed_dim": 16, "vision_cfg": {"image_size": [64, 64]}, "text_cfg": {"width": 24, "heads": 2}}`))
	f.Add([]byte(`{"embed_dim": 16, "vision_cfg": {"layers": [1, 2, 1, 1], "width": 8, "head_width": 32, "image_size": 64}, "text_cfg": {}}`))
	f.Add([]byte(`{"model_cfg": {"embed_dim": 16, "vision_cfg": {}, "text_cfg": {}}, "preprocess_cfg": {"mean": [0, 0, 0]}}`))
	f.Add([]byte(`{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base_patch14_dinov2", "timm_pool": "token", "layers": 2}, "text_cfg": {"width": 24, "heads": 2}}`))
	f.Add([]byte(`{"embed_dim": 16, "vision_cfg": {"timm_model_name": "swin_tiny_patch4_window7_224", "layers": [1, 1, 2, 1], "image_size": 64}, "text_cfg": {"width": 24, "heads": 2}}`))
	f.Add([]byte(`{"embed_dim": 16, "vision_cfg": {"timm_model_name": "vit_base_patch16_siglip_224", "timm_pool": "map", "timm_proj": "none", "width": 16, "head_width": 8},
		"text_cfg": {"pool_type": "last", "no_causal_mask": true, "proj_bias": true, "norm_kwargs": {"eps": 1e-6}, "hf_tokenizer_name": "a", "tokenizer_kwargs": {"clean": "canonicalize"}}}`))
	f.Add([]byte(`{"model_cfg": {"embed_dim": 768, "vision_cfg": {"timm_model_name": "vit_base_patch16_siglip_224.webli", "timm_pool": "map", "timm_proj": "none"}, "text_cfg": {}},
		"preprocess_cfg": {"resize_mode": "shortest"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := model.Parse(data)
		if err != nil {
			return
		}
		again, err := c.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if same, err := model.Parse(again); err != nil || same != c {
			t.Fatalf("%+v comes back as %+v, %v", c, same, err)
		}
		model.CountByTower(c)
	})
}
