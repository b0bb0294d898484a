package say

import (
	"slices"
	"strings"

	"capgraph/negatives/grammar"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// Spoken is how a caption words an object, without its attributes.
type Spoken struct {
	words.NamedNoun
	article  Article
	Quantity string
	// Another is set for "another dog". Some is set for some of several things. portioned is set for "tea" in "a cup of
	// tea".
	Another, Some, portioned bool
	// Single is set if the caption has it with "a" or "one".
	Single bool
	// Name is set if the caption has it as a proper name.
	Name bool
	// Written is the quoted text on it, or "".
	Written string
}

// Speak returns how a caption words an object.
func Speak(w *words.Cache, c *grammar.Caption, o *schemas.Object) Spoken {
	var s Spoken
	before := grammar.Determiner(c, o)
	if !slices.ContainsFunc(o.Attributes, func(a schemas.Attribute) bool { return grammar.Partitive(c, &a) }) {
		s.Quantity = grammar.WithArticle(o.Quantity) // not of slices
	}
	s.portioned = before == "" && s.Quantity == "" && grammar.Portioned(c, o)
	s.Some = strings.Contains(s.Quantity, " of ") || s.Quantity == grammar.JustOne && grammar.TellsOthers(c, o)
	written := grammar.SpellingOf(c, o)
	s.NamedNoun = w.Object(o)
	s.Name = w.IsNamed(s.Noun, o.Name, written)
	s.Plural = s.Plural || grammar.IsSeveral(s.Quantity) || s.Noun.Many == s.Noun.Key && strings.HasSuffix(s.Quantity, " of")
	s.Single = !s.Plural && s.Quantity == grammar.JustOne
	s.portioned = s.portioned && !s.Plural
	if !s.Plural && s.Quantity == "" {
		s.article, s.Another, s.Single = articleOf(s.Noun, before), before == "another", before == "a" || before == "an"
		if s.portioned {
			s.article = NoArticle
		}
	}
	if s.Name && s.Quantity == "" {
		switch before {
		case "":
			s.article = NoArticle // "Tom's black cat"
		case "the":
			s.article = TheArticle // "the Eiffel Tower", "the Oscars"
		}
	}
	return s
}
