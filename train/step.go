package train

import (
	"fmt"
	"math"
	"slices"

	"capgraph/kernels"
	"capgraph/train/loader"
	"capgraph/train/metrics"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// weighted is an objective with its share of the loss.
type weighted struct {
	objective.Objective
	weight float64
}

// encodeText is what a step asks of a tokenizer: it appends the ids of a text.
type encodeText func(dst []int32, text string) []int32

// stepper computes the loss of a batch and the gradients of a model's parameters.
// The tape is cut at the features of the towers: the loss is one of the whole
// batch, however many chunks the towers take, and however many processes.
type stepper struct {
	share
	model      *model.Model
	objectives []weighted
	tokenize   encodeText
	partners   bool // whether hard-negative images join the batch
	global     bool // whether an objective wants features of whole images and texts

	batch   objective.Batch
	pixels  []byte
	pieces  [][]byte // of pixels: an image each
	ids     []int32  // of all texts
	lengths []int32
	offsets []int

	image, text         encoder
	imagePack, textPack model.Packer
	binder              *binder // nil where no objective wants scores of graphs
	loss                *kernels.Tape
	losses              []*kernels.Var
	weights             []float64
	most                int // tokens of a chunk
	values              []metrics.Value
	names               []string // of the objectives' losses
}

// newStepper returns a stepper that bounds memory, and keeps what it did, as batch
// says.
func newStepper(m *model.Model, tokenize encodeText, objectives []weighted, batch Batch, partners bool) *stepper {
	s := &stepper{model: m, objectives: objectives, tokenize: tokenize, most: batch.ChunkTokens, partners: partners}
	tape := func() *kernels.Tape { return kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0)) }
	for _, o := range objectives {
		s.names = append(s.names, o.Name()+"/loss")
		if _, scored := o.Objective.(*objective.OCCLIP); scored {
			s.binder = &binder{model: m, words: tape(), scores: tape()}
		} else {
			s.global = true
		}
	}
	s.loss = tape()
	_, keeps := m.Device.(kernels.Recorder)
	keeps = keeps && batch.Buckets > 0
	s.image, s.text = s.imageEncoder(tape(), keeps), s.textEncoder(tape(), keeps, batch.Buckets)
	s.follow(&s.image, m.Extent(model.ImageTower))
	s.follow(&s.text, m.Extent(model.TextTower))
	if batch.Recompute == RecomputeBlocks {
		scratch := tape() // one for both: they take turns
		s.image.tape.Scratch, s.text.tape.Scratch = scratch, scratch
	}
	return s
}

// learns says whether what a tower makes is learned, by it or by the binding.
func (s *stepper) learns(tower string) bool {
	return s.model.Learns(tower) || s.binder != nil && s.model.Learns(model.BindingTower)
}

// imageEncoder is the image tower's: features where they are wanted, then what scores
// read of images.
func (s *stepper) imageEncoder(t *kernels.Tape, keeps bool) encoder {
	bytes := 3 * s.model.Config.Image.ImageSize * s.model.Config.Image.ImageSize
	var laid model.Images
	return encoder{
		tape: t, learns: s.learns(model.ImageTower), keeps: keeps, rounds: map[size]*round{},
		size: func(c span) size { return size{rows: c.last - c.first} },
		lay: func(c span, _ model.Room) {
			laid = s.imagePack.Images(t.Device, s.model.Config, s.pixels[c.first*bytes:c.last*bytes])
			laid.Learned = s.model.Learns(model.ImageTower)
		},
		encode: func(t *kernels.Tape) (made []*kernels.Var) {
			tokens := s.model.ImageTokens(t, laid)
			if s.global {
				made = append(made, t.Normalize(s.model.PoolImages(t, tokens, laid)))
			}
			if s.binder != nil {
				made = append(made, s.model.BindPatches(t, tokens, laid).List()...)
			}
			return made
		},
	}
}

// textEncoder is the text tower's: features where they are wanted, then what texts are
// to scores. Its chunks are padded where the device keeps what
// it did of one size for the next of the same.
func (s *stepper) textEncoder(t *kernels.Tape, keeps bool, buckets int) encoder {
	var laid model.Texts
	texts := func(c span) (first, last int) { return s.text.own[0].first + c.first, s.text.own[0].first + c.last }
	return encoder{
		tape: t, learns: s.learns(model.TextTower), keeps: keeps, rounds: map[size]*round{},
		size: func(c span) (z size) {
			if keeps {
				first, last := texts(c)
				z.room = model.RoomFor(s.offsets[last]-s.offsets[first], last-first, s.model.Config.Text.ContextLength, buckets)
			}
			return z
		},
		lay: func(c span, room model.Room) {
			first, last := texts(c)
			laid = s.textPack.Texts(t.Device, s.model.Config, s.ids[s.offsets[first]:s.offsets[last]], s.lengths[first:last], room)
		},
		encode: func(t *kernels.Tape) (made []*kernels.Var) {
			features := s.model.EncodeTexts(t, laid)
			if s.global {
				made = append(made, t.Normalize(features))
			}
			if s.binder != nil {
				nodes, predicates := s.model.BindTexts(t, features)
				made = append(made, nodes, predicates)
			}
			return made
		},
	}
}

