package words

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/schemas"
)

// isName reports whether a noun names somebody, a place or a work: as the lexicon or mostly the corpus
// has it, or if a word before its last is a name or in no lexicon ("grattan bridge"). Such a word before
// a thing that is made in numbers is its make, and the thing has no name of its own ("a gucci belt").
func (w *Cache) isName(n *Noun) bool {
	if u := w.Vocab.Usage[n.Key]; w.Lexicon.IsName(n.Key) || w.Lexicon.IsName(n.Head) || 2*u.Names > u.Sum() {
		return true
	}
	if w.isMade(n) {
		return false
	}
	for before := strings.TrimSuffix(n.Key, n.Head); before != ""; {
		word, after := grammar.Cut(before)
		if before = after; w.Lexicon.IsName(word) || !w.isWord(word) {
			return true
		}
	}
	return false
}

// isMade reports whether a noun is of clothes, furniture, devices, containers and the like.
func (w *Cache) isMade(n *Noun) bool {
	switch n.Kind {
	case truth.Clothing, truth.Furniture:
		return true
	}
	return n.Kind == 0 && n.isOneOf(w.Vocab.Kinds.Implements)
}

// isWord is true for a word that the lexicon knows, inflected or not.
func (w *Cache) isWord(word string) bool {
	if len(w.Lexicon.Values(word)) > 0 || w.Lexicon.IsAdjective(word) || w.Lexicon.VerbSenses(w.base(word)) != nil {
		return true
	}
	for part := range strings.SplitSeq(word, "-") { // "t-shirt"
		if len(part) > 1 && w.Lexicon.NounSenses(part) == nil && w.Lexicon.NounSenses(w.Inflect.Singular(part)) == nil && !w.Lexicon.IsAdjective(part) {
			return false
		}
	}
	return true
}

// Named is true for an object that its caption names: with the tag of a name where not all words have
// capitals, and else with an article or a word that no lexicon knows ("The Balmoral Hotel").
func (w *Cache) Named(c *grammar.Caption, o *schemas.Object) bool {
	if !grammar.TaggedName(c, o) {
		return wordclass.Has(" the a an ", grammar.BeforeSpace(o.Name))
	}
	if !grammar.Titled(c.Text, c.Tokens) {
		return true
	}
	for word := range strings.SplitSeq(o.Name, " ") {
		if !w.isWord(word) {
			return true
		}
	}
	return false
}
