package checkpoint

import (
	"slices"
	"strings"

	"capgraph/train/model"
)

// form is one way to name the tensors of a model.
type form struct {
	// mark is a tensor that only files of this form have.
	mark string
	// stored returns what a parameter is called: more than one name where its
	// rows are stored in parts, in their order.
	stored func(model.Spec) []string
	// out says that projections are stored as [out, in], as the tape has them.
	out bool
	// visual are the prefixes of what the image tower has.
	visual []string
	// bare says that it is an image tower alone, which ends before the common space.
	bare bool
}

// forms are tried in this order; the last has no mark.
var forms = []form{
	{mark: "vision_model.embeddings.class_embedding", stored: huggingFace, out: true, visual: []string{"vision_model.", "visual_projection."}},
	{mark: "text.token_embedding.weight", stored: customText, visual: []string{"visual."}},
	{mark: "embeddings.patch_embeddings.projection.weight", stored: dinov2(""), visual: []string{""}, bare: true},
	{mark: "dinov2.embeddings.patch_embeddings.projection.weight", stored: dinov2("dinov2."), visual: []string{""}, bare: true},
	{mark: "patch_embed.proj.weight", stored: trunk, visual: []string{""}, bare: true},
	{stored: func(s model.Spec) []string { return []string{s.Name} }, visual: []string{"visual."}},
}

// ofImage tells whether a stored tensor is of the image tower.
func (f form) ofImage(name string) bool {
	return slices.ContainsFunc(f.visual, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// customText are the names of open_clip's CustomTextCLIP.
func customText(s model.Spec) []string {
	if s.Tower == model.TextTower {
		return []string{"text." + s.Name}
	}
	return []string{s.Name}
}

// whole names parameters of Hugging Face's CLIPModel, and parts the pieces of a
// block; both by what open_clip calls them.
var (
	whole = map[string]string{
		"visual.conv1.weight":         "vision_model.embeddings.patch_embedding.weight",
		"visual.class_embedding":      "vision_model.embeddings.class_embedding",
		"visual.positional_embedding": "vision_model.embeddings.position_embedding.weight",
		"visual.ln_pre.weight":        "vision_model.pre_layrnorm.weight", // so spelled
		"visual.ln_pre.bias":          "vision_model.pre_layrnorm.bias",
		"visual.ln_post.weight":       "vision_model.post_layernorm.weight",
		"visual.ln_post.bias":         "vision_model.post_layernorm.bias",
		"visual.proj":                 "visual_projection.weight",
		"token_embedding.weight":      "text_model.embeddings.token_embedding.weight",
		"positional_embedding":        "text_model.embeddings.position_embedding.weight",
		"ln_final.weight":             "text_model.final_layer_norm.weight",
		"ln_final.bias":               "text_model.final_layer_norm.bias",
		"text_projection":             "text_projection.weight",
		model.LogitScale:              "logit_scale",
	}
	parts = map[string][]string{
		"ln_1.weight":          {"layer_norm1.weight"},
		"ln_1.bias":            {"layer_norm1.bias"},
		"attn.in_proj_weight":  {"self_attn.q_proj.weight", "self_attn.k_proj.weight", "self_attn.v_proj.weight"},
		"attn.in_proj_bias":    {"self_attn.q_proj.bias", "self_attn.k_proj.bias", "self_attn.v_proj.bias"},
		"attn.out_proj.weight": {"self_attn.out_proj.weight"},
		"attn.out_proj.bias":   {"self_attn.out_proj.bias"},
		"ln_2.weight":          {"layer_norm2.weight"},
		"ln_2.bias":            {"layer_norm2.bias"},
		"mlp.c_fc.weight":      {"mlp.fc1.weight"},
		"mlp.c_fc.bias":        {"mlp.fc1.bias"},
		"mlp.c_proj.weight":    {"mlp.fc2.weight"},
		"mlp.c_proj.bias":      {"mlp.fc2.bias"},
	}
)

// huggingFace are the names of CLIPModel of the transformers library.
func huggingFace(s model.Spec) []string {
	name, tower := s.Name, "text_model"
	if of, ok := strings.CutPrefix(name, "visual."); ok && s.Tower == model.ImageTower {
		name, tower = of, "vision_model"
	}
	block, ok := strings.CutPrefix(name, "transformer.resblocks.")
	if !ok {
		return []string{whole[s.Name]}
	}
	number, part, _ := strings.Cut(block, ".")
	var names []string
	for _, p := range parts[part] {
		names = append(names, tower+".encoder.layers."+number+"."+p)
	}
	return names
}

// harmless tells whether a tensor that no parameter is called may be in a file:
// the state of a training, and buffers that some versions of the libraries store.
func harmless(name string) bool {
	switch name {
	case "input_resolution", "context_length", "vocab_size", "attn_mask", "text.attn_mask":
		return true
	}
	// PyTorch's batch norms count batches, and read the count where they have no momentum.
	return strings.HasPrefix(name, StatePrefix) || strings.HasSuffix(name, ".num_batches_tracked") || strings.HasSuffix(name, ".embeddings.position_ids") ||
		strings.HasSuffix(name, "mask_token") || strings.HasPrefix(name, "classifier.") || strings.HasPrefix(name, "head.fc.")
}
