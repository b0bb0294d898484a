package slots

import "context"

// Kind is the kind of a slot.
type Kind uint8

const (
	Object Kind = iota
	Attribute
	Relation
	Quantity
	Action
)

// Slot is a place in a graph or a caption to be filled with something else.
type Slot struct {
	Kind Kind
	// Text is the present content: an object's singular name ("tennis racket"), an attribute
	// ("red"), a relation ("sitting on"), a quantity ("two") or an inflected verb ("sitting").
	Text string
	// Form is the part-of-speech tag of the word in a caption: "NN", "JJ", "VBG".
	Form string
	// Head is the head of the object with the attribute, or of the noun before the action.
	Head string
	// Subject, Relation and Object are the words around a relation, or around an object in a
	// relation; the slot's own is empty. For an action, Object is its complement: "object" for a
	// noun phrase, else the word after it.
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

// Proposer proposes candidates for slots. Those that mean the same, are implied or are
// ungrammatical are filtered out afterwards. Implementations are safe for concurrent use.
type Proposer interface {
	// Propose sets out[i] to the candidates for slots[i], which the caller must
	// not modify; both have the same length. An error concerns the whole batch.
	Propose(ctx context.Context, slots []Slot, out [][]Candidate) error
}
