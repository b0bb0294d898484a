package words

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// isName is true for a noun that names somebody, a place or a work: as the lexicon has it, or the
// corpus mostly, or where a word before its last is a name or in no lexicon ("grattan bridge").
func (w *Cache) isName(key, head string) bool {
	if u := w.Vocab.Usage[key]; w.Lexicon.IsName(key) || w.Lexicon.IsName(head) || 2*u.Names > u.Sum() {
		return true
	}
	for before := strings.TrimSuffix(key, head); before != ""; {
		word, after := grammar.Cut(before)
		if before = after; w.Lexicon.IsName(word) || !w.isWord(word) {
			return true
		}
	}
	return false
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
