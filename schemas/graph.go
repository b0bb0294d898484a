package schemas

import (
	"slices"
	"strings"
)

// NoOffset is Begin and End of something that the text does not have, such as an object that a language model inferred.
const NoOffset int32 = -1

// Token is one token of a cleaned caption. Begin and End are byte offsets into
// the text, End exclusive. Tag is a Penn Treebank part-of-speech tag, Lemma
// the lower-case base form.
type Token struct {
	Begin, End int32
	Tag, Lemma string
	// Quality is an encoder's score of the token. The log-odds that a text is good are the mean of the scores of its
	// tokens, plus other features. It is 0 without an encoder.
	Quality float32
}

// IsNoun reports whether the token is tagged as a noun or a name.
func (t *Token) IsNoun() bool { return strings.HasPrefix(t.Tag, "NN") }

// The two forms of an attribute: before its noun ("red" in "a red bus") or after it ("in blue" in
// "a woman in blue", "tall" in "the man is tall").
const (
	Pre  = "pre"
	Post = "post"
)

// Statuses of things that a caption mentions without asserting them. Asserted things have the status "".
const (
	Denied       = "denied"       // "a man who is not wearing a hat"
	Hypothetical = "hypothetical" // "a sign that warns of bears", "a boy about to hit a ball"
	Depicted     = "depicted"     // "a painting of a ship": true of the painting
)

// Attribute is a property of an object. Text is the property in words, in lower case ("dark green",
// "in blue"); Form is Pre or Post.
//
// Confidence is the probability that it and its object are right, from 0 to 1.
type Attribute struct {
	Text, Form string
	Begin, End int32
	Confidence float32
	Status     string // empty if the caption asserts it
}

// Object is a node of a scene graph. Name is the noun phrase without determiner, quantity and attributes, in lower case
// and inflected as in the caption ("tennis rackets"); Head is the lemma of its head noun ("racket"). Quantity has the
// words for its number ("two", "a group of"), or is empty.
//
// Confidence is the probability that the caption names it, from 0 to 1.
type Object struct {
	Name, Head, Quantity string
	Attributes           []Attribute
	Begin, End           int32
	Confidence           float32
	Status               string
}

// Relation is an edge of a scene graph. Subject and Object are indices of SceneGraph.Objects and differ. Predicate has
// the caption's words, in lower case ("are sitting on top of"); Lemma is its base form, with its preposition and
// without auxiliaries ("sit on top of").
//
// Confidence is the probability that it and its objects are right, from 0 to 1.
type Relation struct {
	Subject          int32
	Predicate, Lemma string
	Object           int32
	Begin, End       int32
	Confidence       float32
	Status           string
}

// SceneGraph has the content of one caption: objects with their attributes, and relations between them. It may be
// empty.
type SceneGraph struct {
	Objects   []Object
	Relations []Relation
}

// SetConfidence sets the confidence of all objects, attributes and relations of g to p.
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

// KeepAsserted removes what the caption denies or only supposes, and attributes with status Depicted: text written on a
// thing, and its place in the picture. Objects shown in a depicted picture stay.
func (g *SceneGraph) KeepAsserted() {
	for i := range g.Objects {
		o := &g.Objects[i]
		o.Attributes = slices.DeleteFunc(o.Attributes, func(a Attribute) bool { return a.Status == Depicted })
	}
	g.removeStatuses(func(s string) bool { return s == Denied || s == Hypothetical })
}

// RemoveDenied removes the things that the caption denies.
func (g *SceneGraph) RemoveDenied() { g.removeStatuses(func(s string) bool { return s == Denied }) }

// removeStatuses removes the objects, attributes and relations for whose status leavesOut is true, and the relations of
// removed objects.
func (g *SceneGraph) removeStatuses(leavesOut func(status string) bool) {
	removed := false
	for i := range g.Objects {
		o := &g.Objects[i]
		removed = removed || leavesOut(o.Status)
		o.Attributes = slices.DeleteFunc(o.Attributes, func(a Attribute) bool { return leavesOut(a.Status) })
	}
	relations := g.Relations[:0]
	for _, r := range g.Relations {
		if !leavesOut(r.Status) {
			relations = append(relations, r)
		}
	}
	if g.Relations = relations; !removed {
		return
	}
	objects := g.Objects[:0]
	relations = g.Relations[:0]
	at := make([]int32, len(g.Objects))
	for i := range at {
		at[i] = -1
		if !leavesOut(g.Objects[i].Status) {
			at[i] = int32(len(objects))
			// Swapped, so that the memory of a removed object's attributes is reused.
			n := len(objects)
			objects = objects[:n+1]
			g.Objects[n], g.Objects[i] = g.Objects[i], g.Objects[n]
		}
	}
	for _, r := range g.Relations {
		if r.Subject, r.Object = at[r.Subject], at[r.Object]; r.Subject >= 0 && r.Object >= 0 {
			relations = append(relations, r)
		}
	}
	g.Objects, g.Relations = objects, relations
}

// Clone returns a copy that shares no slice of objects, attributes or relations with g.
func (g *SceneGraph) Clone() SceneGraph {
	c := SceneGraph{Objects: slices.Clone(g.Objects), Relations: slices.Clone(g.Relations)}
	for i := range c.Objects {
		c.Objects[i].Attributes = slices.Clone(c.Objects[i].Attributes)
	}
	return c
}
