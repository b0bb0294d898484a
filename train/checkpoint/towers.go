package checkpoint

import (
	"strings"

	"capgraph/train/model"
)

// The names of image towers that lie in files of their own, by what timm calls them
// within open_clip's TimmModel.

// trunkOf is what a parameter of a network of timm is called there; false of the
// projection to the common space, which such a file has not.
func trunkOf(s model.Spec) (string, bool) { return strings.CutPrefix(s.Name, "visual.trunk.") }

// trunk are the names of timm, which DINOv2's own files have too.
func trunk(s model.Spec) []string {
	if name, ok := trunkOf(s); ok {
		return []string{name}
	}
	return nil
}

// The names of Hugging Face's Dinov2Model: parameters, and the pieces of a block.
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

// dinov2 are the names of Hugging Face's Dinov2Model, behind a prefix that models made of
// it have. Of a network that is no DINOv2 they are names that no file has.
func dinov2(prefix string) func(model.Spec) []string {
	return func(s model.Spec) []string {
		name, ok := trunkOf(s)
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
