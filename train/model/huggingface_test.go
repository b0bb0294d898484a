package model

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

func TestHuggingFaceFolders(t *testing.T) {
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	write(dir, "config.json", `{"model_type": "clip", "architectures": ["CLIPModel"], "torch_dtype": "float32", "projection_dim": 512,
		"text_config": {"hidden_size": 512, "dropout": 0.0}, "vision_config": {"patch_size": 16}}`)
	got, err := Read(store.Local{}, dir)
	want, _ := Read(store.Local{}, "ViT-B-16-quickgelu")
	if err != nil || got != want {
		t.Errorf("%+v, %v, not %+v", got, err, want)
	}
	write(dir, "preprocessor_config.json", `{"image_mean": [0.5, 0.5, 0.5], "image_std": [0.25, 0.25, 0.25], "size": {"shortest_edge": 224}}`)
	if got, err = Read(store.Local{}, dir); err != nil || got.Mean[1] != 0.5 || got.Std[2] != 0.25 {
		t.Errorf("%v %v, %v", got.Mean, got.Std, err)
	}
	write(dir, "preprocessor_config.json", `{"image_std": [0, 0, 0]}`)
	if _, err = Read(store.Local{}, dir); err == nil {
		t.Error("a deviation of 0 was taken")
	}
	// open_clip's file comes first where both are.
	write(dir, ConfigFile, `{"embed_dim": 16, "vision_cfg": {}, "text_cfg": {}}`)
	if got, err = Read(store.Local{}, dir); err != nil || got.EmbedDim != 16 {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		`{"model_type": "siglip"}`:                                                `model_type is "siglip"`,
		`{"model_type": "clip", "text_config": {"hidden_act": "gelu"}}`:           "hidden_act",
		`{"model_type": "clip", "vision_config": {"num_attention_heads": 0}}`:     "num_attention_heads",
		`{"model_type": "clip", "vision_config": {"layer_norm_eps": 1e-6}}`:       "layer_norm_eps",
		`{"model_type": "clip", "text_config": {"hidden_size": 99999999999}}`:     "text_cfg.width",
		`{"model_type": "clip", "vision_config": {"image_size": "two hundred"}}`:  "only squares",
		`{"model_type": "clip", "text_config": {"intermediate_size": -99999999}}`: "mlp_ratio",
	} {
		if _, err := parseHuggingFace([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", text, err, want)
		}
	}
}

func TestHiddenWidthsAreExact(t *testing.T) {
	for width := 1; width < 200; width++ {
		for hidden := 1; hidden < 800; hidden += 3 {
			if got := (Text{Width: width, MLPRatio: mlpRatio(hidden, width)}).Hidden(); got != hidden {
				t.Fatalf("%d of %d became %d", hidden, width, got)
			}
		}
	}
}

func FuzzHuggingFace(f *testing.F) {
	f.Add([]byte(`{"model_type": "clip", "text_config": {"hidden_size": 24, "num_attention_heads": 2}, "vision_config": {"image_size": 32, "patch_size": 8}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := parseHuggingFace(data); err == nil {
			Parameters(c)
		}
	})
}
