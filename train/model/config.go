// Package model is a CLIP dual encoder: its configuration in open_clip's form, its parameters under open_clip's names
// and their initial values, and the computation of features from pixels and tokens.
//
// [Read] reads a configuration, [New] allocates its parameters on a device, and [Model.Initialise] sets them. A
// [Packer] makes batches, of which [Model.EncodeImages] and [Model.EncodeTexts] compute features. An image tower is an
// architecture: a vision transformer of CLIP or SigLIP, CLIP's ResNet, DINOv2 or Swin.
package model

import (
	"cmp"
	"encoding/json"
)

// Config is the configuration of a dual encoder as in open_clip: two towers whose features have EmbedDim numbers.
type Config struct {
	// EmbedDim is the number of elements of a feature.
	EmbedDim int
	// QuickGELU says that the activation is x·σ(1.702x), as in OpenAI's weights, instead of x·Φ(x).
	QuickGELU bool
	Image     Image
	Text      Text
	// Binding is OC-CLIP's, or none.
	Binding Binding
	// LogitBias is the initial value of the learned bias of similarities (SigLIP). If it is 0,
	// there is none.
	LogitBias float64
	// PartClasses is the number of classes of the head that classifies images into parts of captions, 0 if there is
	// none. open_clip does not know it.
	PartClasses int
	// Mean and Std normalise pixels in [0, 1], by channel: red, green, blue.
	Mean, Std [3]float64
	// Squash says that an image is encoded whole, resized to a square. Otherwise its centre is cropped. Training uses
	// random crops in both cases.
	Squash bool
}

// Image is the image tower. If Timm is set, it is that network; otherwise, if Stages are set, CLIP's modified ResNet;
// otherwise a vision transformer (Dosovitskiy et al. 2020, with CLIP's layer norm before the first block), pooled at
// its class token.
type Image struct {
	// Timm is the name of a network of the timm library that open_clip uses as a tower (vision_cfg.timm_model_name). It
	// is empty for open_clip's own towers.
	Timm          string
	Layers, Width int
	// Stages are the stages of a ResNet, whose PatchSize is 32, or of a Swin transformer. Layers is then 0.
	Stages Stages
	// HeadWidth is the width of an attention head; Width is a multiple of it.
	HeadWidth int
	// PatchSize and ImageSize are the sides of a patch and of an image in pixels.
	PatchSize, ImageSize int
	// MLPRatio is the hidden width of a block's MLP divided by Width.
	MLPRatio float64
}

// Text is the text tower: CLIP's causal transformer, pooled at the end-of-text token, which has the highest id of the
// vocabulary; if Padded, SigLIP's transformer.
type Text struct {
	// ContextLength is the maximum number of tokens of a text, including its first and last.
	ContextLength, VocabSize int
	Layers, Width, Heads     int
	MLPRatio                 float64
	// Padded says that the tokenizer pads every text to ContextLength tokens, that every token attends to all others,
	// and that the text is pooled at the last one.
	Padded bool
	// ProjBias says that the projection to the common space has a bias.
	ProjBias bool
	// NormEps is added to variances in layer norms; 0 is CLIP's 1e-5.
	NormEps float64
	// Tokenizer is open_clip's hf_tokenizer_name; open_clip cleans texts for it with "canonicalize". It is empty for
	// CLIP's tokenizer and for learned ones.
	Tokenizer string
}

// normEpsilon returns the number that layer norms add to variances.
func (t Text) normEpsilon() float64 { return cmp.Or(t.NormEps, normEps) }

// Heads returns the number of attention heads of the image tower.
func (i Image) Heads() int { return i.Width / i.HeadWidth }

// Hidden returns the width between the two layers of a block's MLP.
func (i Image) Hidden() int { return int(float64(i.Width) * i.MLPRatio) }

// Grid returns the number of patches along a side.
func (i Image) Grid() int { return i.ImageSize / i.PatchSize }

// Patches returns the number of patches of an image.
func (i Image) Patches() int { return i.Grid() * i.Grid() }

// Tokens returns the number of rows of an image that the tower's features are pooled from: the class token, if there is
// one, and patches; for a Swin transformer, the places of its last stage.
func (i Image) Tokens() int {
	switch i.architecture().(type) {
	case swin:
		return swin{}.windowSide(i) * swin{}.windowSide(i)
	case siglip:
		return i.Patches()
	}
	return i.Patches() + 1
}

// numbersPerToken is about how many numbers a block of ViT-L/14 computes per token. numbersPerPixel is about how many a
// ResNet computes per pixel before its first stage, and Swin-T in a block of its first stage.
const (
	numbersPerToken = 12 << 10
	numbersPerPixel = 70
)

// ImagesWithin returns how many images need as much memory as that many tokens of a transformer, if only the results of
// one block are kept. It is at least 1.
func (i Image) ImagesWithin(tokens int) int {
	if i.Stages.isEmpty() {
		return max(1, tokens/i.Tokens())
	}
	return max(1, tokens*numbersPerToken/(i.ImageSize*i.ImageSize*numbersPerPixel))
}

