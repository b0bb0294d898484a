package schemas

import "slices"

// NoOffset is the value of Begin and End where a thing is not said in the
// text, such as an object that a language model inferred.
const NoOffset int32 = -1

// Token is one token of a cleaned caption. Begin and End are byte offsets into
// the text, End exclusive. Tag is a Penn Treebank part-of-speech tag, Lemma
// the lower-case base form.
type Token struct {
	Begin, End int32
	Tag, Lemma string
}

// The two forms of an attribute: said before its noun ("red" in "a red bus")
// or after it ("in blue" in "a woman in blue", "tall" in "the man is tall").
const (
	Pre  = "pre"
	Post = "post"
)

// Attribute is a property of an object. Text is what is said of it, in lower
// case ("dark green", "in blue"); Form is Pre or Post.
//
// Confidence is the probability that it and its object are right, from 0 to 1.
type Attribute struct {
	Text, Form string
	Begin, End int32
	Confidence float32
}

// Object is a node of a scene graph. Name is the noun phrase without
// determiner, quantity and attributes, in lower case and as it was inflected
// ("tennis rackets"); Head is the lemma of its head noun ("racket"). Quantity
// is what is said of its number ("two", "a group of"), or empty.
//
// Confidence is the probability that the caption names it, from 0 to 1.
type Object struct {
	Name, Head, Quantity string
	Attributes           []Attribute
	Begin, End           int32
	Confidence           float32
}

// Relation is an edge of a scene graph. Subject and Object index
// SceneGraph.Objects and differ. Predicate is what the caption says, in lower
// case ("are sitting on top of"); Lemma its base form with its preposition and
// without auxiliaries ("sit on top of").
//
// Confidence is the probability that it and its objects are right, from 0 to 1.
type Relation struct {
	Subject          int32
	Predicate, Lemma string
	Object           int32
	Begin, End       int32
	Confidence       float32
}

// SceneGraph is what one caption says: objects with their attributes, and
// relations between them. A graph without objects is a graph.
type SceneGraph struct {
	Objects   []Object
	Relations []Relation
}

// SetConfidence sets the confidence of every part of g to p.
func (g *SceneGraph) SetConfidence(p float32) {
	for i := range g.Objects {
		g.Objects[i].Confidence = p
		for k := range g.Objects[i].Attributes {
			g.Objects[i].Attributes[k].Confidence = p
		}
	}
	for i := range g.Relations {
		g.Relations[i].Confidence = p
	}
}

// Reset empties g and keeps its memory.
func (g *SceneGraph) Reset() {
	g.Objects = g.Objects[:0]
	g.Relations = g.Relations[:0]
}

// Clone returns a copy that shares no list with g.
func (g *SceneGraph) Clone() SceneGraph {
	c := SceneGraph{Objects: slices.Clone(g.Objects), Relations: slices.Clone(g.Relations)}
	for i := range c.Objects {
		c.Objects[i].Attributes = slices.Clone(c.Objects[i].Attributes)
	}
	return c
}
