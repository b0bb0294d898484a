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

// weightedObjective is an objective with its weight in the loss.
type weightedObjective struct {
	objective.Objective
	weight float64
}

// tokenizeFunc appends the token ids of a text to dst.
type tokenizeFunc func(dst []int32, text string) []int32

// stepper computes the loss of a batch and the gradients of a model's parameters. The towers and the loss have separate
// tapes, so that there is one loss for the whole batch, whatever the number of chunks and processes.
type stepper struct {
	parallel    dataParallel
	model       *model.Model
	objectives  []weightedObjective
	tokenize    tokenizeFunc
	usePartners bool // hard-negative images join the batch
	useFeatures bool // an objective needs features of whole images and texts
	usePatches  bool // an objective needs features of patches
	useTokens   bool // an objective needs features of tokens

	batch   objective.Batch
	pixels  []byte
	pieces  [][]byte // the pixels of each image
	ids     []int32  // of all texts
	lengths []int32
	offsets []int

	image, text         towerEncoder
	imagePack, textPack model.Packer
	scorer              *graphScorer // nil if no objective needs scores of graphs
	teacher             *stepper     // nil without distill
	loss                *kernels.Tape
	losses              []*kernels.Var
	weights             []float64
	maxChunkTokens      int // maximum number of tokens of a chunk
	values              []metrics.Value
	lossNames           []string // names of the objectives' losses in the metrics
}

// newStepper returns a stepper. batch has the size of chunks, and says whether blocks are recomputed and chunks
// recorded.
func newStepper(m *model.Model, tokenize tokenizeFunc, objectives []weightedObjective, batch Batch, partners bool) *stepper {
	s := &stepper{model: m, objectives: objectives, tokenize: tokenize, maxChunkTokens: batch.ChunkTokens, usePartners: partners}
	tape := func() *kernels.Tape { return kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0)) }
	for _, o := range objectives {
		s.lossNames = append(s.lossNames, o.Name()+"/loss")
		if _, scored := o.Objective.(*objective.OCCLIP); scored {
			s.scorer = &graphScorer{model: m, wordTape: tape(), scoreTape: tape()}
		} else {
			s.useFeatures = true
		}
		if r, ok := o.Objective.(objective.PatchReader); ok {
			s.usePatches, s.useTokens = s.usePatches || r.ReadsPatches(), s.useTokens || r.ReadsTokens()
		}
	}
	s.loss = tape()
	_, keeps := m.Device.(kernels.Recorder)
	keeps = keeps && batch.Buckets > 0
	s.image, s.text = s.imageEncoder(tape(), keeps), s.textEncoder(tape(), keeps, batch.Buckets)
	s.parallel.cards.overlapAllReduce(&s.image, m.Extent(model.ImageTower))
	s.parallel.cards.overlapAllReduce(&s.text, m.Extent(model.TextTower))
	if batch.Recompute == RecomputeBlocks {
		scratch := tape() // shared: the towers take turns
		s.image.tape.Scratch, s.text.tape.Scratch = scratch, scratch
	}
	return s
}

// needsGradients reports whether the tower, or the binding that reads its outputs, is trained.
func (s *stepper) needsGradients(tower string) bool {
	return s.model.IsTrainable(tower) || s.scorer != nil && s.model.IsTrainable(model.BindingTower)
}

// imageEncoder returns the encoder of images. Its outputs are, as far as objectives need them: features, features of
// patches, and the inputs of graph scores.
func (s *stepper) imageEncoder(t *kernels.Tape, keeps bool) towerEncoder {
	bytes := 3 * s.model.Config.Image.ImageSize * s.model.Config.Image.ImageSize
	var laid model.Images
	s.imagePack.WithPatches = s.usePatches
	return towerEncoder{
		tape: t, needsGradients: s.needsGradients(model.ImageTower), records: keeps, recordings: map[chunkShape]*recordedChunk{},
		shapeOf: func(c span) chunkShape { return chunkShape{rows: c.last - c.first} },
		load: func(c span, _ model.Room) {
			laid = s.imagePack.Images(t.Device, s.model.Config, s.pixels[c.first*bytes:c.last*bytes])
			laid.Learned = s.model.IsTrainable(model.ImageTower)
		},
		encode: func(t *kernels.Tape) (made []*kernels.Var) {
			tokens := s.model.ImageTokens(t, laid)
			if s.useFeatures {
				made = append(made, t.Normalize(s.model.PoolImages(t, tokens, laid)))
			}
			if s.usePatches {
				made = append(made, s.model.PatchFeatures(t, tokens, laid))
			}
			if s.scorer != nil {
				made = append(made, s.model.BindPatches(t, tokens, laid).List()...)
			}
			return made
		},
	}
}

