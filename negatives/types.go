package negatives

import (
	"context"

	"capgraph/schemas"
)

// Caption is one caption with its graph. Text is the cleaned caption; Tokens
// may be empty, and then the caption itself is not perturbed.
type Caption struct {
	Key, Text string
	Tokens    []schemas.Token
	Graph     schemas.SceneGraph
}

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

// The kinds of slot that a Proposer fills.
type SlotKind uint8

const (
	SlotObject SlotKind = iota
	SlotAttribute
	SlotRelation
	SlotQuantity
	SlotAction
)

// Slot is a place in a graph or caption to be filled with something else.
type Slot struct {
	Kind SlotKind
	// Text is what stands there: an object's singular name ("tennis racket"), an
	// attribute ("red"), a relation ("sitting on"), a quantity ("two") or a verb as
	// it is inflected ("sitting").
	Text string
	// Form is the tag of a word in a caption: "NN", "JJ", "VBG".
	Form string
	// Head is the head of the object that an attribute belongs to, or of the
	// noun before an action.
	Head string
	// Subject, Relation and Object are what is around a relation or an object in
	// it; the slot's own is empty. Of an action, Object is its complement: "object"
	// for a noun phrase, or the word after it.
	Subject, Relation, Object string
	// Left and Right are the lower-case words beside the slot in the caption, "<"
	// and ">" at its ends; both are empty for a slot in a sub-graph.
	Left, Right string
}

// Candidate is a proposed filling. Cum is the sum of the weights up to and
// including it, in the order of the list: the last one's is the list's total.
type Candidate struct {
	Text string
	Cum  uint64
}

// Proposer proposes what slots may be filled with; what is the same, implied
// or ungrammatical is filtered out afterwards. Implementations are safe for
// concurrent use.
type Proposer interface {
	// Propose sets out[i] to the candidates for slots[i], which the caller must
	// not modify; both have the same length. An error concerns the whole batch.
	Propose(ctx context.Context, slots []Slot, out [][]Candidate) error
}

// Chooser may turn away negatives of a pool before it is capped: it sets
// keep[i] to false for pool.Negatives[i]. It sees all candidates of the caption
// with their Score.
type Chooser interface {
	Choose(imageKey, key string, pool *schemas.Pool, keep []bool)
}
