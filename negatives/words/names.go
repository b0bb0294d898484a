package words

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
)

// isName reports whether a noun is always a name: in the lexicon or in most of the corpus, or
// because the words before its last are a name or in no lexicon ("grattan bridge", "golden gate
// bridge"). Such words before a role, or before a thing that is made in numbers, are its brand or
// team ("a yankees player", "a gucci belt").
func (w *Cache) isName(n *Noun) bool {
	if u := w.Vocab.Usage[n.Key]; w.Lexicon.IsName(n.Key) || w.Lexicon.IsName(n.Head) || 2*u.Names > u.Sum() {
		return true
	}
	if n.Kind == truth.People || w.isMade(n) {
		return false
	}
	before := strings.TrimSuffix(n.Key, n.Head)
	if w.Lexicon.IsName(strings.TrimSuffix(before, " ")) {
		return true
	}
	for before != "" {
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

// isWord reports whether the lexicon knows a word, inflected or not.
func (w *Cache) isWord(word string) bool { return rememberWord(w, w.known, word, (*Cache).lookUp) }

func (w *Cache) lookUp(word string) bool {
	w.Kept += WordSize
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

// IsNamed reports whether an object with a noun is a name of a person, a place, a make or a work: by
// its noun, or as its caption writes it. A name takes no article but its own, is not described by
// "that is", does not follow "there is", and is not replaced.
func (w *Cache) IsNamed(n *Noun, name string, written grammar.Spelling) bool {
	return n.Name || w.isWrittenAsName(name, written)
}

// isWrittenAsName reports whether a caption writes an object as a name: with the tag of a name where
// not all words have capitals, and else with an article or a word that no lexicon knows ("The Balmoral
// Hotel").
func (w *Cache) isWrittenAsName(name string, written grammar.Spelling) bool {
	if last := written.Last; !written.Tagged || strings.ToLower(last) == last && w.isWord(last) { // "Chevy logo"
		first, _, several := strings.Cut(name, " ")
		return several && wordclass.Has(" the a an ", first)
	}
	if !written.Titled {
		return true
	}
	for word := range strings.SplitSeq(name, " ") {
		if !w.isWord(word) {
			return true
		}
	}
	return false
}