// textEncoder returns the encoder of texts. Its outputs are, as far as objectives need them: features, features of
// tokens, and the inputs of graph scores. If the device records, chunks are padded to one of a few sizes, so that they
// share recordings.
func (s *stepper) textEncoder(t *kernels.Tape, keeps bool, buckets int) towerEncoder {
	var laid model.Texts
	texts := func(c span) (first, last int) {
		return s.text.ownRows[0].first + c.first, s.text.ownRows[0].first + c.last
	}
	return towerEncoder{
		tape: t, needsGradients: s.needsGradients(model.TextTower), records: keeps, recordings: map[chunkShape]*recordedChunk{},
		shapeOf: func(c span) (z chunkShape) {
			if keeps {
				first, last := texts(c)
				z.room = model.RoomFor(s.offsets[last]-s.offsets[first], last-first, s.model.Config.Text.ContextLength, buckets)
			}
			return z
		},
		load: func(c span, room model.Room) {
			first, last := texts(c)
			laid = s.textPack.Texts(t.Device, s.model.Config, s.ids[s.offsets[first]:s.offsets[last]], s.lengths[first:last], room)
		},
		encode: func(t *kernels.Tape) (made []*kernels.Var) {
			tokens := s.model.TextTokens(t, laid)
			features := s.model.PoolTexts(t, tokens, laid)
			if s.useFeatures {
				made = append(made, t.Normalize(features))
			}
			if s.useTokens {
				made = append(made, s.model.TokenFeatures(t, tokens))
			}
			if s.scorer != nil {
				nodes, predicates := s.model.BindTexts(t, features)
				made = append(made, nodes, predicates)
			}
			return made
		},
	}
}

// allocateOutputs allocates the towers' outputs in an arena.
func (s *stepper) allocateOutputs(a *kernels.Arena) {
	c, image, text := s.model.Config, &s.image, &s.text
	images, texts := len(s.batch.Images), len(s.batch.Texts)
	image.outputs, text.outputs = image.outputs[:0], text.outputs[:0]
	if s.useFeatures {
		image.outputs = append(image.outputs, output{Tensor: a.Tensor(images, c.EmbedDim), rowsEach: 1})
		text.outputs = append(text.outputs, output{Tensor: a.Tensor(texts, c.EmbedDim), rowsEach: 1})
	}
	if s.usePatches {
		patches := c.Image.Patches()
		image.outputs = append(image.outputs, output{Tensor: a.Tensor(images*patches, c.EmbedDim), rowsEach: patches})
	}
	if s.useTokens {
		own := text.ownRows[0]
		text.outputs = append(text.outputs, output{Tensor: a.Tensor(s.offsets[texts], c.EmbedDim), tokenStarts: s.offsets[own.first : own.last+1]})
	}
	if s.scorer == nil {
		return
	}
	patches := c.Image.Patches()
	for _, width := range []int{c.Binding.Width, c.Binding.Width, c.Binding.Relation, c.Binding.Relation} {
		image.outputs = append(image.outputs, output{Tensor: a.Tensor(image.ownCount()*patches, width), rowsEach: patches, ownOnly: true})
	}
	for _, width := range []int{c.Binding.Width, c.Binding.Relation} {
		text.outputs = append(text.outputs, output{Tensor: a.Tensor(texts, width), rowsEach: 1})
	}
}

// loadBatch sets s.batch to a batch of samples, whose texts it tokenizes. The pixels of a sample are in one process.
func (s *stepper) loadBatch(samples []*loader.Sample) {
	s.batch.Begin(samples, s.usePartners)
	for _, o := range s.objectives {
		o.Prepare(&s.batch)
	}
	s.image.ownRows = s.parallel.ownImageRows(s.image.ownRows, &s.batch)
	s.ids, s.lengths, s.offsets = s.ids[:0], s.lengths[:0], append(s.offsets[:0], 0)
	for _, text := range s.batch.Texts {
		before := len(s.ids)
		s.ids = s.tokenize(s.ids, text)
		s.lengths = append(s.lengths, int32(len(s.ids)-before))
		s.offsets = append(s.offsets, len(s.ids))
	}
	text := s.parallel.ownTextRows(s.offsets)
	s.text.ownRows = append(s.text.ownRows[:0], text)
	s.image.chunks = splitChunks(s.image.chunks, s.image.ownCount(), s.maxChunkTokens, func(int) int { return s.model.Config.Image.Tokens() })
	s.text.chunks = splitChunks(s.text.chunks, s.text.ownCount(), s.maxChunkTokens, func(i int) int { return int(s.lengths[text.first+i]) })
}

