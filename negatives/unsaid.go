package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// isProspective reports whether a relation has not happened yet: "about to", "trying to".
func isProspective(c *Caption, r *schemas.Relation) bool {
	if r.Begin < 0 {
		return false
	}
	i := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return t.Begin >= r.Begin })
	if i < 0 {
		return false
	}
	if c.Tokens[i].Tag == "TO" {
		i++
	}
	for ; i > 1 && i < len(c.Tokens) && (c.Tokens[i-1].Tag == "TO" || c.Tokens[i-1].Tag == "RP" || c.Tokens[i-1].Tag == "RB"); i-- {
		if c.Tokens[i-1].Tag == "TO" {
			j := i - 2
			for j > 0 && (c.Tokens[j].Tag == "RP" || c.Tokens[j].Tag == "RB") && !wordclass.Has(grammar.Intents, c.Tokens[j].Lemma) {
				j--
			}
			return wordclass.Has(grammar.Intents, c.Tokens[j].Lemma)
		}
	}
	return false
}

// isMissingOrSimile reports whether the caption says that an object is absent or only a likeness: "a kitchen missing a
// sink", "a cake that looks like a dog".
func isMissingOrSimile(c *Caption, o *schemas.Object) bool {
	begin := grammar.FirstOf(o)
	i, _ := slices.BinarySearchFunc(c.Tokens, begin, func(t schemas.Token, at int32) int { return int(t.Begin - at) })
	if i == len(c.Tokens) {
		return false
	}
	i--
	for i > 0 && (c.Tokens[i].Tag == "DT" || c.Tokens[i].Tag == "JJ" || c.Tokens[i].Tag == "PRP$" || c.Tokens[i].Tag == "CD") {
		i--
	}
	if begin < 0 || i < 1 {
		return false
	}
	before, last := &c.Tokens[i-1], &c.Tokens[i]
	switch strings.ToLower(c.Text[last.Begin:last.End]) {
	case "missing":
		return last.Tag != "JJ"
	case "like":
		return wordclass.Has(" look make shape dress ", before.Lemma)
	case "of":
		return before.Lemma == "instead" || before.Lemma == "shape"
	}
	return false
}

// omitsColour reports whether a sub-graph of one object has just one of its several colours: "a black dog" for "a
// black and white dog".
func (f *facts) omitsColour(caption int, part scenegraph.SubGraph, gr *schemas.SceneGraph) bool {
	if part.Relation != scenegraph.NoRelation || part.SubjectAttributes == 0 || part.SubjectAttributes&(part.SubjectAttributes-1) != 0 {
		return false
	}
	first, colours, one := f.objectAt(caption, part.Subject).attributes, 0, false
	for i := range gr.Objects[part.Subject].Attributes {
		if f.attributes[first+i].is.Colour {
			colours++
			one = one || i < 64 && part.SubjectAttributes>>i&1 != 0
		}
	}
	return one && colours > 1
}

// isUninformative reports whether a sub-graph tells little by itself. It is not visible ("an actor during a festival"),
// refers to other words ("some larger ones"), is a general name ("a biological species") or vague ("an area"), gives a
// day, or is true of everybody ("a woman with a hand").
func (f *facts) isUninformative(caption int, part scenegraph.SubGraph, gr *schemas.SceneGraph) bool {
	if part.Relation != scenegraph.NoRelation && wordclass.Has(unseen, f.relationAt(caption, part.Relation).Key) {
		return true
	}
	subject := f.objectAt(caption, part.Subject).Noun
	if part.Relation == scenegraph.NoRelation && subject.Unseen { // "a great trade"
		return true
	}
	if part.Relation != scenegraph.NoRelation && subject.Intangible && subject.Concrete <= leastActing && f.relationAt(caption, part.Relation).Verb != "" { // "a census needing a champion"
		return true
	}
	if subject.Placeholder || part.Relation != scenegraph.NoRelation && f.objectAt(caption, part.Object).Noun.Placeholder {
		return true
	}
	if subject.Head == "one" || part.Relation != scenegraph.NoRelation && f.objectAt(caption, part.Object).Noun.Head == "one" {
		return true
	}
	if part.SubjectAttributes|part.ObjectAttributes != 0 {
		return false
	}
	if part.Relation == scenegraph.NoRelation {
		return (subject.Vague || subject.Intangible) && subject.Kind != truth.People && subject.Key == subject.Head && gr.Objects[part.Subject].Quantity == ""
	}
	relation, object := f.relationAt(caption, part.Relation), f.objectAt(caption, part.Object).Noun
	if wordclass.Has(emptyNouns, object.Key) && gr.Objects[part.Object].Quantity == "" || isRoomWithPart(f.objectAt(caption, part.Subject), relation.Key, object.Key) {
		return true
	}
	return subject.Alive() && isWithPart(relation, object) || wordclass.Has(grammar.Times, object.Head)
}

// isNotShown reports whether the caption does not say that all objects of a sub-graph are in the picture, or the
// sub-graph has a part of a compound.
func (f *facts) isNotShown(c *Caption, caption int, part scenegraph.SubGraph) bool {
	o := &c.Graph.Objects[part.Subject]
	if isAlternative(c, o) || isPurpose(c, o) || cutsParticiple(c, o, part.SubjectAttributes) {
		return true
	}
	if part.Relation == scenegraph.NoRelation {
		n := f.objectAt(caption, part.Subject).Noun
		return isBeholder(c, o, n.Key) || isFur(c, o, n, f.kinds)
	}
	o = &c.Graph.Objects[part.Object]
	return isAlternative(c, o) || isPurpose(c, o) || cutsParticiple(c, o, part.ObjectAttributes)
}

// leastActing is the concreteness up to which an intangible noun cannot be seen to act.
const leastActing = 45

// isInPlacedPicture reports whether a sub-graph is the content of a picture that itself has a place. In "a painting of
// a ship on a sea hangs above the fireplace", no ship is on a sea. In "a painting of a ship", there is a ship.
func isInPlacedPicture(part scenegraph.SubGraph, g *schemas.SceneGraph) bool {
	if g.Objects[part.Subject].Status != schemas.Depicted || part.Relation != scenegraph.NoRelation && g.Objects[part.Object].Status != schemas.Depicted {
		return false
	}
	for _, shows := range g.Relations {
		if shows.Object != part.Subject {
			continue
		}
		for _, r := range g.Relations {
			other := r.Object
			if r.Object == shows.Subject {
				other = r.Subject
			} else if r.Subject != shows.Subject {
				continue
			}
			if g.Objects[other].Status != schemas.Depicted {
				return true
			}
		}
	}
	return false
}
