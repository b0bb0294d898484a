package model

import (
	"fmt"
	"slices"

	"capgraph/kernels"
)

// Model is the parameters of a dual encoder in the memory of a device, and the
// way from pixels and tokens to features.
type Model struct {
	Config Config
	Device kernels.Device
	// Specs describe the parameters and running averages, Vars hold them, in the same order.
	Specs []Spec
	Vars  []*kernels.Var

	memory
	elements, averaged int // of gradients and of running averages
	image              imageTower
	text               encoder
	binding            *binding // nil where there is none
	logScale           *kernels.Var
}

// New lays out the parameters of a model on a device, all zero. Those of frozen
// towers (ImageTower, TextTower) get no gradient.
func New(d kernels.Device, c Config, frozen ...string) (*Model, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m := &Model{Config: c, Device: d, Specs: Parameters(c)}
	learned := func(s Spec) bool { return !s.Running && !slices.Contains(frozen, s.Tower) }
	halved := func(s Spec) bool { return d.UsesHalf() && s.Rows > 1 && s.Rows%8 == 0 && s.Cols%8 == 0 }
	var all place
	var places []place
	for _, s := range m.Specs {
		places = append(places, all.take(s, learned(s), halved(s)))
	}
	m.elements, m.averaged = all.grad, all.average
	m.memory = memory{values: d.Alloc(all.value), grads: d.Alloc(all.grad), halves: d.Alloc(all.half), averages: d.Alloc(all.average)}
	named := map[string]*kernels.Var{}
	for i, s := range m.Specs {
		v := m.variable(d, places[i], s.Rows, s.Cols)
		m.Vars = append(m.Vars, v)
		named[s.Name] = v
	}
	m.joints(d, m.Specs, places, named)
	m.image = c.Image.architecture().tower(named, c)
	m.text = encoderOf(named, "", c.Text.Layers, c.Text.Heads, true, c.activation())
	m.binding = bindingOf(named, c)
	m.logScale = named[LogitScale]
	return m, nil
}

// activation is that of the MLPs of transformers.
func (c Config) activation() kernels.Activation {
	if c.QuickGELU {
		return kernels.QuickGELU
	}
	return kernels.GELU
}

// Initialise gives all parameters what they begin with.
func (m *Model) Initialise(seed uint64) {
	var values []float64
	for i, s := range m.Specs {
		values = append(values[:0], make([]float64, s.Len())...)
		s.Initialise(seed, values)
		m.Device.Write(m.Vars[i].Value, values)
	}
}

// LogScale is the logarithm of τ, [1, 1].
func (m *Model) LogScale() *kernels.Var { return m.logScale }

// Grads are the gradients of all parameters that have one, as one vector, with
// zeros between them.
func (m *Model) Grads() kernels.Tensor {
	return kernels.Tensor{Rows: 1, Cols: m.elements, Memory: m.grads}
}

// Averages are the running averages of the image tower's batch norms as one vector, with
// zeros between them; none where it has none, or they do not move because it is frozen.
func (m *Model) Averages() kernels.Tensor {
	if m.averaged == 0 || !m.Learns(ImageTower) {
		return kernels.Tensor{}
	}
	return kernels.Tensor{Rows: 1, Cols: m.averaged, Memory: m.averages}
}

// Learns says whether a tower has parameters that are learned.
func (m *Model) Learns(name string) bool {
	for i, s := range m.Specs {
		if s.Tower == name && m.Vars[i].NeedsGrad() {
			return true
		}
	}
	return false
}

// Free gives the memory of the parameters back.
func (m *Model) Free() {
	for _, of := range []kernels.Memory{m.values, m.grads, m.halves, m.averages} {
		m.Device.Free(of)
	}
}

// encoder is the part of a model that images and texts have alike.
type encoder struct {
	first         *kernels.Var // conv1 or the tokens' embedding
	class         *kernels.Var // of images alone
	positions     *kernels.Var
	before, after norm // before is of images alone
	blocks        []kernels.PartFunc
	projection    *kernels.Var
}

type norm struct {
	gain, bias *kernels.Var
	eps        float64 // added to variances
}

type layer struct{ weight, bias *kernels.Var }

// block is a residual attention block with layer norms before its halves.
type block struct {
	one, two          norm
	in, out, fc, proj layer
	heads             int
	causal            bool
	activation        kernels.Activation
}

func encoderOf(named map[string]*kernels.Var, prefix string, layers, heads int, causal bool, act kernels.Activation) encoder {
	get := func(name string) *kernels.Var {
		v, ok := named[name]
		if !ok {
			panic(fmt.Sprintf("model: no parameter %s", name))
		}
		return v
	}
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias"), normEps} }
	t := encoder{positions: get(prefix + "positional_embedding")}
	if causal {
		t.first, t.after, t.projection = get("token_embedding.weight"), normOf("ln_final"), get("text_projection")
	} else {
		t.first, t.class, t.projection = get(prefix+"conv1.weight"), get(prefix+"class_embedding"), get(prefix+"proj")
		t.before, t.after = normOf(prefix+"ln_pre"), normOf(prefix+"ln_post")
	}
	t.blocks = blocksOf(named, prefix, layers, heads, causal, act)
	return t
}

// blocksOf finds the blocks of a transformer.
func blocksOf(named map[string]*kernels.Var, prefix string, layers, heads int, causal bool, act kernels.Activation) (blocks []kernels.PartFunc) {
	for i := range layers {
		at := fmt.Sprintf("%stransformer.resblocks.%d.", prefix, i)
		layerOf := func(name string) layer { return layer{named[at+name+".weight"], named[at+name+".bias"]} }
		normOf := func(name string) norm { return norm{named[at+name+".weight"], named[at+name+".bias"], normEps} }
		b := &block{
			one: normOf("ln_1"), two: normOf("ln_2"),
			in:  layer{named[at+"attn.in_proj_weight"], named[at+"attn.in_proj_bias"]},
			out: layerOf("attn.out_proj"), fc: layerOf("mlp.c_fc"), proj: layerOf("mlp.c_proj"),
			heads: heads, causal: causal, activation: act,
		}
		blocks = append(blocks, b.on)
	}
	return blocks
}
