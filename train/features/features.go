// Package features encodes images and texts with a trained model: rows of length 1, whose inner
// products are cosine similarities.
//
// [Open] opens a model. An [Encoder] encodes pixels and texts, a [Folder] the images of a
// benchmark, and a [Table] writes features as Parquet.
package features

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"capgraph/kernels"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// Encoder encodes images and texts with a model. It is for one goroutine at a time.
type Encoder struct {
	// Parse returns the scene graphs of texts, for Scores. If nil, each text is a graph of one
	// node.
	Parse Parse
	// MaxPixels is the maximum number of pixels of an image; 0 stands for images.DefaultMaxPixels.
	MaxPixels int

	model        *model.Model
	tokenizer    tokenizer.Tokenizer
	tape         *kernels.Tape
	packer       model.Packer
	ids, lengths []int32
	numbers      []float64

	scores   *kernels.Tape  // tape on which an image is compared with graphs
	prepared *preparedTexts // the texts of the last Scores; nil if there are none
}

// maxTokens is about how many tokens are encoded at once: the results of a block of ViT-L/14 then
// take 0.4 GB.
const maxTokens = 1 << 13

// New returns an encoder for a model. The model's parameters may change between calls.
func New(m *model.Model, t tokenizer.Tokenizer) *Encoder {
	tape := kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0))
	tape.ForwardOnly, tape.Scratch = true, kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0))
	return &Encoder{model: m, tokenizer: t, tape: tape}
}

// Width returns the number of elements of a feature.
func (e *Encoder) Width() int { return e.model.Config.EmbedDim }

// Side returns the length of an image's side in pixels.
func (e *Encoder) Side() int { return e.model.Config.Image.ImageSize }

// LogScale returns CLIP's logit scale: the logarithm of the factor by which similarities are
// multiplied before the softmax.
func (e *Encoder) LogScale() float64 {
	var x [1]float64
	e.model.Device.Read(x[:], e.model.LogScale().Value)
	return x[0]
}

// AppendImages appends to dst the features of images, in rows of Width. pixels has Side·Side·3
// bytes for each image.
func (e *Encoder) AppendImages(dst []float32, pixels []byte) ([]float32, error) {
	size := 3 * e.Side() * e.Side()
	if len(pixels)%size != 0 {
		return dst, fmt.Errorf("%d bytes are not images of %d × %d pixels", len(pixels), e.Side(), e.Side())
	}
	at, first := e.model.Config.Image.ImagesWithin(maxTokens)*size, len(dst)
	for len(pixels) > 0 {
		n := min(at, len(pixels))
		e.resetTape(e.tape)
		dst = e.appendNormalised(dst, e.model.EncodeImages(e.tape, e.packer.Images(e.tape.Device, e.model.Config, pixels[:n])))
		pixels = pixels[n:]
	}
	return dst, cmp.Or(e.deviceError(), e.checkFinite(dst[first:], "image"))
}

// AppendTexts appends to dst the features of texts, in rows of Width.
func (e *Encoder) AppendTexts(dst []float32, texts []string) ([]float32, error) {
	first := len(dst)
	e.eachPack(texts, func(_ int, packed model.Texts) {
		dst = e.appendNormalised(dst, e.model.EncodeTexts(e.tape, packed))
	})
	return dst, cmp.Or(e.deviceError(), e.checkFinite(dst[first:], "text"))
}

// eachPack splits texts into packs of about maxTokens tokens and calls encode for each, with the
// index of its first text. The tape is empty at each call.
func (e *Encoder) eachPack(texts []string, encode func(first int, packed model.Texts)) {
	e.ids, e.lengths = e.ids[:0], e.lengths[:0]
	first := 0
	for i, text := range texts {
		before := len(e.ids)
		e.ids = e.tokenizer.Encode(e.ids, text)
		e.lengths = append(e.lengths, int32(len(e.ids)-before))
		if len(e.ids) < maxTokens && i+1 < len(texts) {
			continue
		}
		e.resetTape(e.tape)
		encode(first, e.packer.Texts(e.tape.Device, e.model.Config, e.ids, e.lengths, model.Room{}))
		e.ids, e.lengths, first = e.ids[:0], e.lengths[:0], i+1
	}
}

// deviceError returns the error of the device, if it has one. Features that it computed are then
// invalid.
func (e *Encoder) deviceError() error {
	err := e.model.Device.Err()
	if errors.Is(err, kernels.ErrMemory) {
		return fmt.Errorf("%w: the model takes more than there is; compute on another device, such as cpu", err)
	}
	return err
}

// checkFinite returns an error if a number in rows, the features of a batch, is not finite. of is
// "image" or "text".
func (e *Encoder) checkFinite(rows []float32, of string) error {
	for i, x := range rows {
		if x != x || x > math.MaxFloat32 || x < -math.MaxFloat32 {
			return fmt.Errorf("the features of %s %d of the batch are not finite: the weights are damaged, or too large for the precision", of, i/e.Width()+1)
		}
	}
	return nil
}

// appendNormalised appends features to dst, each scaled to length 1.
func (e *Encoder) appendNormalised(dst []float32, features *kernels.Var) []float32 {
	for _, v := range e.readTensor(e.tape.Normalize(features).Value) {
		dst = append(dst, float32(v))
	}
	return dst
}
