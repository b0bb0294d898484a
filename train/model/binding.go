package model

import (
	"fmt"
	"math"
)

// BindingTower is what parameters of the binding are of.
const BindingTower = "binding"

// BindingScale is the name of the logarithm of τ of structured scores.
const BindingScale = "binding.logit_scale"

// Binding is OC-CLIP's module between the towers (§3, table 11): the nodes of a scene
// graph compete for an image's patches, and what each got is compared with it. The
// zero value is none.
type Binding struct {
	// Width is that of patches, queries and slots; Relation that of predicates, and of
	// what the slots of subject and object become.
	Width    int `json:"width"`
	Relation int `json:"relation_width"`
	// Layers and Heads are those of the blocks that patches pass first.
	Layers int `json:"layers"`
	Heads  int `json:"heads"`
	// Defaults is how many learned queries take what no node does.
	Defaults int `json:"default_tokens"`
}

// None says whether there is no binding.
func (b Binding) None() bool { return b == Binding{} }

// check tells whether the numbers fit each other.
func (b Binding) check() error {
	if b.None() {
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

// WithoutBinding is the configuration of the towers alone, which is all that open_clip
// knows of.
func (c Config) WithoutBinding() Config {
	c.Binding = Binding{}
	return c
}

// What the two weights of structured scores begin with (table 11), before the softplus.
const (
	nodeWeight     = 1.5
	relationWeight = 0.5
)

// bindingParameters are those of the binding, from the image to the score.
func bindingParameters(c Config) []Spec {
	b := c.Binding
	if b.None() {
		return nil
	}
	w, r, patches := b.Width, b.Relation, c.Image.Grid()*c.Image.Grid()
	t := tower{name: BindingTower, prefix: "binding."}
	t.layer("patches.0", c.Image.Width, w)
	t.layer("patches.2", w, w)
	t.add("patch_positions", normal(1), patches, w)
	for i := range b.Layers {
		t.block(i, w, 2*w, blockLaws{in: uniform(math.Sqrt(6 / float64(4*w))), out: fanIn(w), fc: fanIn(w), proj: fanIn(2 * w)})
	}
	for _, name := range []string{"keys", "values"} {
		t.layer(name, w, w)
		t.norm(name+"_ln", w)
		t.add(name+"_proj", fanIn(w), w, w)
	}
	t.add("nodes_proj", fanIn(c.EmbedDim), w, c.EmbedDim)
	t.add("relations_proj", fanIn(c.EmbedDim), r, c.EmbedDim)
	t.add("default_tokens", normal(1), max(b.Defaults, 1), w)
	t.norm("queries_ln", w)
	t.add("queries_proj", fanIn(w), w, w)
	for _, name := range []string{"subject", "object"} {
		t.add(name+".0.weight_relation", fanIn(r+w), r, r)
		t.add(name+".0.weight_slot", fanIn(r+w), r, w)
		t.add(name+".0.bias", fanIn(r+w), r)
		t.layer(name+".2", r, r)
	}
	inverse := func(y float64) float64 { return math.Log(math.Expm1(y)) }
	t.add("weights", listed(inverse(nodeWeight), inverse(relationWeight)), 2)
	t.add("logit_scale", constant(math.Log(1/0.07)))
	return t.specs
}

// layer adds a linear layer with the defaults of PyTorch's.
func (t *tower) layer(name string, in, out int) {
	t.add(name+".weight", fanIn(in), out, in)
	t.add(name+".bias", fanIn(in), out)
}
