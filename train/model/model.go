package model

import (
	"fmt"
	"slices"

	"capgraph/kernels"
)

// Model is a dual encoder whose parameters are in the memory of a device. It computes features from pixels and tokens.
type Model struct {
	Config Config
	Device kernels.Device
	// Specs describe the parameters and running averages. Vars are their values, in the same order.
	Specs []Spec
	Vars  []*kernels.Var

	memory
	gradientElements, averageElements int // numbers of elements of all gradients and of all running averages
	image                             imageTower
	text                              encoder
	binding                           *binding // nil if there is none
	logScale                          *kernels.Var
	logitBias, partHead               *kernels.Var // nil if there is none
}

// New returns a model on a device whose parameters are all zero. Parameters of frozen towers (ImageTower, TextTower)
// have no gradient.
func New(d kernels.Device, c Config, frozen ...string) (*Model, error) {
	return NewLearning(d, c, func(s Spec) bool { return !slices.Contains(frozen, s.Tower) })
}

// NewLearning is New, but the parameters for which learns returns true have a gradient.
func NewLearning(d kernels.Device, c Config, learns func(Spec) bool) (*Model, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m := &Model{Config: c, Device: d, Specs: Parameters(c)}
	learned := func(s Spec) bool { return !s.Running && learns(s) }
	halved := func(s Spec) bool { return d.UsesHalf() && s.Rows > 1 && s.Rows%8 == 0 && s.Cols%8 == 0 }
	var all placement
	var places []placement
	for _, s := range m.Specs {
		places = append(places, all.allocate(s, learned(s), halved(s)))
	}
	m.gradientElements, m.averageElements = all.grad, all.average
	m.memory = memory{values: d.Alloc(all.value), grads: d.Alloc(all.grad), halves: d.Alloc(all.half), averages: d.Alloc(all.average)}
	named := map[string]*kernels.Var{}
	for i, s := range m.Specs {
		v := m.newVar(d, places[i], s.Rows, s.Cols)
		m.Vars = append(m.Vars, v)
		named[s.Name] = v
	}
	m.addJoined(d, m.Specs, places, named)
	m.image = c.Image.architecture().newTower(named, c)
	m.text = findTextTower(named, c)
	m.binding = findBinding(named, c)
	m.logScale, m.logitBias, m.partHead = named[LogitScale], named[LogitBias], named[PartHead]
	return m, nil
}

// activation returns the activation of the MLPs of transformers.
func (c Config) activation() kernels.Activation {
	if c.QuickGELU {
		return kernels.QuickGELU
	}
	return kernels.GELU
}

// Initialise sets all parameters to their initial values.
func (m *Model) Initialise(seed uint64) {
	var values []float64
	for i, s := range m.Specs {
		values = append(values[:0], make([]float64, s.Len())...)
		s.Initialise(seed, values)
		m.Device.Write(m.Vars[i].Value, values)
	}
}

// LogScale returns CLIP's logit scale, [1, 1]: the logarithm of the factor by which similarities are multiplied.
func (m *Model) LogScale() *kernels.Var { return m.logScale }

// LogitBias returns the bias of similarities, [1, 1]; nil if the model has none.
func (m *Model) LogitBias() *kernels.Var { return m.logitBias }

// PartHead returns the head that classifies images into parts of captions, [classes, width]; nil if the model has none.
func (m *Model) PartHead() *kernels.Var { return m.partHead }

// SharedVars returns the parameters that belong to no tower. Each process computes their whole gradient, not a part of
// it.
func (m *Model) SharedVars() (shared []*kernels.Var) {
	for _, v := range []*kernels.Var{m.logScale, m.logitBias, m.partHead} {
		if v != nil {
			shared = append(shared, v)
		}
	}
	return shared
}

// Gradients returns the memory of all gradients as one vector, with zeros between them.
func (m *Model) Gradients() kernels.Tensor {
	return kernels.Tensor{Rows: 1, Cols: m.gradientElements, Memory: m.grads}
}

