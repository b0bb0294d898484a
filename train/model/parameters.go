package model

import (
	"fmt"
	"math"
)

// The towers that a parameter may belong to.
const (
	ImageTower = "image"
	TextTower  = "text"
)

// LogitScale is the name of the logarithm of τ, the factor of all similarities.
const LogitScale = "logit_scale"

// Spec describes one parameter.
type Spec struct {
	// Name is the one that open_clip gives it.
	Name string
	// Shape is the one that open_clip stores it in; that of a number is empty.
	Shape []int
	// Rows and Cols are its shape on the tape, where a matrix is [out, in] and
	// y = x·Wᵀ, and a vector has one row. The kernel of the patches, [width, 3,
	// patch, patch], is [width, 3·patch·patch], by channel, row and column.
	Rows, Cols int
	// Transposed says that open_clip stores it as [Cols, Rows].
	Transposed bool
	// Tower is ImageTower, TextTower, BindingTower, or empty for LogitScale.
	Tower string
	// Decay says whether weight decay shrinks it. As in open_clip, gains, biases
	// and the logit scale are left alone, and so is the class embedding.
	Decay bool
	// Block is the number, from 1, of the block of its tower that it is of; 0 of none.
	Block int
	// Pixels is of a convolution how many its window has: its kernels are stored as [out,
	// in, Pixels], and are [out, Pixels, in] on the tape. 0 of all else.
	Pixels int
	// Merged says that its columns are those of four patches that become one: stored by
	// columns of the image, they are by rows on the tape, and so the second and the third
	// change places.
	Merged bool
	// Running says that it is a running average of a batch norm: steps move it, and not by
	// a gradient.
	Running bool
	// Resize says how position embeddings of another number of rows become its.
	Resize Resize
	joint  string // what it is a part of, with those before and after it
	law    law
}

// Resize is a way to bring position embeddings to another number of rows.
type Resize int

// The ways: none, but as many rows as there are; linear, as open_clip's
// resize_text_pos_embed; those of the patches as an image, the class token's as they are:
// bicubic and antialiased, as open_clip's resize_pos_embed, or bicubic as Hugging Face's
// Dinov2Model.
const (
	Fixed Resize = iota
	Linear
	Antialiased
	Bicubic
)

// Len is the number of elements.
func (s Spec) Len() int { return s.Rows * s.Cols }

// Parameters are those of a model and its running averages, the image tower first, each
// tower from its input to its output, then the binding; the logit scale is last. The configuration must Check.
func Parameters(c Config) []Spec {
	text := tower{name: TextTower}
	w := c.Text.Width
	scale := 1 / math.Sqrt(float64(w))
	deep := scale / math.Sqrt(float64(2*c.Text.Layers))
	text.add("token_embedding.weight", normal(0.02), c.Text.VocabSize, w)
	text.positions("positional_embedding", normal(0.01), Linear, c.Text.ContextLength, w)
	for i := range c.Text.Layers {
		text.block(i, w, c.Text.Hidden(), blockLaws{in: normal(scale), out: normal(deep), fc: normal(scale / math.Sqrt2), proj: normal(deep)})
	}
	text.norm("ln_final", w)
	text.project("text_projection", normal(scale), w, c.EmbedDim)

	both := tower{}
	both.add(LogitScale, constant(math.Log(1/0.07)))
	image := c.Image.architecture().parameters(c)
	return append(append(append(image, text.specs...), bindingParameters(c)...), both.specs...)
}

// Count is the number of elements of each tower's parameters, without the logit
// scale, which belongs to neither, and without running averages.
func Count(c Config) (image, text int) {
	for _, s := range Parameters(c) {
		switch {
		case s.Running:
		case s.Tower == ImageTower:
			image += s.Len()
		case s.Tower == TextTower:
			text += s.Len()
		}
	}
	return image, text
}

// Total is the number of elements of all parameters, without running averages.
func Total(c Config) (n int) {
	for _, s := range Parameters(c) {
		if !s.Running {
			n += s.Len()
		}
	}
	return n
}

// tower collects the parameters of one.
type tower struct {
	name, prefix string
	of           int // the block, from 1, that what is added is of; 0 for none
	specs        []Spec
}

// add adds a parameter whose rows on the tape are its first dimension, or which
// is one row where it has no more than one.
func (t *tower) add(name string, l law, shape ...int) {
	s := Spec{Name: t.prefix + name, Shape: shape, Rows: 1, Cols: 1, Tower: t.name, Decay: len(shape) > 1, Block: t.of, law: l}
	for i, n := range shape {
		if i == 0 && len(shape) > 1 {
			s.Rows = n
		} else {
			s.Cols *= n
		}
	}
	t.specs = append(t.specs, s)
}

// positions adds position embeddings, of any shape that ends in rows and width.
func (t *tower) positions(name string, l law, way Resize, shape ...int) {
	t.add(name, l, shape...)
	s := &t.specs[len(t.specs)-1]
	s.Rows, s.Cols, s.Resize = s.Len()/shape[len(shape)-1], shape[len(shape)-1], way
}

// project adds a matrix that is stored as [in, out].
func (t *tower) project(name string, l law, in, out int) {
	t.add(name, l, in, out)
	s := &t.specs[len(t.specs)-1]
	s.Rows, s.Cols, s.Transposed = out, in, true
}

func (t *tower) norm(name string, width int) {
	t.add(name+".weight", constant(1), width)
	t.add(name+".bias", constant(0), width)
}

// blockLaws are what the matrices of a block begin with.
type blockLaws struct{ in, out, fc, proj law }

// block adds a transformer's block of number i.
func (t *tower) block(i, width, hidden int, l blockLaws) {
	at := fmt.Sprintf("transformer.resblocks.%d.", i)
	t.of = i + 1
	t.norm(at+"ln_1", width)
	t.add(at+"attn.in_proj_weight", l.in, 3*width, width)
	t.add(at+"attn.in_proj_bias", constant(0), 3*width)
	t.add(at+"attn.out_proj.weight", l.out, width, width)
	t.add(at+"attn.out_proj.bias", constant(0), width)
	t.norm(at+"ln_2", width)
	t.add(at+"mlp.c_fc.weight", l.fc, hidden, width)
	t.add(at+"mlp.c_fc.bias", fanIn(width), hidden)
	t.add(at+"mlp.c_proj.weight", l.proj, width, hidden)
	t.add(at+"mlp.c_proj.bias", fanIn(hidden), width)
	t.of = 0
}
