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

// intended holds for what a caption says with "about to", "trying to": it is not done.
func intended(c *Caption, r *schemas.Relation) bool {
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

// unreal holds for an object that a caption says is missing, or what another thing is like:
// "a kitchen missing a sink", "a cake that looks like a dog". It is only said of that thing.
func unreal(c *Caption, o *schemas.Object) bool {
	begin := grammar.FirstOf(o)
	i := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return t.Begin >= begin }) - 1
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

// halved holds for one of several colours of an object: "a black dog" of "a black and
// white dog".
func (g *Generator) halved(caption int, part scenegraph.SubGraph, gr *schemas.SceneGraph) bool {
	if part.Relation != scenegraph.NoRelation || part.SubjectAttributes == 0 || part.SubjectAttributes&(part.SubjectAttributes-1) != 0 {
		return false
	}
	first, colours, one := g.known.object(caption, part.Subject).attributes, 0, false
	for i := range gr.Objects[part.Subject].Attributes {
		if g.known.attributes[first+i].is.Colour {
			colours++
			one = one || i < 64 && part.SubjectAttributes>>i&1 != 0
		}
	}
	return one && colours > 1
}

// goesWithoutSaying holds for what says little where nothing more is said of it:
// what nobody sees ("an actor during a festival"), what stands for another ("some larger ones"), what names no thing, alone ("a background", "an area"), what is there on a day, and somebody
// with a part that all people have ("a woman with a hand").
func (g *Generator) goesWithoutSaying(caption int, part scenegraph.SubGraph, gr *schemas.SceneGraph) bool {
	if part.Relation != scenegraph.NoRelation && wordclass.Has(unseen, g.known.relation(caption, part.Relation).Key) {
		return true
	}
	subject := g.known.object(caption, part.Subject).Noun
	if subject.Head == "one" || part.Relation != scenegraph.NoRelation && g.known.object(caption, part.Object).Noun.Head == "one" {
		return true
	}
	if part.SubjectAttributes|part.ObjectAttributes != 0 {
		return false
	}
	if part.Relation == scenegraph.NoRelation {
		return (subject.Vague || subject.Intangible) && subject.Kind != truth.People && subject.Key == subject.Head && gr.Objects[part.Subject].Quantity == ""
	}
	relation, object := g.known.relation(caption, part.Relation), g.known.object(caption, part.Object).Noun
	return subject.Alive() && withPart(relation, object) || wordclass.Has(grammar.Times, object.Head)
}
