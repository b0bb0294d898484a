package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// Caption is a caption with its tokens and its graph.
type Caption = grammar.Caption

// Image is an image with its captions. The texts and graphs of the captions are all that is known
// of the image.
type Image struct {
	Key      string
	Captions []Caption
}

// Chooser may reject negatives of a pool before it is capped: it sets keep[i] to false to reject
// pool.Negatives[i]. It also sets the Score of each.
type Chooser interface {
	Choose(imageKey, key string, pool *schemas.Pool, keep []bool)
}
