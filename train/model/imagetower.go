package model

import "capgraph/kernels"

// architecture is a kind of image tower, such as a ResNet.
type architecture interface {
	// check returns an error if the tower's numbers do not fit each other or the model.
	check(c Config) error
	// toFile returns the tower's vision_cfg, which Parse reads back.
	toFile(i Image) visionFile
	// specs returns the tower's parameters, from its input to its output.
	specs(c Config) []Spec
	// packImages sets the indices of rows that n images of this tower need.
	packImages(p *Packer, d kernels.Device, c Config, n int, to *Images)
	// newTower returns a tower with the parameters in named.
	newTower(named map[string]*kernels.Var, c Config) imageTower
}

// imageTower computes features of images with its parameters on a device.
type imageTower interface {
	// encodeTokens implements Model.ImageTokens.
	encodeTokens(t *kernels.Tape, images Images) *kernels.Var
	// poolFeatures implements Model.PoolImages.
	poolFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// patchTower is an image tower whose patches a binding can read.
type patchTower interface {
	imageTower
	// patchTokens returns the tokens of patches after the last norm: Grid()² rows of Width numbers
	// for each image.
	patchTokens(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// patchFeatureTower is an image tower whose patches have features in the common space.
type patchFeatureTower interface {
	imageTower
	// patchFeatures implements Model.PatchFeatures.
	patchFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// HasPatchFeatures reports whether the image tower can compute features of patches.
func (c Config) HasPatchFeatures() bool {
	switch c.Image.architecture().(type) {
	case visionTransformer, dinov2, siglip:
		return true
	}
	return false
}

// architecture returns the architecture of the configured tower.
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
