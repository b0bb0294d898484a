package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// Caption is one caption with its graph.
type Caption = grammar.Caption

// Image is an image with its captions. What they and their graphs say together
// is what is known of the image.
type Image struct {
	Key      string
	Captions []Caption
	// Elsewhere gives what captions of the image say that lie elsewhere, made by the generator
	// or by another one before: it is known as well, and no texts are made of them. Nil for none.
	Elsewhere func(*Generator) (*Elsewhere, error)
}

// Chooser may turn away negatives of a pool before it is capped: it sets
// keep[i] to false for pool.Negatives[i]. It sees all candidates of the caption
// with their Score.
type Chooser interface {
	Choose(imageKey, key string, pool *schemas.Pool, keep []bool)
}
