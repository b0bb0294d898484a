package grammar

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// This file reads how a caption mentions its objects: determiners, quantities, proper names, verbs.

// Determiner returns the determiner before an object and its attributes, in lower case, or "".
func Determiner(c *Caption, o *schemas.Object) string {
	begin := FirstOf(o)
	for i := len(c.Tokens) - 1; i >= 0; i-- {
		t := &c.Tokens[i]
		if t.End > begin {
			continue
		}
		switch t.Tag {
		case "DT", "PRP$", "PDT", "WP$", "POS":
			return strings.ToLower(c.Text[t.Begin:t.End])
		case "JJ", "JJS", "JJR", "RB", "CD", "NN", "VBN", "VBG":
			// The adjective is not in the graph.
			if i > 0 && c.Tokens[i-1].Tag == "DT" {
				return strings.ToLower(c.Text[c.Tokens[i-1].Begin:c.Tokens[i-1].End])
			}
		}
		return ""
	}
	return ""
}

// FirstOf returns the byte at which an object with its preceding attributes begins.
func FirstOf(o *schemas.Object) int32 {
	begin := o.Begin
	for _, a := range o.Attributes {
		if a.Form == schemas.Pre && a.Begin >= 0 && a.Begin < begin {
			begin = a.Begin
		}
	}
	return begin
}

// FollowsAnd reports whether "and" is right before an object, its article and its attributes.
func FollowsAnd(c *Caption, o *schemas.Object) bool {
	begin := FirstOf(o)
	for i := len(c.Tokens) - 1; i >= 0; i-- {
		t := &c.Tokens[i]
		if t.End > begin || t.Tag == "DT" {
			continue
		}
		return t.Tag == "CC" && t.Lemma == "and"
	}
	return false
}

// Partitive reports whether an attribute is before "of", as "slice" in "a slice of pizza".
func Partitive(c *Caption, a *schemas.Attribute) bool {
	return a.Begin >= 0 && a.Form == schemas.Pre && int(a.End) < len(c.Text) && strings.HasPrefix(c.Text[a.End:], " of ")
}

// Portioned reports whether a word for a portion and "of" are before an object: "a cup of tea".
func Portioned(c *Caption, o *schemas.Object) bool {
	begin := FirstOf(o)
	i := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return t.Begin == begin })
	if i < 2 || strings.ToLower(c.Text[c.Tokens[i-1].Begin:c.Tokens[i-1].End]) != "of" {
		return false
	}
	before := &c.Tokens[i-2]
	return wordclass.Has(portions, before.Lemma) || wordclass.Has(portions, strings.ToLower(c.Text[before.Begin:before.End]))
}

// TellsOthers reports whether a caption mentions others of an object's kind without their noun: "one dog is black, the
// other is white".
func TellsOthers(c *Caption, o *schemas.Object) bool {
	word := func(i int) string { return strings.ToLower(c.Text[c.Tokens[i].Begin:c.Tokens[i].End]) }
	for i := range c.Tokens {
		if t := &c.Tokens[i]; t.Begin < o.End || i+1 < len(c.Tokens) && strings.HasPrefix(c.Tokens[i+1].Tag, "N") {
			continue
		}
		if w := word(i); w == "another" || i > 0 && word(i-1) == "the" && wordclass.Has(" other others second third ", w) {
			return true
		}
	}
	return false
}

// Spelling describes how a caption writes the last word of an object.
type Spelling struct {
	Last string
	// Tagged reports whether the word has the tag of a proper name. Titled reports whether the tag means little, since
	// the caption is capitalised throughout.
	Tagged, Titled bool
}

// SpellingOf returns the spelling of the last word of an object in a caption.
func SpellingOf(c *Caption, o *schemas.Object) Spelling {
	s := Spelling{Tagged: TaggedName(c, o)}
	if s.Tagged {
		s.Last, s.Titled = c.Text[:o.End], Titled(c.Text, c.Tokens)
		s.Last = s.Last[strings.LastIndexByte(s.Last, ' ')+1:]
	}
	return s
}

// TaggedName reports whether the last word of an object has the tag of a proper name.
func TaggedName(c *Caption, o *schemas.Object) bool {
	for i := range c.Tokens {
		if t := &c.Tokens[i]; t.End == o.End {
			return t.Tag == "NNP" || t.Tag == "NNPS"
		}
	}
	return false
}

// Titled reports whether a caption is capitalised as a title: "Leather Wallet with 15cm Zip". All its long words have a
// capital, except prepositions and the like and measures.
func Titled(text string, tokens []schemas.Token) bool {
	capitals := 0
	for i := range tokens {
		word := text[tokens[i].Begin:tokens[i].End]
		if strings.ContainsFunc(word, unicode.IsUpper) {
			capitals++
		} else if utf8.RuneCountInString(word) > 3 && strings.ContainsFunc(word, unicode.IsLower) && !strings.ContainsFunc(word, unicode.IsDigit) && !wordclass.Has(" IN TO CC DT RP PRP$ ", tokens[i].Tag) {
			return false
		}
	}
	return capitals > 1
}

// WithArticle returns a quantity such as "group of people" with the article that a caption omitted.
func WithArticle(quantity string) string {
	if group, ok := strings.CutSuffix(quantity, " of"); ok && wordclass.Has(groups, group) {
		return "a " + quantity
	}
	return quantity
}

// Finite returns the verb with which an attribute begins, if it is finite ("looks on"), else nil. noun reports whether
// it was tagged as a noun.
func Finite(c *Caption, a *schemas.Attribute) (verb *schemas.Token, noun bool) {
	if a.Form != schemas.Post || a.Begin < 0 || strings.HasSuffix(a.Text, "ing") {
		return nil, false
	}
	i, ok := slices.BinarySearchFunc(c.Tokens, a.Begin, func(t schemas.Token, begin int32) int { return cmp.Compare(t.Begin, begin) })
	if !ok {
		return nil, false
	}
	switch t := &c.Tokens[i]; t.Tag {
	case "VB", "VBP", "VBZ":
		if !wordclass.Has(states, t.Lemma) {
			return t, false
		}
	case "NN", "NNS":
		if wordclass.Has(deeds, t.Lemma) {
			return t, true
		}
	}
	return nil, false
}

// RelationWords returns the predicate and the lemma of relation i of a graph. If the verb has another object, or a
// further verb follows it, only the place is returned: a girl flying a kite near a tree is "near" a tree, and a bird
// trying to find food in water is "in" water. "On" keeps the verb, since the other object may be there ("preparing a
// sandwich on a plate"). If the subject is not in the place, only its object ("putting a pizza in an oven"), both are
// empty. "Donned in" becomes "dressed in".
func RelationWords(g *schemas.SceneGraph, i int) (predicate, lemma string) {
	r := &g.Relations[i]
	if r.Predicate == "donned in" {
		return "dressed in", "dress in"
	}
	verb, after := Cut(r.Lemma)
	first, _ := Cut(after)
	if after == "" || first == "on" || !wordclass.Has(situating, first) || first == "at" && wordclass.Has(aiming, verb) {
		return r.Predicate, r.Lemma
	}
	for j := range g.Relations {
		of := &g.Relations[j]
		switch done := of.Subject == r.Subject && (of.Lemma == verb || wordclass.Has(Intents, verb) && strings.HasPrefix(of.Lemma, verb+" to ")); {
		case done && wordclass.Has(putting, verb):
			return "", ""
		case done:
			return after, after
		}
	}
	return r.Predicate, r.Lemma
}
