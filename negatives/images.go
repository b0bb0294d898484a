package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// Caption is one caption with its graph.
type Caption = grammar.Caption

// Image is an image with its captions. Their texts and graphs together are all that is known of the
// image.
type Image struct {
	Key      string
	Captions []Caption
}

// Chooser may turn away negatives of a pool before it is capped: it sets
// keep[i] to false for pool.Negatives[i]. It sees all candidates of the caption
// with their Score.
type Chooser interface {
	Choose(imageKey, key string, pool *schemas.Pool, keep []bool)
}
