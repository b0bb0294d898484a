package words

import (
	"capgraph/internal/lexicon"
	"capgraph/internal/portable"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
)

// Candidates are a list of the vocabulary with what is known of its words, each
// looked up once.
type Candidates struct {
	Id   uint32 // no other candidates have it
	Kind slots.Kind
	List []slots.Candidate
	// Of are the actor of verbs and relations. Of opposite candidates those fit alone that
	// exclusions.tsv opposes to what stands in a slot.
	Of       truth.Actor
	Opposite bool
	// The words' meanings, of which those of the kind are filled.
	Properties []*Property
	Relations  []*Relation
	Actions    []*Action
	Nouns      []*Noun // nil until they are asked for
	Things     []Thing
	// Back is, of each candidate but for objects, one more than the summed count of
	// those that can replace it; 0 until it is asked for.
	Back []uint64
	// All are the choices of objects and kinds those of one kind, nil until they are
	// asked for.
	All   *Choices
	Kinds []*Choices
	// Sorts are the choices of the sorts that nouns are of.
	Sorts map[Sort]*Choices
}

// Sort is what nouns may replace each other by: the sorts and the classes of implements, or what both are kinds of.
type Sort struct {
	Rows       uint64
	Implements uint8
	Over       lexicon.Synset
}

// Thing is what fittings ask of a candidate for an object.
type Thing struct {
	Head uint32 // its id
	Kind truth.Kind
}

// Weight is the count of the candidate at a place.
func (l *Candidates) Weight(at int) uint64 {
	if at == 0 {
		return l.List[0].Cum
	}
	return l.List[at].Cum - l.List[at-1].Cum
}

// Choices are the candidates of a list that can replace a word: those at the
// places in fit, or all if it is nil.
type Choices struct {
	Of  *Candidates
	Fit []int32
	Urn vocabulary.Urn
}

// Choice is one candidate of a list.
type Choice struct {
	Of *Candidates
	At int
}

// Text is the word that it names.
func (c Choice) Text() string { return c.Of.List[c.At].Text }

// Draw takes a candidate with a probability in proportion to its count.
func (c *Choices) Draw(r *portable.SplitMix64) Choice {
	at := c.Urn.Draw(r)
	if c.Fit != nil {
		at = int(c.Fit[at])
	}
	return Choice{c.Of, at}
}

// Empty reports whether there is nothing to draw.
func (c *Choices) Empty() bool { return c == nil || len(c.Urn.Cells) == 0 }
