package model

import (
	"encoding/json"
	"fmt"
	"math"

	"capgraph/store"
)

// The configuration files in a folder of Hugging Face's CLIPModel: of the model, and of the images'
// pre-processing.
const (
	huggingFaceFile = "config.json"
	processorFile   = "preprocessor_config.json"
)

// hfTower is the configuration of a tower in a config.json, with the keys of either tower.
type hfTower struct {
	Hidden       int         `json:"hidden_size"`
	Intermediate int         `json:"intermediate_size"`
	Layers       int         `json:"num_hidden_layers"`
	Heads        int         `json:"num_attention_heads"`
	Activation   string      `json:"hidden_act"`
	Epsilon      float64     `json:"layer_norm_eps"`
	Image        pixelsField `json:"image_size"`
	Patch        pixelsField `json:"patch_size"`
	Positions    int         `json:"max_position_embeddings"`
	Vocabulary   int         `json:"vocab_size"`
}

// readHuggingFace returns the configuration of the CLIPModel in a folder.
func readHuggingFace(s store.Store, dir string) (Config, error) {
	data, err := store.ReadFile(s, store.Join(dir, huggingFaceFile), maxConfig)
	if err != nil {
		return Config{}, err
	}
	c, err := parseHuggingFace(data)
	if err != nil {
		return Config{}, fmt.Errorf("model %s: %w", store.Join(dir, huggingFaceFile), err)
	}
	name := store.Join(dir, processorFile)
	if !fileExists(s, name) {
		return c, nil
	}
	if data, err = store.ReadFile(s, name, maxConfig); err != nil {
		return Config{}, err
	}
	processor := struct {
		Mean *[3]float64 `json:"image_mean"`
		Std  *[3]float64 `json:"image_std"`
	}{&c.Mean, &c.Std}
	if err := json.Unmarshal(data, &processor); err != nil {
		return Config{}, fmt.Errorf("%s: %w", name, err)
	}
	return c, c.Check()
}

// parseHuggingFace returns the configuration in a config.json of CLIPModel. Missing keys have the
// defaults of the transformers library. Unknown keys are ignored, because there are many, which do
// not concern the network and change between versions.
func parseHuggingFace(data []byte) (Config, error) {
	file := struct {
		Type    string  `json:"model_type"`
		Project int     `json:"projection_dim"`
		Text    hfTower `json:"text_config"`
		Vision  hfTower `json:"vision_config"`
	}{
		Project: 512,
		Text:    hfTower{Hidden: 512, Intermediate: 2048, Layers: 12, Heads: 8, Activation: "quick_gelu", Epsilon: 1e-5, Positions: 77, Vocabulary: 49408},
		Vision:  hfTower{Hidden: 768, Intermediate: 3072, Layers: 12, Heads: 12, Activation: "quick_gelu", Epsilon: 1e-5, Image: 224, Patch: 32},
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Config{}, err
	}
	t, v := file.Text, file.Vision
	if file.Type != "clip" {
		return Config{}, fmt.Errorf("model_type is %.80q: only %q is supported", file.Type, "clip")
	}
	if t.Activation != v.Activation || t.Activation != "quick_gelu" && t.Activation != "gelu" {
		return Config{}, fmt.Errorf("hidden_act is %.80q of the text and %.80q of the images: only quick_gelu or gelu in both is supported", t.Activation, v.Activation)
	}
	if t.Epsilon != 1e-5 || v.Epsilon != 1e-5 {
		return Config{}, fmt.Errorf("layer_norm_eps is %v of the text and %v of the images: only 1e-05 is supported", t.Epsilon, v.Epsilon)
	}
	if v.Heads < 1 || v.Hidden < 1 || t.Hidden < 1 || v.Hidden%v.Heads != 0 {
		return Config{}, fmt.Errorf("hidden_size of the images, %d, must be a multiple of num_attention_heads, %d, and all above 0", v.Hidden, v.Heads)
	}
	c := defaultConfig()
	c.EmbedDim, c.QuickGELU = file.Project, t.Activation == "quick_gelu"
	c.Image = Image{
		Layers: v.Layers, Width: v.Hidden, HeadWidth: v.Hidden / v.Heads, PatchSize: int(v.Patch), ImageSize: int(v.Image),
		MLPRatio: mlpRatio(v.Intermediate, v.Hidden),
	}
	c.Text = Text{
		ContextLength: t.Positions, VocabSize: t.Vocabulary, Layers: t.Layers, Width: t.Hidden, Heads: t.Heads,
		MLPRatio: mlpRatio(t.Intermediate, t.Hidden),
	}
	return c, c.Check()
}

// mlpRatio returns a ratio for which width·ratio, rounded down, is hidden.
func mlpRatio(hidden, width int) float64 {
	r := float64(hidden) / float64(width)
	if int(float64(width)*r) < hidden {
		r = math.Nextafter(r, math.Inf(1))
	}
	return r
}
