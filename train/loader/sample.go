package loader

import (
	"time"

	"capgraph/scenegraph"
	"capgraph/schemas/drawing"
)

// Text is a text with its pos_id (docs/format.md). Texts with the same ID have the same meaning.
//
// Parts are the hashes of the parts that it states (docs/format.md), ascending. They are empty if these are not known,
// or without Options.Parts. Confidence is the probability that a human calls the text good.
type Text struct {
	Text       string
	ID         int64
	Parts      []int32
	Confidence float32
}

// Negative is a text that is false of its image. Its ID is the one that a positive with the same text has.
type Negative struct {
	Text  string
	ID    int64
	Parts []int32 // as in Text
	// Of is the index, in the sample's Positives, of the text that it perturbs. In CaptionNegatives it is 0, for the
	// caption.
	Of int
	// Class is the index of its class: in drawing.Classes or, for CaptionNegatives, in the plan's Classes.
	Class int
	// Margin is its margin as a share of the largest one, from 0 to 1: the Confidence of the text that it perturbs
	// times the concreteness of the changed words (drawing.Concreteness).
	Margin float32
}

// Sample is an image with its texts in an epoch.
type Sample struct {
	// Key is the key of the row, ImageKey the key of the image.
	Key, ImageKey string
	// Corpus is the index of its corpus.
	Corpus int
	// Caption is the text of the drawn row, or the part of it that the plan's Views draw.
	Caption Text
	// Sibling is another caption of the image with another meaning. It is empty if there is none.
	Sibling Text
	// Positives and Negatives are drawn as MosaiCLIP draws them (drawing.Draw). The caption is
	// the first positive. Both are empty if the plan draws none.
	Positives []Text
	Negatives []Negative
	// Paraphrases are pairs of a positive of the row and its paraphrase, in the row's order, at most Plan.Paraphrases.
	Paraphrases [][2]Text
	// CaptionNegatives are negatives of the caption, at most one of each of the plan's Classes, in the order of these.
	CaptionNegatives []Negative
	// Cut counts the drawn negatives that were dropped by Options.SameTokens.
	Cut int
	// Graph is the scene graph of the caption, with words as nodes. Altered perturbs one of its relations. Both are
	// empty unless Options.Graphs is set.
	Graph   scenegraph.WordGraph
	Altered drawing.Perturbation
	// Known has the ids of all texts in the rows of the image that are true of it, ascending.
	Known []int64
	// KnownParts has the hashes of all parts that the captions of the image state, ascending. It is empty without
	// Options.Parts.
	KnownParts []int32
	// Pixels are side × side × 3 bytes, row by row, red, green and blue. They are nil if the image
	// is missing or broken, or belongs to another process.
	Pixels []byte
	// Err is the reason why Pixels are nil although the image belongs to this process. It wraps fs.ErrNotExist if the
	// image does not exist.
	Err error
	// Partner is the sample of a similar image, nil without Options.Neighbours. If it is nil with Options.Neighbours,
	// PartnerErr is the reason.
	Partner    *Sample
	PartnerErr error
}

// Batch is the input of a step: the samples of all processes, with all their texts. It is valid
// until it is released.
type Batch struct {
	// Position is the position of the batch.
	Position
	Samples []*Sample
	// This process decodes the images of the samples from First up to, not including, Last.
	First, Last int

	work batchWork
}

// OwnSamples splits the samples of this process into those with pixels and those with an error,
// which the step leaves out.
func (b *Batch) OwnSamples() (ready, leftOut []*Sample) {
	for _, s := range b.Samples[b.First:b.Last] {
		if s.Pixels != nil {
			ready = append(ready, s)
		} else {
			leftOut = append(leftOut, s)
		}
	}
	return ready, leftOut
}

// LoadTime returns the time that the loader needed for the batch, without waiting: the time to read its texts or the
// time of its workers, whichever is longer.
func (b *Batch) LoadTime() time.Duration {
	return max(b.work.readTime, b.work.workTime/time.Duration(max(b.work.workers, 1)))
}

// Position is a place in a training: Step of Epoch, both from 0.
type Position struct {
	Epoch int `json:"epoch"`
	Step  int `json:"step"`
}
