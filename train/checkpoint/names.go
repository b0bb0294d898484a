package checkpoint

import (
	"slices"
	"strings"

	"capgraph/train/model"
)

// naming is a convention for the names of a model's tensors, such as Hugging Face's.
type naming struct {
	// marker is the name of a tensor by which files with this naming are recognised.
	marker string
	// storedNames returns the stored names of a parameter: several, in order, if its rows are
	// stored as several tensors.
	storedNames func(model.Spec) []string
	// outFirst says that projections are stored as [out, in], as on the tape.
	outFirst bool
	// imagePrefixes are the prefixes of the image tower's tensors.
	imagePrefixes []string
	// imageOnly says that such files have an image tower alone, without the projection to the
	// common space.
	imageOnly bool
}

// namings are tried in this order; the last has no marker.
var namings = []naming{
	{marker: "vision_model.embeddings.class_embedding", storedNames: huggingFaceNames, outFirst: true, imagePrefixes: []string{"vision_model.", "visual_projection."}},
	{marker: "text.token_embedding.weight", storedNames: customTextNames, imagePrefixes: []string{"visual."}},
	{marker: "embeddings.patch_embeddings.projection.weight", storedNames: dinov2Names(""), imagePrefixes: []string{""}, imageOnly: true},
	{marker: "dinov2.embeddings.patch_embeddings.projection.weight", storedNames: dinov2Names("dinov2."), imagePrefixes: []string{""}, imageOnly: true},
	{marker: "patch_embed.proj.weight", storedNames: timmNames, imagePrefixes: []string{""}, imageOnly: true},
	{storedNames: func(s model.Spec) []string { return []string{s.Name} }, imagePrefixes: []string{"visual."}},
}

// isImageTensor reports whether a stored tensor belongs to the image tower.
func (f naming) isImageTensor(name string) bool {
	return slices.ContainsFunc(f.imagePrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// customTextNames returns the name of a parameter in open_clip's CustomTextCLIP.
func customTextNames(s model.Spec) []string {
	if s.Tower == model.TextTower {
		return []string{"text." + s.Name}
	}
	return []string{s.Name}
}

// The names in Hugging Face's CLIPModel, by open_clip's names: of parameters outside blocks, and of
// those within a block.
var (
	huggingFaceWhole = map[string]string{
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
	huggingFaceParts = map[string][]string{
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

// huggingFaceNames returns the names of a parameter in CLIPModel of the transformers library.
func huggingFaceNames(s model.Spec) []string {
	name, tower := s.Name, "text_model"
	if of, ok := strings.CutPrefix(name, "visual."); ok && s.Tower == model.ImageTower {
		name, tower = of, "vision_model"
	}
	block, ok := strings.CutPrefix(name, "transformer.resblocks.")
	if !ok {
		return []string{huggingFaceWhole[s.Name]}
	}
	number, part, _ := strings.Cut(block, ".")
	var names []string
	for _, p := range huggingFaceParts[part] {
		names = append(names, tower+".encoder.layers."+number+"."+p)
	}
	return names
}

// isIgnored reports whether a tensor that is no parameter of the model is allowed in a file and
// ignored: the state of a training, and buffers that some versions of the libraries store.
func isIgnored(name string) bool {
	switch name {
	case "input_resolution", "context_length", "vocab_size", "attn_mask", "text.attn_mask":
		return true
	}
	// PyTorch's batch norms store the number of batches, which matters only without a momentum.
	return strings.HasPrefix(name, StatePrefix) || strings.HasSuffix(name, ".num_batches_tracked") || strings.HasSuffix(name, ".embeddings.position_ids") ||
		strings.HasSuffix(name, "mask_token") || strings.HasPrefix(name, "classifier.") || strings.HasPrefix(name, "head.fc.")
}
