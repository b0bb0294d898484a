// Package objective has the losses that a dual encoder is trained with, one in each file, as in
// docs/objectives.md. An objective computes its loss on a tape, which computes the gradient.
//
// A step has two halves. First each objective adds the texts that it needs to the batch
// ([Objective].Prepare); equal texts are encoded once. Then each objective computes its loss from
// the features of images and texts.
package objective

import "capgraph/train/loader"

// Batch is the input of a step: images, and the distinct texts that objectives need.
type Batch struct {
	// Images are the samples whose images are encoded; each has a row of features. The first N are
	// the batch's own samples, the others hard-negative images.
	Images []*loader.Sample
	N      int
	// Texts are the distinct texts; each has a row of features.
	Texts []string
	// Graphs are the captions' scene graphs, nil if no objective needs their scores.
	Graphs *Graphs

	textRows map[string]int32
}

// Begin sets the batch to samples, without texts. The pixels of each sample are in one process. If
// partners is set, the samples' hard-negative images are added.
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

// textRow returns the row of a text's features, and adds the text if it is new.
func (b *Batch) textRow(text string) int32 {
	row, ok := b.textRows[text]
	if !ok {
		row = int32(len(b.Texts))
		b.textRows[text] = row
		b.Texts = append(b.Texts, text)
	}
	return row
}
