package model

import "capgraph/kernels"

// architecture is a kind of image tower: its vision_cfg and its parameters.
type architecture interface {
	// check returns an error if the tower's numbers do not fit each other or the model.
	check(c Config) error
	// toFile returns the tower's vision_cfg, which Parse reads back.
	toFile(i Image) visionFile
	// specs returns the tower's parameters, from its input to its output.
	specs(c Config) []Spec
	// packImages sets where n images are among the tower's tokens.
	packImages(p *Packer, d kernels.Device, c Config, n int, to *Images)
	// newTower finds the parameters by name.
	newTower(named map[string]*kernels.Var, c Config) imageTower
}

// imageTower computes features of images.
type imageTower interface {
	// encodeTokens returns Image.Tokens() rows for each image.
	encodeTokens(t *kernels.Tape, images Images) *kernels.Var
	// poolFeatures turns tokens into features, [n, EmbedDim], not yet of length 1.
	poolFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// patchTower is an image tower that a binding can read.
type patchTower interface {
	imageTower
	// patchTokens returns the tokens of patches, normalised: Grid()² rows of Width numbers for each
	// image.
	patchTokens(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// patchFeatureTower is an image tower whose patches have features in the common space.
type patchFeatureTower interface {
	imageTower
	// patchFeatures returns Grid()² rows of EmbedDim numbers for each image, not of length 1.
	patchFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// HasPatchFeatures reports whether the image tower has features of patches.
func (c Config) HasPatchFeatures() bool {
	switch c.Image.architecture().(type) {
	case visionTransformer, dinov2, siglip:
		return true
	}
	return false
}

// architecture returns the kind of tower of the configuration.
func (i Image) architecture() architecture {
	if i.Timm != "" {
		network, err := findTimm(i.Timm)
		if err != nil {
			return unknownArchitecture{err: err}
		}
		return network.architecture
	}
	if !i.Stages.isEmpty() {
		return resNet{}
	}
	return visionTransformer{}
}
