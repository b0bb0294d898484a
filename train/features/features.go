// Package features encodes images and texts with a model that is trained: rows
// of length 1, whose inner products are cosine similarities.
package features

import (
	"errors"
	"fmt"

	"capgraph/kernels"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// Encoder encodes with a model. It is for one goroutine at a time.
type Encoder struct {
	// Parse makes scene graphs of the texts that are scored. Without it, each text is one
	// node.
	Parse Parse

	model        *model.Model
	tokenizer    tokenizer.Tokenizer
	tape         *kernels.Tape
	packer       model.Packer
	ids, lengths []int32
	numbers      []float64

	scores   *kernels.Tape // of an image with graphs
	compared *compared     // texts; nil where there are none
}

// most is how many tokens are encoded at once: of ViT-L/14 a block then makes 0.4 GB.
const most = 1 << 13

// New returns an encoder of a model, whose parameters may change between calls.
func New(m *model.Model, t tokenizer.Tokenizer) *Encoder {
	tape := kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0))
	tape.ForwardOnly, tape.Scratch = true, kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0))
	return &Encoder{model: m, tokenizer: t, tape: tape}
}

// Width is the length of a feature, Side that of an image's side in pixels.
func (e *Encoder) Width() int { return e.model.Config.EmbedDim }

// Side is the length of an image's side in pixels.
func (e *Encoder) Side() int { return e.model.Config.Image.ImageSize }

// LogScale is the logarithm of τ.
func (e *Encoder) LogScale() float64 {
	var x [1]float64
	e.model.Device.Read(x[:], e.model.LogScale().Value)
	return x[0]
}

// Images appends to dst the features of images, side·side·3 bytes each, a row of
// Width after another.
func (e *Encoder) Images(dst []float32, pixels []byte) ([]float32, error) {
	size := 3 * e.Side() * e.Side()
	if len(pixels)%size != 0 {
		return dst, fmt.Errorf("%d bytes are no images of %d × %d pixels", len(pixels), e.Side(), e.Side())
	}
	at := e.model.Config.Image.Within(most) * size
	for len(pixels) > 0 {
		n := min(at, len(pixels))
		e.begin(e.tape)
		dst = e.normal(dst, e.model.EncodeImages(e.tape, e.packer.Images(e.tape.Device, e.model.Config, pixels[:n])))
		pixels = pixels[n:]
	}
	return dst, e.failed()
}

// Texts appends to dst the features of texts, a row of Width after another.
func (e *Encoder) Texts(dst []float32, texts []string) ([]float32, error) {
	e.packed(texts, func(_ int, packed model.Texts) {
		dst = e.normal(dst, e.model.EncodeTexts(e.tape, packed))
	})
	return dst, e.failed()
}

// packed gives encode texts, as many as are encoded at once, with the place of their
// first; the tape is ready.
func (e *Encoder) packed(texts []string, encode func(first int, packed model.Texts)) {
	e.ids, e.lengths = e.ids[:0], e.lengths[:0]
	first := 0
	for i, text := range texts {
		before := len(e.ids)
		e.ids = e.tokenizer.Encode(e.ids, text)
		e.lengths = append(e.lengths, int32(len(e.ids)-before))
		if len(e.ids) < most && i+1 < len(texts) {
			continue
		}
		e.begin(e.tape)
		encode(first, e.packer.Texts(e.tape.Device, e.model.Config, e.ids, e.lengths, model.Room{}))
		e.ids, e.lengths, first = e.ids[:0], e.lengths[:0], i+1
	}
}

// failed is what went wrong on the device, whose features are then of no use.
func (e *Encoder) failed() error {
	err := e.model.Device.Err()
	if errors.Is(err, kernels.ErrMemory) {
		return fmt.Errorf("%w: the model takes more than there is; compute on another device, such as cpu", err)
	}
	return err
}

// normal appends features, brought to length 1.
func (e *Encoder) normal(dst []float32, features *kernels.Var) []float32 {
	for _, v := range e.read(e.tape.Normalize(features).Value) {
		dst = append(dst, float32(v))
	}
	return dst
}
