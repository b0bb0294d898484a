// Package loader joins texts/ with images, draws what an epoch takes of both, and
// hands out batches.
package loader

// Text is a text that is true of an image.
type Text struct {
	Text string
	ID   int64 // pos_id of docs/format.md, "Normalised text and pos_id"
}

// Negative is a text that is false of an image.
type Negative struct {
	Text string
	ID   int64 // what pos_id would be of it
	// Of is the place in Positives of what it perturbs; 0 where it perturbs the
	// caption.
	Of int
	// Class is the place of its category in scenegraph.Categories, or among
	// CE-CLIP's classes, or 0.
	Class int
}

// Sample is an image with one of its captions, and what an epoch draws of its texts.
type Sample struct {
	Key, ImageKey string
	// Caption is the text of the row.
	Caption Text
	// Positives and Negatives are MosaiCLIP's draw.
	Positives []Text
	Negatives []Negative
	// CaptionNegatives are those of the caption: NegCLIP's one, or one of each class
	// that CE-CLIP has.
	CaptionNegatives []Negative
	// Sibling is another caption of the image; its Text is empty where there is none.
	Sibling Text
	// Known are the ids of all texts that are true of the image.
	Known []int64
	// Partner is a similar image with a caption of its own, NegCLIP's hard-negative
	// image; nil where there is none.
	Partner *Sample
	// Pixels are side·side·3 bytes, red, green and blue; nil where Err says why there
	// are none, or where the image is another rank's.
	Pixels []byte
	Err    error
}
