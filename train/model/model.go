package model

import (
	"fmt"

	"capgraph/kernels"
)

// Model is the parameters of a dual encoder in the memory of a device, and the
// way from pixels and tokens to features.
type Model struct {
	Config Config
	Device kernels.Device
	// Specs describe the parameters, Vars hold them, in the same order.
	Specs []Spec
	Vars  []*kernels.Var

	values, grads kernels.Memory
	halves        kernels.Memory // of the matrices, which linear layers read, where the device halves
	elements      int
	image         imageTower
	text          encoder
	binding       *binding // nil where there is none
	logScale      *kernels.Var
}

// apart is what the parameters' places are multiples of, in elements.
const apart = 32

// New lays out the parameters of a model on a device, all zero. Those of frozen
// towers (ImageTower, TextTower) get no gradient.
func New(d kernels.Device, c Config, frozen ...string) (*Model, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m := &Model{Config: c, Device: d, Specs: Parameters(c)}
	learned := func(s Spec) bool {
		for _, f := range frozen {
			if s.Tower == f {
				return false
			}
		}
		return true
	}
	halved := func(s Spec) bool { return d.Halves() && s.Rows > 1 && s.Rows%8 == 0 && s.Cols%8 == 0 }
	var values, grads, halves int
	for _, s := range m.Specs {
		values += spread(s.Len())
		if learned(s) {
			grads += spread(s.Len())
		}
		if halved(s) {
			halves += spread(s.Len()) / 2
		}
	}
	m.elements = grads
	m.values, m.grads, m.halves = d.Alloc(values), d.Alloc(grads), d.Alloc(halves)
	values, grads, halves = 0, 0, 0
	named := map[string]*kernels.Var{}
	for _, s := range m.Specs {
		value := kernels.Tensor{Rows: s.Rows, Cols: s.Cols, Memory: d.Slice(m.values, values, s.Len())}
		var grad kernels.Tensor
		if learned(s) {
			grad = kernels.Tensor{Rows: s.Rows, Cols: s.Cols, Memory: d.Slice(m.grads, grads, s.Len())}
			grads += spread(s.Len())
		}
		values += spread(s.Len())
		if halved(s) {
			value.Half = d.Slice(m.halves, halves, s.Len()/2).Address
			halves += spread(s.Len()) / 2
		}
		v := kernels.NewParameter(value, grad)
		m.Vars = append(m.Vars, v)
		named[s.Name] = v
	}
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

// spread is how many elements a parameter of n takes.
func spread(n int) int { return (n + apart - 1) / apart * apart }

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

// Learns says whether a tower has parameters that are learned.
func (m *Model) Learns(name string) bool {
	for i, s := range m.Specs {
		if s.Tower == name && m.Vars[i].Needs() {
			return true
		}
	}
	return false
}

// Free gives the memory of the parameters back.
func (m *Model) Free() {
	m.Device.Free(m.values)
	m.Device.Free(m.grads)
	m.Device.Free(m.halves)
}

// encoder is the part of a model that images and texts have alike.
type encoder struct {
	first         *kernels.Var // conv1 or the tokens' embedding
	class         *kernels.Var // of images alone
	positions     *kernels.Var
	before, after norm // before is of images alone
	blocks        []kernels.Work
	projection    *kernels.Var
}

type norm struct{ gain, bias *kernels.Var }

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
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias")} }
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
func blocksOf(named map[string]*kernels.Var, prefix string, layers, heads int, causal bool, act kernels.Activation) (blocks []kernels.Work) {
	for i := range layers {
		at := fmt.Sprintf("%stransformer.resblocks.%d.", prefix, i)
		layerOf := func(name string) layer { return layer{named[at+name+".weight"], named[at+name+".bias"]} }
		normOf := func(name string) norm { return norm{named[at+name+".weight"], named[at+name+".bias"]} }
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
