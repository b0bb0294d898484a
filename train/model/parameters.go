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

// LogitScale is the name of the logarithm of the factor by which similarities are multiplied.
const LogitScale = "logit_scale"

// LogitBias is the name of the bias that a sigmoid adds to similarities.
const LogitBias = "logit_bias"

// PartHead is the name of the head that classifies images into parts of captions, [classes, width of features].
const PartHead = "part_head.weight"

// MaxPartClasses is the maximum number of classes of that head.
const MaxPartClasses = 1 << 20

// SigLIPBias is the initial bias of SigLIP.
const SigLIPBias = -10

// Spec describes one parameter.
type Spec struct {
	// Name is the name in open_clip.
	Name string
	// Shape is the shape in which open_clip stores it; it is empty for a scalar.
	Shape []int
	// Rows and Cols are its shape on the tape, where a matrix is [out, in] and y = x·Wᵀ, and a vector has one row. The
	// kernel that embeds patches, [width, 3, patch, patch], is [width, 3·patch·patch], by channel, row and column.
	Rows, Cols int
	// Transposed says that open_clip stores it as [Cols, Rows].
	Transposed bool
	// Tower is ImageTower, TextTower, BindingTower, or empty for LogitScale, LogitBias
	// and PartHead.
	Tower string
	// Decay says whether weight decay applies to it. As in open_clip, it does not apply to gains, biases, the logit
	// scale and the class embedding.
	Decay bool
	// Block is the number, from 1, of its block in the tower; 0 if it is in no block.
	Block int
	// Pixels is the number of pixels of a convolution's window, 0 for other parameters. Kernels are stored as [out, in,
	// Pixels], and are [out, Pixels, in] on the tape.
	Pixels int
	// Merged says that its columns are those of four patches that a Swin transformer merges. They are stored in column
	// order of the image, and are in row order on the tape: the second and the third patch are exchanged.
	Merged bool
	// Running says that it is a running average of a batch norm, which is updated without a gradient.
	Running bool
	// Resize is how stored position embeddings with another number of rows are resized.
	Resize Resize
	joined string // name of the matrix that it forms with adjacent parameters; "" if none
	law    distribution
}

// Resize is a way to resize position embeddings to another number of rows.
type Resize int

// Fixed: the number of rows must match. Linear: as open_clip's resize_text_pos_embed. The others keep the row of the
// class token and resize those of patches like an image: Antialiased as open_clip's resize_pos_embed, Bicubic as
// Hugging Face's Dinov2Model.
const (
	Fixed Resize = iota
	Linear
	Antialiased
	Bicubic
)

// Len returns the number of elements.
func (s Spec) Len() int { return s.Rows * s.Cols }

// Parameters returns the parameters of a model and its running averages: the image tower first,
// then the text tower, each from its input to its output, the binding, the logit scale, the logit
// bias and the head of parts if there are any.
// The configuration must pass Check.
func Parameters(c Config) []Spec {
	text := towerSpecs{name: TextTower}
	w := c.Text.Width
	scale := 1 / math.Sqrt(float64(w))
	deep := scale / math.Sqrt(float64(2*c.Text.Layers))
	text.addSpec("token_embedding.weight", normal(0.02), c.Text.VocabSize, w)
	text.addPositions("positional_embedding", normal(0.01), Linear, c.Text.ContextLength, w)
	for i := range c.Text.Layers {
		text.addBlock(i, w, c.Text.Hidden(), blockInits{in: normal(scale), out: normal(deep), fc: normal(scale / math.Sqrt2), proj: normal(deep)})
	}
	text.addNorm("ln_final", w)
	if c.Text.ProjBias {
		text.addSpec("text_projection.weight", normal(scale), c.EmbedDim, w)
		text.addSpec("text_projection.bias", constant(0), c.EmbedDim)
	} else {
		text.addProjection("text_projection", normal(scale), w, c.EmbedDim)
	}

	both := towerSpecs{}
	both.addSpec(LogitScale, constant(math.Log(1/0.07)))
	if c.LogitBias != 0 {
		both.addSpec(LogitBias, constant(c.LogitBias))
	}
	if c.PartClasses > 0 {
		both.addSpec(PartHead, normal(1/math.Sqrt(float64(c.EmbedDim))), c.PartClasses, c.EmbedDim)
	}
	image := c.Image.architecture().specs(c)
	return append(append(append(image, text.specs...), bindingParameters(c)...), both.specs...)
}

// CountByTower returns the number of elements of each tower's parameters, without the logit scale,
// which belongs to neither, and without running averages.
func CountByTower(c Config) (image, text int) {
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

// CountAll returns the number of elements of all parameters, without running averages.
func CountAll(c Config) (n int) {
	for _, s := range Parameters(c) {
		if !s.Running {
			n += s.Len()
		}
	}
	return n
}

// towerSpecs collects the parameters of one tower.
type towerSpecs struct {
	name, prefix string
	blockNumber  int // Spec.Block of the parameters that are added
	specs        []Spec
}

// addSpec adds a parameter. Its first dimension is Rows, except that a vector has one row.
func (t *towerSpecs) addSpec(name string, l distribution, shape ...int) {
	s := Spec{Name: t.prefix + name, Shape: shape, Rows: 1, Cols: 1, Tower: t.name, Decay: len(shape) > 1, Block: t.blockNumber, law: l}
	for i, n := range shape {
		if i == 0 && len(shape) > 1 {
			s.Rows = n
		} else {
			s.Cols *= n
		}
	}
	t.specs = append(t.specs, s)
}

// addPositions adds position embeddings, whose shape ends with rows and width.
func (t *towerSpecs) addPositions(name string, l distribution, way Resize, shape ...int) {
	t.addSpec(name, l, shape...)
	s := &t.specs[len(t.specs)-1]
	s.Rows, s.Cols, s.Resize = s.Len()/shape[len(shape)-1], shape[len(shape)-1], way
}

// addProjection adds a matrix that is stored as [in, out].
func (t *towerSpecs) addProjection(name string, l distribution, in, out int) {
	t.addSpec(name, l, in, out)
	s := &t.specs[len(t.specs)-1]
	s.Rows, s.Cols, s.Transposed = out, in, true
}

func (t *towerSpecs) addNorm(name string, width int) {
	t.addSpec(name+".weight", constant(1), width)
	t.addSpec(name+".bias", constant(0), width)
}

// blockInits has the initial distributions of a block's matrices.
type blockInits struct{ in, out, fc, proj distribution }

// addBlock adds the parameters of a transformer's block number i, from 0.
func (t *towerSpecs) addBlock(i, width, hidden int, l blockInits) {
	at := fmt.Sprintf("transformer.resblocks.%d.", i)
	t.blockNumber = i + 1
	t.addNorm(at+"ln_1", width)
	t.addSpec(at+"attn.in_proj_weight", l.in, 3*width, width)
	t.addSpec(at+"attn.in_proj_bias", constant(0), 3*width)
	t.addSpec(at+"attn.out_proj.weight", l.out, width, width)
	t.addSpec(at+"attn.out_proj.bias", constant(0), width)
	t.addNorm(at+"ln_2", width)
	t.addSpec(at+"mlp.c_fc.weight", l.fc, hidden, width)
	t.addSpec(at+"mlp.c_fc.bias", fanIn(width), hidden)
	t.addSpec(at+"mlp.c_proj.weight", l.proj, width, hidden)
	t.addSpec(at+"mlp.c_proj.bias", fanIn(hidden), width)
	t.blockNumber = 0
}
