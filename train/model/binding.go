package model

import (
	"fmt"
	"math"
)

// BindingTower is the Tower of the binding's parameters.
const BindingTower = "binding"

// BindingScale is the name of the logit scale of structured scores: the logarithm of their factor.
const BindingScale = "binding.logit_scale"

// Binding has the sizes of OC-CLIP's module between the towers (§3, table 11). In it the nodes of a
// scene graph compete for an image's patches, and the weighted mean of the patches of each node
// (its slot) is compared with the node. The zero value is no binding.
type Binding struct {
	// Width is the width of patches, queries and slots. Relation is the width of predicates, and of
	// the slots of subject and object after their MLPs.
	Width    int `json:"width"`
	Relation int `json:"relation_width"`
	// Layers and Heads describe the transformer blocks that process patches first.
	Layers int `json:"layers"`
	Heads  int `json:"heads"`
	// Defaults is the number of learned queries, which attend to patches that belong to no node.
	Defaults int `json:"default_tokens"`
}

// IsNone reports whether there is no binding.
func (b Binding) IsNone() bool { return b == Binding{} }

// check returns an error if a size is out of range or does not fit the others.
func (b Binding) check() error {
	if b.IsNone() {
		return nil
	}
	for _, n := range []struct {
		key         string
		value, most int
		least       int
	}{
		{"width", b.Width, maxWidth, 1}, {"relation_width", b.Relation, maxWidth, 1}, {"layers", b.Layers, maxLayers, 0},
		{"heads", b.Heads, maxWidth, 1}, {"default_tokens", b.Defaults, maxWidth, 0},
	} {
		if n.value < n.least || n.value > n.most {
			return fmt.Errorf("binding_cfg.%s is %d: it must be from %d to %d", n.key, n.value, n.least, n.most)
		}
	}
	if b.Width%b.Heads != 0 {
		return fmt.Errorf("binding_cfg.width, %d, must be a multiple of heads, %d", b.Width, b.Heads)
	}
	return nil
}

// WithoutBinding returns the configuration without a binding.
func (c Config) WithoutBinding() Config {
	c.Binding = Binding{}
	return c
}

// WithoutPartClasses returns the configuration without the head that classifies images into parts
// of captions.
func (c Config) WithoutPartClasses() Config {
	c.PartClasses = 0
	return c
}

// TowersOnly returns the configuration without a binding and the head of parts, which open_clip
// does not know.
func (c Config) TowersOnly() Config { return c.WithoutBinding().WithoutPartClasses() }

// WithoutBias returns the configuration without a bias of similarities.
func (c Config) WithoutBias() Config {
	c.LogitBias = 0
	return c
}

// The initial values of the two weights of structured scores (table 11), after the softplus.
const (
	nodeWeight     = 1.5
	relationWeight = 0.5
)

// bindingParameters returns the parameters of the binding, from the image to the score.
func bindingParameters(c Config) []Spec {
	b := c.Binding
	if b.IsNone() {
		return nil
	}
	w, r, patches := b.Width, b.Relation, c.Image.Grid()*c.Image.Grid()
	t := towerSpecs{name: BindingTower, prefix: "binding."}
	t.addLinear("patches.0", c.Image.Width, w)
	t.addLinear("patches.2", w, w)
	t.addSpec("patch_positions", normal(1), patches, w)
	for i := range b.Layers {
		t.addBlock(i, w, 2*w, blockInits{in: uniform(math.Sqrt(6 / float64(4*w))), out: fanIn(w), fc: fanIn(w), proj: fanIn(2 * w)})
	}
	for _, name := range []string{"keys", "values"} {
		t.addLinear(name, w, w)
		t.addNorm(name+"_ln", w)
		t.addSpec(name+"_proj", fanIn(w), w, w)
	}
	t.addSpec("nodes_proj", fanIn(c.EmbedDim), w, c.EmbedDim)
	t.addSpec("relations_proj", fanIn(c.EmbedDim), r, c.EmbedDim)
	t.addSpec("default_tokens", normal(1), max(b.Defaults, 1), w)
	t.addNorm("queries_ln", w)
	t.addSpec("queries_proj", fanIn(w), w, w)
	for _, name := range []string{"subject", "object"} {
		t.addSpec(name+".0.weight_relation", fanIn(r+w), r, r)
		t.addSpec(name+".0.weight_slot", fanIn(r+w), r, w)
		t.addSpec(name+".0.bias", fanIn(r+w), r)
		t.addLinear(name+".2", r, r)
	}
	inverse := func(y float64) float64 { return math.Log(math.Expm1(y)) }
	t.addSpec("weights", listedValues(inverse(nodeWeight), inverse(relationWeight)), 2)
	t.addSpec("logit_scale", constant(math.Log(1/0.07)))
	return t.specs
}

// addLinear adds a linear layer with PyTorch's default initial values.
func (t *towerSpecs) addLinear(name string, in, out int) {
	t.addSpec(name+".weight", fanIn(in), out, in)
	t.addSpec(name+".bias", fanIn(in), out)
}
