// Package negatives measures hard negatives: how many are flawed on their face,
// how many are likely true of the image after all, and how well a classifier
// tells them from the texts they perturb without seeing the image.
// docs/evaluation.md defines every measure.
package negatives

// Row is one caption of an image with its positive texts and hard negatives.
type Row struct {
	// Image is the key of the image: rows of one image have one key.
	Image string
	// Positives are true of the image; Positives[0] is the caption.
	Positives []string
	Negatives []Negative
}

// Negative is a text that should be false of the image. Of is the index of the
// positive that it perturbs; Method and Changed are empty where the source
// does not say.
type Negative struct {
	Text            string
	Of              int
	Method, Changed string
}