// joinPixels copies the pixels of this process's images to s.pixels, one after another.
func (s *stepper) joinPixels() {
	s.pieces = s.pieces[:0]
	bytes := 0
	for _, o := range s.image.ownRows {
		for _, image := range s.batch.Images[o.first:o.last] {
			s.pieces = append(s.pieces, image.Pixels)
			bytes += len(image.Pixels)
		}
	}
	s.pixels = slices.Grow(s.pixels[:0], bytes)[:bytes]
	kernels.CopyPieces(s.pixels, s.pieces...)
}

// computeLoss computes the loss of the loaded batch on the tape s.loss. It also returns the towers' outputs, see
// imageEncoder and textEncoder.
func (s *stepper) computeLoss() (total *kernels.Var, images, texts []*kernels.Var, err error) {
	t := s.loss
	s.model.Device.Reset()
	t.Reset()
	t.Arena.Reset()
	s.allocateOutputs(t.Arena)
	// Texts first: a device with its own memory encodes them while the host copies pixels.
	if texts, err = s.parallel.forwardTower(&s.text, t); err != nil {
		return nil, nil, nil, err
	}
	s.joinPixels()
	if images, err = s.parallel.forwardTower(&s.image, t); err != nil {
		return nil, nil, nil, err
	}
	e := objective.Features{LogScale: s.model.LogScale(), LogitBias: s.model.LogitBias(), PartHead: s.model.PartHead()}
	image, text := images, texts
	if s.useFeatures {
		e.Image, e.Text, image, text = image[0], text[0], image[1:], text[1:]
	}
	if s.usePatches {
		e.Patches, image = image[0], image[1:]
	}
	if s.useTokens {
		e.Tokens, e.TokenStarts, text = text[0], s.offsets, text[1:]
	}
	if s.scorer != nil {
		if e.Scores, e.Altered, err = s.scorer.forward(s, image, text); err != nil {
			return nil, nil, nil, err
		}
	}
	if err := s.encodeTeacher(t, &e); err != nil {
		return nil, nil, nil, err
	}
	s.losses, s.weights = s.losses[:0], s.weights[:0]
	for _, o := range s.objectives {
		s.losses = append(s.losses, o.Loss(t, e))
		s.weights = append(s.weights, o.weight)
	}
	return t.Sum(s.losses, s.weights), images, texts, nil
}

// lossError is the error of a step whose loss is not finite.
type lossError struct{ loss float64 }

func (e *lossError) Error() string { return fmt.Sprintf("the loss is %v", e.loss) }

// computeGradients returns the loss of the samples and adds its gradients to those of the parameters, which must be
// zero before if there are several processes. It calls AfterStep of the objectives at the end.
func (s *stepper) computeGradients(samples []*loader.Sample) (float64, error) {
	s.loadBatch(samples)
	s.parallel.cards.beginStep(s.model.Gradients().Len())
	total, images, texts, err := s.computeLoss()
	if err != nil {
		return 0, err
	}
	loss := readScalar(s.model.Device, total.Value)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return loss, &lossError{loss}
	}
	s.loss.Seed(total, kernels.Tensor{})
	s.loss.Backward()
	if s.scorer != nil {
		if err := s.scorer.backward(s); err != nil {
			return loss, err
		}
	}
	s.parallel.backwardTower(&s.image, s.loss.Arena, images)
	s.parallel.backwardTower(&s.text, s.loss.Arena, texts)
	if err := s.parallel.sumGradients(s.model); err != nil {
		return loss, err
	}
	if err := s.parallel.averageBatchNorms(s.model); err != nil {
		return loss, err
	}
	for _, o := range s.objectives {
		o.AfterStep(s.model.Device)
	}
	return loss, nil
}

// readScalar returns the value of a tensor [1, 1].
func readScalar(d kernels.Device, t kernels.Tensor) float64 {
	var v [1]float64
	d.Read(v[:], t)
	return v[0]
}

// lossValues returns the loss of the last step and its components as metrics.
func (s *stepper) lossValues(loss float64) []metrics.Value {
	values := append(s.values[:0], metrics.Value{Name: metrics.Loss, Number: loss})
	for i, o := range s.objectives {
		if len(s.objectives) > 1 {
			values = append(values, metrics.Value{Name: s.lossNames[i], Number: readScalar(s.model.Device, s.losses[i].Value)})
		}
		for _, term := range o.Metrics() {
			values = append(values, metrics.Value{Name: term.Name, Number: readScalar(s.model.Device, term.Value)})
		}
	}
	s.values = values
	return values
}
