package train

import (
	"encoding/json"
	"errors"
	"fmt"

	"capgraph/internal/strictyaml"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// Model has the configuration of the towers and their initial weights. The keys from embed_dim on are named as in
// open_clip's configurations.
type Model struct {
	Config    string   `yaml:"config" doc:"a model of open_clip, such as ViT-B-32, vit_base_patch14_dinov2, or the path of its JSON; nothing: embed_dim and so on say it here, or model.init does"`
	Init      string   `yaml:"init" doc:"weights to begin with: a safetensors file, or a folder of open_clip or of Hugging Face's CLIPModel; nothing: random ones"`
	InitImage string   `yaml:"init_image" doc:"weights that the image tower alone begins with, in place of those of init: such a file or folder, Hugging Face's Dinov2Model, DINOv2's own, or timm's"`
	Freeze    []string `yaml:"freeze" jsonschema:"enum=image,enum=text" doc:"towers whose weights stay: image, text"`

	EmbedDim  int    `yaml:"embed_dim" json:"embed_dim" jsonschema:"minimum=0,maximum=65536" doc:"width of the features that both towers end in"`
	Vision    Vision `yaml:"vision_cfg" json:"vision_cfg" doc:"the image tower"`
	Text      Text   `yaml:"text_cfg" json:"text_cfg" doc:"the text tower"`
	QuickGELU bool   `yaml:"quick_gelu" json:"quick_gelu" doc:"the activation x·sigmoid(1.702x) of OpenAI's weights, in place of GELU"`

	Binding Binding `yaml:"binding_cfg" doc:"for occlip: what compares an image's patches with the words of a scene graph; weights that have one keep theirs"`
}

// Vision is the image tower: a vision transformer, or a ResNet if Layers has a number for each of four stages.
type Vision struct {
	ImageSize int   `yaml:"image_size" json:"image_size" jsonschema:"minimum=0,maximum=4096" doc:"pixels of a side that images are brought to"`
	PatchSize int   `yaml:"patch_size" json:"patch_size" jsonschema:"minimum=0,maximum=4096" doc:"pixels of a side of a patch, which becomes a token; none of a ResNet"`
	Width     int   `yaml:"width" json:"width" jsonschema:"minimum=0,maximum=65536" doc:"width of its tokens; of a ResNet that of its first stage, 64"`
	Layers    []int `yaml:"layers" json:"-" jsonschema:"minimum=1,maximum=1024" doc:"its blocks; a ResNet's are those of its four stages, such as [3, 4, 6, 3]"`
	HeadWidth int   `yaml:"head_width" json:"head_width" jsonschema:"minimum=1,maximum=65536" doc:"width of an attention head"`
}

// isEmpty reports whether the recipe does not configure an image tower.
func (v *Vision) isEmpty() bool {
	return v.ImageSize == 0 && v.PatchSize == 0 && v.Width == 0 && len(v.Layers) == 0
}

// isResNet reports whether the image tower is a ResNet.
func (v *Vision) isResNet() bool { return len(v.Layers) > 1 }

// Text is the text tower, a causal transformer.
type Text struct {
	Context    int `yaml:"context_length" json:"context_length" jsonschema:"minimum=0,maximum=65536" doc:"most tokens of a text; 0: those of model.config or model.init, else 77"`
	Vocabulary int `yaml:"vocab_size" json:"vocab_size" jsonschema:"minimum=0,maximum=16777216" doc:"tokens that there are; 0: those of the tokenizer"`
	Width      int `yaml:"width" json:"width" jsonschema:"minimum=0,maximum=65536" doc:"width of its tokens"`
	Heads      int `yaml:"heads" json:"heads" jsonschema:"minimum=0,maximum=65536" doc:"attention heads of a block"`
	Layers     int `yaml:"layers" json:"layers" jsonschema:"minimum=0,maximum=1024" doc:"its blocks"`
}

// Binding is OC-CLIP's module between the towers (table 11).
type Binding struct {
	Width    int `yaml:"width" jsonschema:"minimum=1,maximum=16384" doc:"width of patches, queries and slots"`
	Relation int `yaml:"relation_width" jsonschema:"minimum=1,maximum=16384" doc:"width of predicates"`
	Layers   int `yaml:"layers" jsonschema:"minimum=0,maximum=256" doc:"blocks that patches pass first"`
	Heads    int `yaml:"heads" jsonschema:"minimum=1,maximum=16384" doc:"attention heads of a block"`
	Defaults int `yaml:"default_tokens" jsonschema:"minimum=0,maximum=16384" doc:"learned queries that take what no node does"`
}

func defaultBinding() Binding {
	return Binding{Width: 256, Relation: 128, Layers: 2, Heads: 4, Defaults: 4}
}

// IsInline reports whether the recipe itself contains the configuration.
func (m *Model) IsInline() bool {
	return m.EmbedDim != 0 || m.QuickGELU || !m.Vision.isEmpty() || m.Text != (Text{Context: m.Text.Context})
}

// JSON returns the configuration of an inline model, in the form of open_clip. vocabulary is the tokenizer's number of
// tokens, which is used if vocab_size is 0.
func (m *Model) JSON(vocabulary int) ([]byte, error) {
	type vision struct {
		Vision
		Layers any `json:"layers"` // a number, or one for each stage
	}
	c := struct {
		EmbedDim  int    `json:"embed_dim"`
		Vision    vision `json:"vision_cfg"`
		Text      Text   `json:"text_cfg"`
		QuickGELU bool   `json:"quick_gelu,omitempty"`
	}{m.EmbedDim, vision{m.Vision, m.Vision.Layers}, m.Text, m.QuickGELU}
	if len(m.Vision.Layers) == 1 {
		c.Vision.Layers = m.Vision.Layers[0]
	}
	if c.Text.Vocabulary == 0 {
		c.Text.Vocabulary = vocabulary
	}
	if c.Text.Context == 0 {
		c.Text.Context = tokenizer.DefaultContext
	}
	return json.MarshalIndent(c, "", "  ")
}

func (r *Recipe) checkModel() error {
	m := &r.Model
	if m.Text.Context == 1 {
		return strictyaml.At("model.text_cfg.context_length", errors.New("1: a text has two marks at least"))
	}
	if b := m.Binding; b.Width%b.Heads != 0 {
		return strictyaml.At("model.binding_cfg.width", fmt.Errorf("%d does not divide into heads: heads is %d", b.Width, b.Heads))
	}
	if !m.IsInline() {
		if m.Config == "" && m.Init == "" {
			return strictyaml.At("model.config", errors.New("no model is named: set it, or embed_dim, vision_cfg and text_cfg"))
		}
		return nil
	}
	if m.Config != "" {
		return strictyaml.At("model.config", fmt.Errorf("%s is named, and the recipe has a configuration of its own: leave out one of the two", m.Config))
	}
	for _, n := range []struct {
		key   string
		value int
	}{
		{"embed_dim", m.EmbedDim},
		{"vision_cfg.image_size", m.Vision.ImageSize}, {"vision_cfg.width", m.Vision.Width}, {"vision_cfg.layers", len(m.Vision.Layers)},
		{"text_cfg.width", m.Text.Width}, {"text_cfg.heads", m.Text.Heads}, {"text_cfg.layers", m.Text.Layers},
	} {
		if n.value == 0 {
			return strictyaml.At("model."+n.key, errors.New("is missing, and the recipe has a configuration of its own"))
		}
	}
	if m.Vision.isResNet() {
		return m.checkResNet()
	}
	if m.Vision.PatchSize == 0 {
		return strictyaml.At("model.vision_cfg.patch_size", errors.New("is missing, and the recipe has a vision transformer of its own"))
	}
	for _, d := range []struct {
		key             string
		whole, part     int
		wholes, partKey string
	}{
		{"vision_cfg.image_size", m.Vision.ImageSize, m.Vision.PatchSize, "patches", "patch_size"},
		{"vision_cfg.width", m.Vision.Width, m.Vision.HeadWidth, "heads", "head_width"},
		{"text_cfg.width", m.Text.Width, m.Text.Heads, "heads", "heads"},
	} {
		if d.whole%d.part != 0 {
			return strictyaml.At("model."+d.key, fmt.Errorf("%d does not divide into %s: %s is %d", d.whole, d.wholes, d.partKey, d.part))
		}
	}
	return nil
}

// checkResNet checks the configuration of a ResNet.
func (m *Model) checkResNet() error {
	if m.Vision.PatchSize != 0 {
		return strictyaml.At("model.vision_cfg.patch_size", errors.New("a ResNet, whose layers are a list, has no patches: leave it out"))
	}
	data, err := m.JSON(1)
	if err == nil {
		_, err = model.Parse(data)
	}
	if err != nil {
		return strictyaml.At("model", err)
	}
	return nil
}
