package model

import "capgraph/kernels"

// architecture is a kind of image tower: what vision_cfg says of it, and which
// parameters it has.
type architecture interface {
	// check tells whether the numbers of the tower fit each other and the model.
	check(c Config) error
	// form is the tower's vision_cfg, which Parse reads back.
	form(i Image) visionFile
	// parameters are those of the tower, from its input to its output.
	parameters(c Config) []Spec
	// lay puts where n images lie among the tower's tokens.
	lay(p *Packer, d kernels.Device, c Config, n int, to *Images)
	// tower finds the parameters by their names.
	tower(named map[string]*kernels.Var, c Config) imageTower
}

// imageTower makes features of images.
type imageTower interface {
	// tokens gives Image.Tokens() rows of each image.
	tokens(t *kernels.Tape, images Images) *kernels.Var
	// pool makes of them the features, [n, EmbedDim], not yet of length 1.
	pool(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// patchTower is an image tower that a binding can read.
type patchTower interface {
	imageTower
	// patches gives, of tokens, those of the patches, normalised: Grid()² rows of Width
	// numbers of each image.
	patches(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var
}

// architecture is the kind of tower that the configuration is of.
func (i Image) architecture() architecture {
	if i.Timm != "" {
		network, err := timmNamed(i.Timm)
		if err != nil {
			return unknown{err: err}
		}
		return network.architecture
	}
	if !i.Stages.none() {
		return resNet{}
	}
	return visionTransformer{}
}