// RunningAverages returns the memory of all running averages of the image tower's batch norms as one vector, with zeros
// between them. It is none if there are none, or if the tower is frozen.
func (m *Model) RunningAverages() kernels.Tensor {
	if m.averageElements == 0 || !m.IsTrainable(ImageTower) {
		return kernels.Tensor{}
	}
	return kernels.Tensor{Rows: 1, Cols: m.averageElements, Memory: m.averages}
}

// IsTrainable reports whether a tower has parameters that are trained.
func (m *Model) IsTrainable(name string) bool {
	for i, s := range m.Specs {
		if s.Tower == name && m.Vars[i].NeedsGrad() {
			return true
		}
	}
	return false
}

// Free frees the memory of the parameters.
func (m *Model) Free() {
	for _, of := range []kernels.Memory{m.values, m.grads, m.halves, m.averages} {
		m.Device.Free(of)
	}
}

// encoder has the parameters that the transformers of images and texts have in common.
type encoder struct {
	embedding         *kernels.Var // conv1, or the embedding of tokens
	class             *kernels.Var // of images only
	positions         *kernels.Var
	preNorm, postNorm norm // preNorm is for images only
	blocks            []kernels.PartFunc
	projection        layer // without a bias, except for SigLIP's texts
}

type norm struct {
	gain, bias *kernels.Var
	eps        float64 // added to variances
}

type layer struct{ weight, bias *kernels.Var }

// block is a residual attention block with layer norms before its halves.
type block struct {
	norm1, norm2      norm
	in, out, fc, proj layer
	heads             int
	causal            bool
	activation        kernels.Activation
}

// findImageTower returns CLIP's vision transformer with the parameters in named.
func findImageTower(named map[string]*kernels.Var, c Config) encoder {
	const prefix = "visual."
	get := func(name string) *kernels.Var { return named[prefix+name] }
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias"), normEps} }
	return encoder{
		embedding: get("conv1.weight"), class: get("class_embedding"), positions: get("positional_embedding"),
		preNorm: normOf("ln_pre"), postNorm: normOf("ln_post"), projection: layer{weight: get("proj")},
		blocks: findBlocks(named, prefix, c.Image.Layers, block{heads: c.Image.Heads(), activation: c.activation()}, normEps),
	}
}

// findTextTower returns the text tower with the parameters in named.
func findTextTower(named map[string]*kernels.Var, c Config) encoder {
	eps := c.Text.normEpsilon()
	projection := layer{weight: named["text_projection"]}
	if c.Text.ProjBias {
		projection = layer{named["text_projection.weight"], named["text_projection.bias"]}
	}
	return encoder{
		embedding: named["token_embedding.weight"], positions: named["positional_embedding"],
		postNorm: norm{named["ln_final.weight"], named["ln_final.bias"], eps}, projection: projection,
		blocks: findBlocks(named, "", c.Text.Layers, block{heads: c.Text.Heads, causal: !c.Text.Padded, activation: c.activation()}, eps),
	}
}

// findBlocks returns the blocks of a transformer with the parameters in named. form has the settings of each block.
func findBlocks(named map[string]*kernels.Var, prefix string, layers int, form block, eps float64) (blocks []kernels.PartFunc) {
	for i := range layers {
		at := fmt.Sprintf("%stransformer.resblocks.%d.", prefix, i)
		layerOf := func(name string) layer { return layer{named[at+name+".weight"], named[at+name+".bias"]} }
		normOf := func(name string) norm { return norm{named[at+name+".weight"], named[at+name+".bias"], eps} }
		b := form
		b.norm1, b.norm2 = normOf("ln_1"), normOf("ln_2")
		b.in = layer{named[at+"attn.in_proj_weight"], named[at+"attn.in_proj_bias"]}
		b.out, b.fc, b.proj = layerOf("attn.out_proj"), layerOf("mlp.c_fc"), layerOf("mlp.c_proj")
		blocks = append(blocks, b.apply)
	}
	return blocks
}
