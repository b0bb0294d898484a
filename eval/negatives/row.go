// Package negatives measures hard negatives: how many have flaws on their face, how many are likely
// true of the image after all, and how well a classifier tells them from their positives without
// the image. docs/evaluation.md defines every measure.
//
// Read reads the files of capgraph, NegCLIP and SugarCrepe; Evaluate measures them; Rejudge
// compares today's filters with the verdicts of a reader.
package negatives

// Row is one caption of an image with its positive texts and hard negatives.
type Row struct {
	// Image is the key of the image; rows of one image have one key.
	Image string
	// Positives are true of the image; Positives[0] is the caption.
	Positives []string
	Negatives []Negative
}

// Negative is a text that should be false of the image. Of is the index of its positive. Method and
// Changed are empty if the source does not have them.
type Negative struct {
	Text            string
	Of              int
	Method, Changed string
}
