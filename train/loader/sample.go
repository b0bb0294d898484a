package loader

import (
	"time"

	"capgraph/scenegraph"
)

// Text is a text with its pos_id (docs/format.md): texts of equal ID say the same.
type Text struct {
	Text string
	ID   int64
}

// Negative is a text that is false of its image; ID is what a positive that says
// so would have.
type Negative struct {
	Text string
	ID   int64
	// Of is the index of the positive that it perturbs, in the sample's Positives;
	// of a CaptionNegative it is 0 and stands for the caption.
	Of int
	// Class is the index of its class: in scenegraph.Categories, or of a
	// CaptionNegative in the plan's Classes.
	Class int
}

// Sample is an image with what an epoch takes of its texts.
type Sample struct {
	// Key is the row's, ImageKey the image's.
	Key, ImageKey string
	// Corpus is the index of the corpus that it is of.
	Corpus int
	// Caption is the text of the row, which the epoch draws of the image's.
	Caption Text
	// Sibling is another caption of the image that says something else, empty where
	// it has none.
	Sibling Text
	// Positives and Negatives are drawn as MosaiCLIP draws them (scenegraph.Draw); the
	// caption is among them where it alone is there to be drawn. Both are empty where
	// the plan draws none.
	Positives []Text
	Negatives []Negative
	// CaptionNegatives are those of the caption, at most one of each of the plan's
	// Classes, in their order.
	CaptionNegatives []Negative
	// Graph is that of the caption in words, and Altered how one of its relations is
	// altered; without nodes where the plan wants no graphs.
	Graph   scenegraph.WordGraph
	Altered scenegraph.Perturbation
	// Known are the ids of all texts that are true of the image, ascending: those of
	// all its rows.
	Known []int64
	// Pixels are side × side × 3 bytes, row by row, red, green and blue. They are nil
	// where the image is missing or broken, and where another process has it.
	Pixels []byte
	// Err says why Pixels are nil although the image is this process' own. It wraps
	// fs.ErrNotExist where the image is missing.
	Err error
	// Partner is the sample that the epoch makes of a similar image. It is nil without
	// neighbours; PartnerErr says why, where there are some.
	Partner    *Sample
	PartnerErr error
}

// Batch is what a step takes: the samples of all processes, with all their texts.
// It is valid until it is released.
type Batch struct {
	// Position is that of the batch.
	Position
	Samples []*Sample
	// Those from First to Last-1 are this process' own, whose images it decodes.
	First, Last int

	work work
}

// Own splits this process' samples into those that have their pixels and those
// that the step has to leave out, with their Err.
func (b *Batch) Own() (ready, leftOut []*Sample) {
	for _, s := range b.Samples[b.First:b.Last] {
		if s.Pixels != nil {
			ready = append(ready, s)
		} else {
			leftOut = append(leftOut, s)
		}
	}
	return ready, leftOut
}

// Took is how long the loader had with the batch: as long as its texts took to be
// read, or as its workers needed among them, whichever is more. A loader that waits for nothing
// gives a batch each so often.
func (b *Batch) Took() time.Duration {
	return max(b.work.laid, b.work.busy/time.Duration(max(b.work.workers, 1)))
}

// Position is a place in a training: Step of Epoch, both from 0.
type Position struct {
	Epoch int `json:"epoch"`
	Step  int `json:"step"`
}
