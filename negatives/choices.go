package negatives

import "capgraph/internal/portable"

// candidates are a list of the vocabulary with what is known of its words, each
// looked up once.
type candidates struct {
	id   uint32 // no other candidates have it
	kind SlotKind
	list []Candidate
	// of are the actor of verbs and relations. Of opposite candidates those fit alone that
	// exclusions.tsv opposes to what stands in a slot.
	of       actor
	opposite bool
	// The words' meanings, of which those of the kind are filled.
	properties []*property
	relations  []*relation
	actions    []*action
	nouns      []*noun // nil until they are asked for
	things     []thing
	// back is, of each candidate but for objects, one more than the summed count of
	// those that can replace it; 0 until it is asked for.
	back []uint64
	// all are the choices of objects and kinds those of one kind, nil until they are
	// asked for.
	all   *choices
	kinds []*choices
	// sorts are the choices of the sorts that nouns are of.
	sorts map[uint64]*choices
}

// thing is what fittings ask of a candidate for an object.
type thing struct {
	head uint32 // its id
	kind kind
}

// thing is what is asked of a noun as a candidate.
func (w *words) thing(n *noun) thing { return thing{w.vocab.headID(n.head), n.kind} }

// weight is the count of the candidate at a place.
func (l *candidates) weight(at int) uint64 {
	if at == 0 {
		return l.list[0].Cum
	}
	return l.list[at].Cum - l.list[at-1].Cum
}

// choices are the candidates of a list that can replace a word: those at the
// places in fit, or all where it is nil.
type choices struct {
	of  *candidates
	fit []int32
	urn urn
}

// choice is one candidate of a list.
type choice struct {
	of *candidates
	at int
}

func (c choice) text() string { return c.of.list[c.at].Text }

// draw takes a candidate with a probability in proportion to its count.
func (c *choices) draw(r *portable.SplitMix64) choice {
	at := c.urn.draw(r)
	if c.fit != nil {
		at = int(c.fit[at])
	}
	return choice{c.of, at}
}

// empty holds where there is nothing to draw.
func (c *choices) empty() bool { return c == nil || len(c.urn.cells) == 0 }
