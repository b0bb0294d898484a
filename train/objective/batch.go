// Package objective has the losses that a dual encoder is trained with, a file
// each: CLIP's, NegCLIP's, CE-CLIP's, MosaiCLIP's and OC-CLIP's, as
// docs/objectives.md has them. An objective is written forward on a tape, and its derivative follows.
//
// A step goes in two halves. Each objective first lays out which texts it wants of
// a batch; equal texts are encoded once for all of them. With the features of
// images and texts, each then computes its loss.
package objective

import "capgraph/train/loader"

// Batch is what a step encodes: images, and the distinct texts that objectives
// want of them.
type Batch struct {
	// Images are the samples whose images are encoded, a row of features each: first
	// the batch's own, N of them, then the hard-negative images.
	Images []*loader.Sample
	N      int
	// Texts are distinct, a row of features each.
	Texts []string
	// Graphs are the captions' scene graphs, where an objective wants scores of them.
	Graphs *Graphs

	places map[string]int32
}

// Begin empties the batch and takes samples, which all have their pixels, on one
// process or another. Where partners is set, their hard-negative images follow.
func (b *Batch) Begin(samples []*loader.Sample, partners bool) {
	b.Images = append(b.Images[:0], samples...)
	b.N = len(samples)
	for _, s := range samples {
		if partners && s.Partner != nil {
			b.Images = append(b.Images, s.Partner)
		}
	}
	b.Texts, b.Graphs = b.Texts[:0], nil
	if b.places == nil {
		b.places = map[string]int32{}
	}
	clear(b.places)
}

// place is the row of a text's features.
func (b *Batch) place(text string) int32 {
	row, ok := b.places[text]
	if !ok {
		row = int32(len(b.Texts))
		b.places[text] = row
		b.Texts = append(b.Texts, text)
	}
	return row
}