// outputs says what the towers make of a batch, in memory of an arena.
func (s *stepper) outputs(a *kernels.Arena) {
	c, image, text := s.model.Config, &s.image, &s.text
	images, texts := len(s.batch.Images), len(s.batch.Texts)
	image.outputs, text.outputs = image.outputs[:0], text.outputs[:0]
	if s.global {
		image.outputs = append(image.outputs, output{Tensor: a.Tensor(images, c.EmbedDim), each: 1})
		text.outputs = append(text.outputs, output{Tensor: a.Tensor(texts, c.EmbedDim), each: 1})
	}
	if s.binder == nil {
		return
	}
	patches := c.Image.Grid() * c.Image.Grid()
	for _, width := range []int{c.Binding.Width, c.Binding.Width, c.Binding.Relation, c.Binding.Relation} {
		image.outputs = append(image.outputs, output{Tensor: a.Tensor(image.count()*patches, width), each: patches, own: true})
	}
	for _, width := range []int{c.Binding.Width, c.Binding.Relation} {
		text.outputs = append(text.outputs, output{Tensor: a.Tensor(texts, width), each: 1})
	}
}

// lay makes a batch of samples, which have their pixels: those of other processes
// have them there.
func (s *stepper) lay(samples []*loader.Sample) {
	s.batch.Begin(samples, s.partners)
	for _, o := range s.objectives {
		o.Lay(&s.batch)
	}
	s.image.own = s.ownImages(s.image.own, &s.batch)
	s.ids, s.lengths, s.offsets = s.ids[:0], s.lengths[:0], append(s.offsets[:0], 0)
	for _, text := range s.batch.Texts {
		before := len(s.ids)
		s.ids = s.tokenize(s.ids, text)
		s.lengths = append(s.lengths, int32(len(s.ids)-before))
		s.offsets = append(s.offsets, len(s.ids))
	}
	text := s.ownTexts(s.offsets)
	s.text.own = append(s.text.own[:0], text)
	s.image.chunks = split(s.image.chunks, s.image.count(), s.most, func(int) int { return s.model.Config.Image.Tokens() })
	s.text.chunks = split(s.text.chunks, s.text.count(), s.most, func(i int) int { return int(s.lengths[text.first+i]) })
}

// join puts the pixels of this process's images one after another.
func (s *stepper) join() {
	s.pieces = s.pieces[:0]
	bytes := 0
	for _, o := range s.image.own {
		for _, image := range s.batch.Images[o.first:o.last] {
			s.pieces = append(s.pieces, image.Pixels)
			bytes += len(image.Pixels)
		}
	}
	s.pixels = slices.Grow(s.pixels[:0], bytes)[:bytes]
	kernels.Join(s.pixels, s.pieces...)
}

// forward computes the loss of what was laid, on the tape s.loss, and returns what the
// towers made too: features where they are wanted, then what scores read.
func (s *stepper) forward() (total *kernels.Var, images, texts []*kernels.Var, err error) {
	t := s.loss
	s.model.Device.Reset()
	t.Reset()
	t.Arena.Empty()
	s.outputs(t.Arena)
	// Texts first: what has memory of its own computes them while pixels are copied.
	if texts, err = s.share.forward(&s.text, t); err != nil {
		return nil, nil, nil, err
	}
	s.join()
	if images, err = s.share.forward(&s.image, t); err != nil {
		return nil, nil, nil, err
	}
	e := objective.Encoded{LogScale: s.model.LogScale()}
	image, text := images, texts
	if s.global {
		e.Image, e.Text, image, text = image[0], text[0], image[1:], text[1:]
	}
	if s.binder != nil {
		if e.Scores, e.Altered, err = s.binder.forward(s, image, text); err != nil {
			return nil, nil, nil, err
		}
	}
	s.losses, s.weights = s.losses[:0], s.weights[:0]
	for _, o := range s.objectives {
		s.losses = append(s.losses, o.Loss(t, e))
		s.weights = append(s.weights, o.weight)
	}
	return t.Sum(s.losses, s.weights), images, texts, nil
}

// gradients adds those of the loss of samples to the parameters', which are zero
// where there are several processes. What the objectives adapt by themselves has
// moved afterwards.
func (s *stepper) gradients(samples []*loader.Sample) (float64, error) {
	s.lay(samples)
	s.left = append(s.left[:0], span{0, s.model.Grads().Len()})
	total, images, texts, err := s.forward()
	if err != nil {
		return 0, err
	}
	loss := read(s.model.Device, total.Value)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return loss, fmt.Errorf("the loss is %v", loss)
	}
	s.loss.Seed(total, kernels.Tensor{})
	s.loss.Backward()
	if s.binder != nil {
		if err := s.binder.backward(s); err != nil {
			return loss, err
		}
	}
	s.share.backward(&s.image, s.loss.Arena, images)
	s.share.backward(&s.text, s.loss.Arena, texts)
	if err := s.sum(s.model); err != nil {
		return loss, err
	}
	if err := s.average(s.model); err != nil {
		return loss, err
	}
	for _, o := range s.objectives {
		o.Learned(s.model.Device)
	}
	return loss, nil
}

// read is the value of a tensor [1, 1].
func read(d kernels.Device, t kernels.Tensor) float64 {
	var v [1]float64
	d.Read(v[:], t)
	return v[0]
}

// terms are the loss of the last step, and what it was made of.
func (s *stepper) terms(loss float64) []metrics.Value {
	values := append(s.values[:0], metrics.Value{Name: metrics.Loss, Number: loss})
	for i, o := range s.objectives {
		if len(s.objectives) > 1 {
			values = append(values, metrics.Value{Name: s.names[i], Number: read(s.model.Device, s.losses[i].Value)})
		}
		for _, term := range o.Terms() {
			values = append(values, metrics.Value{Name: term.Name, Number: read(s.model.Device, term.Value)})
		}
	}
	s.values = values
	return values
}
