package model

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"capgraph/store"
)

//go:embed configs/*.json
var configs embed.FS

// ConfigFile is the name of the configuration in a local-dir of open_clip.
const ConfigFile = "open_clip_config.json"

// maxConfig is the maximum size of a configuration file, in bytes.
const maxConfig = 1 << 20

// Names returns the models that Read knows by name, sorted.
func Names() []string {
	entries, err := configs.ReadDir("configs")
	if err != nil { // cannot happen: the folder is embedded in the program
		panic(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// Read returns the configuration of a model: one of Names, a JSON file in open_clip's form, or a
// folder with an open_clip_config.json or with the files of Hugging Face's CLIPModel.
func Read(s store.Store, name string) (Config, error) {
	data, err := configs.ReadFile("configs/" + name + ".json")
	if err != nil {
		file := name
		if info, err := s.Stat(name); err == nil && info.Dir {
			file = store.Join(name, ConfigFile)
			if _, err := s.Stat(file); errors.Is(err, fs.ErrNotExist) && fileExists(s, store.Join(name, huggingFaceFile)) {
				return readHuggingFace(s, name)
			}
		}
		data, err = store.ReadFile(s, file, maxConfig)
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, "/.") {
			return Config{}, fmt.Errorf("no model is called %q and no file either: give one of %s, or a JSON file or a folder in open_clip's form", name, strings.Join(Names(), ", "))
		}
		if err != nil {
			return Config{}, err
		}
		name = file
	}
	c, err := Parse(data)
	if err != nil {
		return Config{}, fmt.Errorf("model %s: %w", name, err)
	}
	return c, nil
}

// requiredValues has open_clip's keys that change the network, each with the only value that is
// supported. Null is always allowed.
var requiredValues = map[string]string{
	"init_logit_scale": "null", "nonscalar_logit_scale": "false", "multimodal_cfg": "null",

	"vision_cfg.ls_init_value": "null", "vision_cfg.patch_dropout": "0", "vision_cfg.attentional_pool": "false",
	"vision_cfg.no_ln_pre": "false", "vision_cfg.pos_embed_type": `"learnable"`, "vision_cfg.final_ln_after_pool": "false",
	"vision_cfg.pool_type": `"tok"`, "vision_cfg.act_kwargs": "null", "vision_cfg.norm_kwargs": "null",
	"vision_cfg.block_type": `"default"`, "vision_cfg.qk_norm": "false", "vision_cfg.scaled_cosine_attn": "false",
	"vision_cfg.scale_heads": "false", "vision_cfg.scale_attn_inner": "false", "vision_cfg.scale_attn": "false",
	"vision_cfg.scale_fc": "false",

	"text_cfg.hf_model_name": "null", "text_cfg.ls_init_value": "null",
	"text_cfg.embed_cls": "false", "text_cfg.final_ln_after_pool": "false",
	"text_cfg.proj_type": `"linear"`, "text_cfg.act_kwargs": "null", "text_cfg.block_type": `"default"`,
	"text_cfg.qk_norm": "false", "text_cfg.scaled_cosine_attn": "false", "text_cfg.scale_heads": "false",
	"text_cfg.scale_attn_inner": "false", "text_cfg.scale_attn": "false", "text_cfg.scale_fc": "false",

	"preprocess_cfg.mode": `"RGB"`, "preprocess_cfg.interpolation": `"bicubic"`,
}

// ignoredKeys are the keys that have no effect if the keys of requiredValues have their values.
var ignoredKeys = map[string]bool{
	"custom_text": true, // the same network with other names of parameters, which package checkpoint reads

	"vision_cfg.output_tokens": true, "vision_cfg.attn_pooler_queries": true, "vision_cfg.attn_pooler_heads": true,
	"vision_cfg.timm_model_name": true, "vision_cfg.timm_model_pretrained": true, "vision_cfg.timm_pool": true, // parseTimm reads them
	"vision_cfg.timm_proj": true, "vision_cfg.timm_proj_bias": true, "vision_cfg.timm_drop": true, "vision_cfg.timm_drop_path": true,

	"text_cfg.output_tokens": true, "text_cfg.pad_id": true, "text_cfg.eos_id": true, "text_cfg.tokenizer_mode": true,
	"text_cfg.hf_model_pretrained": true, "text_cfg.hf_proj_type": true, "text_cfg.hf_pooler_type": true,

	"preprocess_cfg.size": true, "preprocess_cfg.fill_color": true,
}

// Parse reads a configuration of open_clip: that of a model, or an open_clip_config.json with
// model_cfg and preprocess_cfg. It is an error, which names the key, if a key or value stands for a
// network that is not supported.
func Parse(data []byte) (Config, error) {
	c := defaultConfig()
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return Config{}, fmt.Errorf("%w (give a configuration in open_clip's form)", err)
	}
	network := json.RawMessage(data)
	of, folder := whole["model_cfg"]
	if folder {
		network = of
	}
	if err := c.parseTimm(network); err != nil {
		return Config{}, err
	}
	if folder {
		resize := c.resizeMode()
		if err := parseSection("preprocess_cfg.", whole["preprocess_cfg"], map[string]any{"mean": &c.Mean, "std": &c.Std, "resize_mode": &resize}); err != nil {
			return Config{}, err
		}
		if !slices.Contains([]string{"", resizeShortest, resizeSquash}, resize) {
			return Config{}, fmt.Errorf("preprocess_cfg.resize_mode is %.80q: only %q and %q are supported", resize, resizeShortest, resizeSquash)
		}
		c.Squash = resize == resizeSquash
		if of, ok := whole["binding_cfg"]; ok {
			if err := json.Unmarshal(of, &c.Binding); err != nil {
				return Config{}, fmt.Errorf("binding_cfg: %w", err)
			}
		}
		if of, ok := whole["part_classes"]; ok {
			if err := json.Unmarshal(of, &c.PartClasses); err != nil || c.PartClasses < 1 || c.PartClasses > MaxPartClasses {
				return Config{}, fmt.Errorf("part_classes is %.20s: it must be a number from 1 to %d", of, MaxPartClasses)
			}
		}
	}
	var vision, text json.RawMessage
	var t textFile
	for _, s := range []struct {
		prefix string
		data   *json.RawMessage
		fields map[string]any
	}{
		{"", &network, map[string]any{"embed_dim": &c.EmbedDim, "quick_gelu": &c.QuickGELU, "init_logit_bias": &c.LogitBias, "vision_cfg": &vision, "text_cfg": &text}},
		{"vision_cfg.", &vision, map[string]any{"layers": (*layersField)(&c.Image), "width": &c.Image.Width, "head_width": &c.Image.HeadWidth,
			"patch_size": (*pixelsField)(&c.Image.PatchSize), "image_size": (*pixelsField)(&c.Image.ImageSize), "mlp_ratio": &c.Image.MLPRatio}},
		{"text_cfg.", &text, map[string]any{"context_length": &c.Text.ContextLength, "vocab_size": &c.Text.VocabSize,
			"layers": &c.Text.Layers, "width": &c.Text.Width, "heads": &c.Text.Heads, "mlp_ratio": &c.Text.MLPRatio,
			"no_causal_mask": &t.NoCausalMask, "pool_type": &t.PoolType, "proj_bias": &t.ProjBias, "norm_kwargs": &t.Norm,
			"hf_tokenizer_name": &t.Tokenizer, "tokenizer_kwargs": &t.TokenizerKwargs}},
	} {
		if err := parseSection(s.prefix, *s.data, s.fields); err != nil {
			return Config{}, err
		}
	}
	if vision == nil || text == nil {
		return Config{}, errors.New("vision_cfg or text_cfg is missing: give a configuration in open_clip's form")
	}
	if c.Image.Timm == "" && !c.Image.Stages.isEmpty() { // a ResNet uses neither key
		c.Image.PatchSize, c.Image.MLPRatio = resNetStride, defaultConfig().Image.MLPRatio
	}
	if err := c.Text.setVariant(t); err != nil {
		return Config{}, err
	}
	return c, c.Check()
}

// setVariant sets the fields in which CLIP's text tower and SigLIP's differ. Other combinations are
// errors.
func (t *Text) setVariant(f textFile) error {
	padded := f.PoolType == poolLast
	if !padded && f.PoolType != "" && f.PoolType != "argmax" || padded != f.NoCausalMask || padded != (f.Tokenizer != "") {
		return fmt.Errorf("text_cfg has pool_type %.80q, no_causal_mask %v and hf_tokenizer_name %.80q: only CLIP's text tower, which has none of them, and SigLIP's are supported: %q, true and a tokenizer",
			f.PoolType, f.NoCausalMask, f.Tokenizer, poolLast)
	}
	if padded && (f.TokenizerKwargs == nil || f.TokenizerKwargs.Clean != cleanCanonicalize) {
		return fmt.Errorf("text_cfg.tokenizer_kwargs is not {\"clean\": %q}: only that is supported", cleanCanonicalize)
	}
	t.Padded, t.ProjBias, t.Tokenizer = padded, f.ProjBias, f.Tokenizer
	if f.Norm != nil {
		if !(f.Norm.Eps > 0) {
			return fmt.Errorf("text_cfg.norm_kwargs has eps %v: it must be above 0", f.Norm.Eps)
		}
		t.NormEps = f.Norm.Eps
	}
	return nil
}

// parseSection decodes a JSON object into fields, by key.
func parseSection(prefix string, data json.RawMessage, fields map[string]any) error {
	if data == nil {
		return nil
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return fmt.Errorf("%s: %w", strings.TrimSuffix(prefix, "."), err)
	}
	for key, value := range keys {
		only, isFixed := requiredValues[prefix+key]
		switch field := fields[key]; {
		case field != nil:
			if err := json.Unmarshal(value, field); err != nil {
				return fmt.Errorf("%s%s is %.80s: %w", prefix, key, value, err)
			}
		case isFixed && string(value) != "null" && !equalJSON(value, only):
			if only == "null" {
				return fmt.Errorf("%s%s is %.80s: it is not supported; a model without it is", prefix, key, value)
			}
			return fmt.Errorf("%s%s is %.80s: only %s is supported", prefix, key, value, only)
		case !isFixed && !ignoredKeys[prefix+key]:
			return fmt.Errorf("%s%s is not known: remove it if it changes nothing in the network", prefix, key)
		}
	}
	return nil
}

// equalJSON reports whether two JSON values are equal.
func equalJSON(a json.RawMessage, b string) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// layersField decodes the number of blocks of an image tower, or of each of four stages.
type layersField Image

func (d *layersField) UnmarshalJSON(data []byte) error {
	var stages []int
	if err := json.Unmarshal(data, &stages); err != nil {
		d.Stages = Stages{}
		return json.Unmarshal(data, &d.Layers)
	}
	if len(stages) != len(d.Stages) || slices.Min(stages) < 1 {
		return errors.New("only a number of blocks or, of a ResNet, those of its four stages are supported")
	}
	d.Layers, d.Stages = 0, Stages(stages)
	return nil
}

// pixelsField decodes a number of pixels, written as n or [n, n].
type pixelsField int

func (s *pixelsField) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var n int
	if err := json.Unmarshal(data, &n); err == nil {
		*s = pixelsField(n)
		return nil
	}
	var pair []int
	if err := json.Unmarshal(data, &pair); err != nil || len(pair) != 2 || pair[0] != pair[1] {
		return errors.New("only squares are supported: a number of pixels")
	}
	*s = pixelsField(pair[0])
	return nil
}

// fileExists reports whether a file exists.
func fileExists(s store.Store, name string) bool {
	_, err := s.Stat(name)
	return err == nil
}
