package words

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
)

// isName reports whether a noun is always a proper name. It is if the lexicon has it as one, if the
// corpus mostly writes it as one, or if a word before its head is a name or unknown ("grattan
// bridge", "golden gate bridge"). Before a word for people or a product, such a word is only a team
// or brand ("a yankees player", "a gucci belt").
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

// isMade reports whether a noun is a product: clothes, furniture, a device, a container or the
// like.
func (w *Cache) isMade(n *Noun) bool {
	switch n.Kind {
	case truth.Clothing, truth.Furniture:
		return true
	}
	return n.Kind == 0 && n.isOneOf(w.Vocab.Kinds.Implements)
}

// isWord reports whether the lexicon has a word, inflected or not.
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

// IsNamed reports whether an object is called by a proper name, of a person, a place, a brand or a
// work. Either its noun is always a name, or its caption writes it as one. A name takes no other
// article, is not followed by "that is", does not follow "there is", and is not replaced.
func (w *Cache) IsNamed(n *Noun, name string, written grammar.Spelling) bool {
	return n.Name || w.isWrittenAsName(name, written)
}

// isWrittenAsName reports whether a caption writes an object as a proper name. The name must have
// the tag of a name; if the caption is capitalised throughout, it must also have a word that the
// lexicon lacks. Without the tag it must begin with an article ("The Balmoral Hotel").
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
