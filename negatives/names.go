package negatives

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/schemas"
)

// isName holds for a noun that names somebody, a place or a work: as the lexicon has it, or the corpus
// mostly, or where a word before its last is a name or in no lexicon ("grattan bridge").
func (w *words) isName(key, head string) bool {
	if u := w.vocab.usage[key]; w.lexicon.Name(key) || w.lexicon.Name(head) || 2*u.names > u.sum() {
		return true
	}
	for before := strings.TrimSuffix(key, head); before != ""; {
		word, after := cut(before)
		if before = after; w.lexicon.Name(word) || !w.isWord(word) {
			return true
		}
	}
	return false
}

// isWord holds for a word that the lexicon knows, inflected or not.
func (w *words) isWord(word string) bool {
	if len(w.lexicon.Values(word)) > 0 || w.lexicon.Adjective(word) || w.lexicon.Verb(w.base(word)) != nil {
		return true
	}
	for part := range strings.SplitSeq(word, "-") { // "t-shirt"
		if len(part) > 1 && w.lexicon.Noun(part) == nil && w.lexicon.Noun(w.inflect.Singular(part)) == nil && !w.lexicon.Adjective(part) {
			return false
		}
	}
	return true
}

// named holds for an object that its caption names: with the tag of a name where not all words have
// capitals, and else with an article or a word that no lexicon knows ("The Balmoral Hotel").
func (w *words) named(c *Caption, o *schemas.Object) bool {
	if !taggedName(c, o) {
		return contains(" the a an ", beforeSpace(o.Name))
	}
	if !titled(c.Text, c.Tokens) {
		return true
	}
	for word := range strings.SplitSeq(o.Name, " ") {
		if !w.isWord(word) {
			return true
		}
	}
	return false
}

// beforeSpace is the first of several words.
func beforeSpace(name string) string {
	first, after := cut(name)
	if after == "" {
		return ""
	}
	return first
}

// taggedName holds where the last word of an object has the tag of a name.
func taggedName(c *Caption, o *schemas.Object) bool {
	for i := range c.Tokens {
		if t := &c.Tokens[i]; t.End == o.End {
			return t.Tag == "NNP" || t.Tag == "NNPS"
		}
	}
	return false
}

// titled holds where all long words of a caption have a capital, but for prepositions and their like, so that one
// says nothing of a word in its middle: "Leather Wallet with Zip".
func titled(text string, tokens []schemas.Token) bool {
	capitals := 0
	for i := range tokens {
		word := text[tokens[i].Begin:tokens[i].End]
		if strings.ContainsFunc(word, unicode.IsUpper) {
			capitals++
		} else if utf8.RuneCountInString(word) > 3 && strings.ContainsFunc(word, unicode.IsLower) && tagOf(tokens[i].Tag)&(tagIN|tagTO|tagCC|tagDT|tagRP|tagPRPS) == 0 {
			return false
		}
	}
	return capitals > 1
}
