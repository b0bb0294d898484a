// Package objective has the losses that a dual encoder is trained with, one in each file, as in
// docs/objectives.md. An objective is written forward on a tape, which derives its gradient.
//
// A step has two halves. First each objective says which texts of a batch it wants
// ([Objective].Prepare); equal texts are encoded once for all objectives. With the features of
// images and texts, each then computes its loss.
package objective

import "capgraph/train/loader"

// Batch is the input of a step: images, and the distinct texts that objectives need.
type Batch struct {
	// Images are the samples whose images are encoded, a row of features each: first the batch's
	// own, N of them, then the hard-negative images.
	Images []*loader.Sample
	N      int
	// Texts are distinct, a row of features each.
	Texts []string
	// Graphs are the captions' scene graphs, if an objective wants scores of them.
	Graphs *Graphs

	textRows map[string]int32
}

// Begin empties the batch and takes samples. Each has its pixels in one process. If partners is
// set, their hard-negative images follow.
func (b *Batch) Begin(samples []*loader.Sample, partners bool) {
	b.Images = append(b.Images[:0], samples...)
	b.N = len(samples)
	for _, s := range samples {
		if partners && s.Partner != nil {
			b.Images = append(b.Images, s.Partner)
		}
	}
	b.Texts, b.Graphs = b.Texts[:0], nil
	if b.textRows == nil {
		b.textRows = map[string]int32{}
	}
	clear(b.textRows)
}

// textRow returns the row of a text's features.
func (b *Batch) textRow(text string) int32 {
	row, ok := b.textRows[text]
	if !ok {
		row = int32(len(b.Texts))
		b.textRows[text] = row
		b.Texts = append(b.Texts, text)
	}
	return row
}
