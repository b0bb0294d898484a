package checkpoint

import (
	"strings"

	"capgraph/train/model"
)

// Names of tensors in files that have an image tower alone. open_clip's names of these are timm's
// after "visual.trunk.".

// trunkName returns the name of a parameter in a file of timm, and false for the projection to the
// common space, which such a file does not have.
func trunkName(s model.Spec) (string, bool) { return strings.CutPrefix(s.Name, "visual.trunk.") }

// timmNames returns the name of a parameter in files of timm, and in DINOv2's own files.
func timmNames(s model.Spec) []string {
	if name, ok := trunkName(s); ok {
		return []string{name}
	}
	return nil
}

// The names in Hugging Face's Dinov2Model, by timm's names: of parameters outside blocks, and of
// those within a block.
var (
	dinov2Whole = map[string]string{
		"cls_token":               "embeddings.cls_token",
		"pos_embed":               "embeddings.position_embeddings",
		"patch_embed.proj.weight": "embeddings.patch_embeddings.projection.weight",
		"patch_embed.proj.bias":   "embeddings.patch_embeddings.projection.bias",
		"norm.weight":             "layernorm.weight",
		"norm.bias":               "layernorm.bias",
	}
	dinov2Parts = map[string][]string{
		"norm1.weight":     {"norm1.weight"},
		"norm1.bias":       {"norm1.bias"},
		"attn.qkv.weight":  {"attention.attention.query.weight", "attention.attention.key.weight", "attention.attention.value.weight"},
		"attn.qkv.bias":    {"attention.attention.query.bias", "attention.attention.key.bias", "attention.attention.value.bias"},
		"attn.proj.weight": {"attention.output.dense.weight"},
		"attn.proj.bias":   {"attention.output.dense.bias"},
		"ls1.gamma":        {"layer_scale1.lambda1"},
		"norm2.weight":     {"norm2.weight"},
		"norm2.bias":       {"norm2.bias"},
		"mlp.fc1.weight":   {"mlp.fc1.weight"},
		"mlp.fc1.bias":     {"mlp.fc1.bias"},
		"mlp.fc2.weight":   {"mlp.fc2.weight"},
		"mlp.fc2.bias":     {"mlp.fc2.bias"},
		"ls2.gamma":        {"layer_scale2.lambda1"},
	}
)

// dinov2Names returns a function that returns the names of a parameter in Hugging Face's
// Dinov2Model. prefix is what models built on it put before the names. For parameters of other
// networks the function returns names that no file has.
func dinov2Names(prefix string) func(model.Spec) []string {
	return func(s model.Spec) []string {
		name, ok := trunkName(s)
		if !ok {
			if s.Name == "visual.head.proj.weight" {
				return nil
			}
			return []string{s.Name}
		}
		if stored, ok := dinov2Whole[name]; ok {
			return []string{prefix + stored}
		}
		block, _ := strings.CutPrefix(name, "blocks.")
		number, part, _ := strings.Cut(block, ".")
		var names []string
		for _, p := range dinov2Parts[part] {
			names = append(names, prefix+"encoder.layer."+number+"."+p)
		}
		if names == nil {
			return []string{name}
		}
		return names
	}
}