// Hidden returns the width between the two layers of a block's MLP.
func (t Text) Hidden() int { return int(float64(t.Width) * t.MLPRatio) }

// defaultConfig returns open_clip's defaults for missing keys, with the mean and standard deviation of pixels that CLIP
// was trained with.
func defaultConfig() Config {
	return Config{
		Image: Image{Layers: 12, Width: 768, HeadWidth: 64, PatchSize: 16, ImageSize: 224, MLPRatio: 4},
		Text:  Text{ContextLength: 77, VocabSize: 49408, Layers: 12, Width: 512, Heads: 8, MLPRatio: 4},
		Mean:  [3]float64{0.48145466, 0.4578275, 0.40821073},
		Std:   [3]float64{0.26862954, 0.26130258, 0.27577711},
	}
}

// The JSON form of a configuration.
type (
	folderFile struct {
		Model      modelFile      `json:"model_cfg"`
		Preprocess preprocessFile `json:"preprocess_cfg"`
		Binding    *Binding       `json:"binding_cfg,omitempty"`
		Classes    int            `json:"part_classes,omitempty"`
	}
	modelFile struct {
		EmbedDim  int        `json:"embed_dim"`
		QuickGELU bool       `json:"quick_gelu,omitempty"`
		LogitBias float64    `json:"init_logit_bias,omitempty"`
		Vision    visionFile `json:"vision_cfg"`
		Text      textFile   `json:"text_cfg"`
	}
	visionFile struct {
		ImageSize int     `json:"image_size"`
		Layers    any     `json:"layers"` // a number, or one for each stage
		Width     int     `json:"width"`
		HeadWidth int     `json:"head_width"`
		PatchSize int     `json:"patch_size,omitempty"`
		MLPRatio  float64 `json:"mlp_ratio,omitempty"`
		*timmFile
	}
	textFile struct {
		ContextLength int     `json:"context_length"`
		VocabSize     int     `json:"vocab_size"`
		Width         int     `json:"width"`
		Heads         int     `json:"heads"`
		Layers        int     `json:"layers"`
		MLPRatio      float64 `json:"mlp_ratio"`

		NoCausalMask    bool             `json:"no_causal_mask,omitempty"`
		PoolType        string           `json:"pool_type,omitempty"`
		ProjBias        bool             `json:"proj_bias,omitempty"`
		Norm            *normFile        `json:"norm_kwargs,omitempty"`
		Tokenizer       string           `json:"hf_tokenizer_name,omitempty"`
		TokenizerKwargs *tokenizerKwargs `json:"tokenizer_kwargs,omitempty"`
	}
	normFile struct {
		Eps float64 `json:"eps"`
	}
	tokenizerKwargs struct {
		Clean string `json:"clean"`
	}
	preprocessFile struct {
		Size   int        `json:"size"`
		Mode   string     `json:"mode"`
		Mean   [3]float64 `json:"mean"`
		Std    [3]float64 `json:"std"`
		Resize string     `json:"resize_mode,omitempty"`
	}
)

// JSON returns the configuration in the form of the open_clip_config.json of a local-dir of open_clip, including
// preprocess_cfg. Parse reads it back.
func (c Config) JSON() ([]byte, error) {
	var bound *Binding
	if !c.Binding.IsNone() {
		bound = &c.Binding
	}
	text, err := json.MarshalIndent(folderFile{
		Binding: bound, Classes: c.PartClasses,
		Model: modelFile{
			EmbedDim: c.EmbedDim, QuickGELU: c.QuickGELU, LogitBias: c.LogitBias,
			Vision: c.Image.architecture().toFile(c.Image),
			Text:   c.Text.toFile(),
		},
		Preprocess: preprocessFile{Size: c.Image.ImageSize, Mode: "RGB", Mean: c.Mean, Std: c.Std, Resize: c.resizeMode()},
	}, "", "  ")
	return append(text, '\n'), err
}

// SigLIP's values of text_cfg and preprocess_cfg.
const (
	poolLast          = "last"
	cleanCanonicalize = "canonicalize"
	resizeSquash      = "squash"
	resizeShortest    = "shortest"
)

// resizeMode returns the value of resize_mode, or "" if it is open_clip's default.
func (c Config) resizeMode() string {
	switch network := timmNetworks[trimTag(c.Image.Timm)]; {
	case c.Squash:
		return resizeSquash
	case network.squash:
		return resizeShortest
	}
	return ""
}

// toFile returns the text_cfg, which Parse reads back.
func (t Text) toFile() textFile {
	f := textFile{
		ContextLength: t.ContextLength, VocabSize: t.VocabSize, Width: t.Width, Heads: t.Heads, Layers: t.Layers, MLPRatio: t.MLPRatio,
		ProjBias: t.ProjBias, Tokenizer: t.Tokenizer,
	}
	if t.Padded {
		f.NoCausalMask, f.PoolType = true, poolLast
	}
	if t.NormEps != 0 {
		f.Norm = &normFile{t.NormEps}
	}
	if t.Tokenizer != "" {
		f.TokenizerKwargs = &tokenizerKwargs{cleanCanonicalize}
	}
	return f
}
