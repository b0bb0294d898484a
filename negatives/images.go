package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// Caption is one caption with its graph.
type Caption = grammar.Caption

// Image is an image with its captions. What they and their graphs say together
// is what is known of the image. Far are captions of it that lie elsewhere: they
// say what is known as well, and no texts are made of them.
type Image struct {
	Key           string
	Captions, Far []Caption
}

// all are the captions and those that lie elsewhere, in this order.
func (img *Image) all(yield func(*Caption) bool) {
	for _, captions := range [][]Caption{img.Captions, img.Far} {
		for i := range captions {
			if !yield(&captions[i]) {
				return
			}
		}
	}
}

// at is the caption of that number among all.
func (img *Image) at(i int) *Caption {
	if i < len(img.Captions) {
		return &img.Captions[i]
	}
	return &img.Far[i-len(img.Captions)]
}

// Chooser may turn away negatives of a pool before it is capped: it sets
// keep[i] to false for pool.Negatives[i]. It sees all candidates of the caption
// with their Score.
type Chooser interface {
	Choose(imageKey, key string, pool *schemas.Pool, keep []bool)
}
