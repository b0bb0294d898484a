package loader

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"capgraph/images"
	"capgraph/schemas/drawing"
	"capgraph/store"
)

// Options are the options of Open.
type Options struct {
	Store   store.Store
	Corpora []Corpus
	// Seed and the epoch determine the order and all draws.
	Seed uint64
	// Batch is the number of samples of a batch, over all World processes.
	Batch int
	// Rank is the number of this process, from 0, of World. Its share of a batch is the samples
	// from Rank·Batch/World up to, not including, (Rank+1)·Batch/World. A World of 0 means 1.
	Rank, World int
	// Window is the number of images that are shuffled together. Their texts are in memory.
	Window int
	// Samples is the number of images of an epoch, which is rounded down to whole batches; 0 means
	// all images of the corpora.
	Samples int
	// Replacement draws the images of a window with replacement, rather than each once.
	Replacement bool
	// Neighbours is the name of a file of similar images (see ReadNeighbours), of which one is
	// drawn as the partner of each sample. If it is empty, samples have no partners.
	Neighbours string
	// Graphs adds to each sample the scene graph of its caption. The folder graphs/ must be beside
	// texts/.
	Graphs bool
	// Parts adds to each sample the parts (objects, attributes, relations) that its texts and the
	// captions of its image state, with which one can find the texts that are true of an image.
	Parts bool
	// SameTokens reports whether the text tower reads the same tokens of two texts, because they
	// are equal up to its context length. After the draw, negatives that have the same tokens as
	// their positive are dropped. If nil, none are.
	SameTokens func(a, b string) bool
	// Plan returns which texts are drawn in an epoch. It is called for each batch, in order.
	Plan func(epoch int) Plan
	// Decoder returns a decoder for one worker (images.RandomCrops). Its images are Side × Side
	// pixels.
	Decoder func() Decoder
	Side    int
	// Workers is the number of images that are decoded at the same time, Prefetch the number of
	// batches that are made in advance. Neither changes the batches.
	Workers, Prefetch int
	// Absent has the images that do not exist and are skipped. If nil, Open checks which images
	// exist.
	Absent Absent
	// From is the position of the first batch.
	From Position
}

// Corpus is a folder of texts with their images.
type Corpus struct {
	// Texts is the output folder of a run, or its folder texts/.
	Texts string
	// Images has the images of the texts.
	Images images.Set
	// Weight is how often the corpus is drawn from, in proportion to the others. If all weights are
	// 0, the corpora are read as one, and each image is in an epoch once.
	Weight float64
}

// Decoder decodes images, one after the other.
type Decoder interface {
	// Decode writes side × side × 3 bytes to dst: a random crop of an image. seed, epoch and key
	// determine the crop. name identifies the image among all corpora. read returns the encoded
	// bytes, valid until its next call; a Decode that has the image in a cache need not call it.
	Decode(dst []byte, name string, read func() ([]byte, error), seed, epoch uint64, key string) error
}

// Plan says how many texts of which kinds are drawn for an image.
type Plan struct {
	// Positives and Negatives are the maximum numbers of texts that are drawn as in MosaiCLIP,
	// besides the caption; if Positives is 0, none are. Weights, Bare and Specific are as in
	// drawing.Draw.
	Positives, Negatives int
	Weights              [4]uint64
	Bare, Specific       bool
	// Views says which text is used as the caption.
	Views drawing.Views
	// Paraphrases is the maximum number of paraphrases of an image.
	Paraphrases int
	// Classes are the classes of which negatives of the caption are drawn, one of each, such as
	// drawing.NegCLIPClasses.
	Classes []string
}

// newDraw returns the drawing.Draw of the plan in an epoch.
func (p Plan) newDraw(seed, epoch uint64) drawing.Draw {
	return drawing.Draw{Seed: seed, Epoch: epoch, Positives: p.Positives, Negatives: p.Negatives, Weights: p.Weights, Bare: p.Bare, Specific: p.Specific}
}

// Weights returns the weights of drawing.Classes if negatives are of the caption with probability
// caption, and otherwise of the categories with probabilities p. They are the smallest integers in
// these proportions, rounded to six decimals: p of 0.15, 0.425, 0.425 and a caption of 0.25 give
// 18, 51, 51, 40.
func Weights(p [3]float64, caption float64) (w [4]uint64) {
	divisor := uint64(0)
	for i, share := range [4]float64{p[0] * (1 - caption), p[1] * (1 - caption), p[2] * (1 - caption), caption} {
		w[i] = uint64(math.Round(share * 1e6))
		for a := w[i]; a != 0; {
			divisor, a = a, divisor%a
		}
	}
	for i := range w {
		w[i] /= max(divisor, 1)
	}
	return w
}

// check returns an error for the first option that is invalid.
func (o *Options) check() error {
	switch {
	case len(o.Corpora) == 0:
		return errors.New("there is no corpus to load")
	case o.Batch < 1:
		return fmt.Errorf("a batch of %d samples: want at least 1", o.Batch)
	case o.World < 1 || o.Rank < 0 || o.Rank >= o.World:
		return fmt.Errorf("process %d of %d: want one from 0 to %d", o.Rank, o.World, o.World-1)
	case o.Batch < o.World:
		return fmt.Errorf("a batch of %d samples for %d processes: want at least one for each", o.Batch, o.World)
	case o.Window < 1 || o.Workers < 1 || o.Prefetch < 1:
		return fmt.Errorf("window %d, workers %d, prefetch %d: want at least 1 of each", o.Window, o.Workers, o.Prefetch)
	case o.From.Epoch < 0 || o.From.Step < 0:
		return fmt.Errorf("epoch %d, step %d is not a position", o.From.Epoch, o.From.Step)
	}
	for _, c := range o.Corpora {
		if o.isWeighted() && !(c.Weight > 0 && c.Weight <= math.MaxFloat32) {
			return fmt.Errorf("%s has the weight %v: want one above 0 for each corpus, or none", c.Texts, c.Weight)
		}
	}
	return nil
}

// isWeighted reports whether corpora have weights.
func (o *Options) isWeighted() bool {
	return slices.ContainsFunc(o.Corpora, func(c Corpus) bool { return c.Weight != 0 })
}
