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
	model        *model.Model
	tokenizer    tokenizer.Tokenizer
	tape         *kernels.Tape
	packer       model.Packer
	ids, lengths []int32
	numbers      []float64
}

// most is how many tokens are encoded at once: of ViT-L/14 a block then makes 0.4 GB.
const most = 1 << 13

// New returns an encoder of a model, whose parameters may change between calls.
func New(m *model.Model, t tokenizer.Tokenizer) *Encoder {
	tape := kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0))
	tape.Forward, tape.Scratch = true, kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0))
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
	at := max(1, most/e.model.Config.Image.Tokens()) * size
	for len(pixels) > 0 {
		n := min(at, len(pixels))
		dst = e.rows(dst, func(t *kernels.Tape) *kernels.Var {
			return e.model.EncodeImages(t, e.packer.Images(t.Device, e.model.Config, pixels[:n]))
		})
		pixels = pixels[n:]
	}
	return dst, e.failed()
}

// Texts appends to dst the features of texts, a row of Width after another.
func (e *Encoder) Texts(dst []float32, texts []string) ([]float32, error) {
	e.ids, e.lengths = e.ids[:0], e.lengths[:0]
	flush := func() {
		if len(e.lengths) > 0 {
			dst = e.rows(dst, func(t *kernels.Tape) *kernels.Var {
				return e.model.EncodeTexts(t, e.packer.Texts(t.Device, e.model.Config, e.ids, e.lengths, model.Room{}))
			})
		}
		e.ids, e.lengths = e.ids[:0], e.lengths[:0]
	}
	for _, text := range texts {
		before := len(e.ids)
		e.ids = e.tokenizer.Encode(e.ids, text)
		e.lengths = append(e.lengths, int32(len(e.ids)-before))
		if len(e.ids) >= most {
			flush()
		}
	}
	flush()
	return dst, e.failed()
}

// failed is what went wrong on the device, whose features are then of no use.
func (e *Encoder) failed() error {
	err := e.model.Device.Err()
	if errors.Is(err, kernels.ErrMemory) {
		return fmt.Errorf("%w: the model takes more than there is; compute on another device, such as cpu", err)
	}
	return err
}

// rows encodes a part and appends its features.
func (e *Encoder) rows(dst []float32, encode func(*kernels.Tape) *kernels.Var) []float32 {
	e.tape.Reset()
	e.tape.Arena.Empty()
	e.model.Device.Reset()
	y := e.tape.Normalize(encode(e.tape)).Value
	e.numbers = append(e.numbers[:0], make([]float64, y.Len())...)
	e.model.Device.Read(e.numbers, y)
	for _, v := range e.numbers {
		dst = append(dst, float32(v))
	}
	return dst
}
