package negatives

import (
	"unicode"
	"unicode/utf8"

	"capgraph/internal/lexicon"
	"capgraph/negatives/say"
)

// splice replaces the tokens first to last of a caption by text.
type splice struct {
	first, last int
	text        string
}

// applySplices appends the caption with the splices to dst. They are in order and do not overlap. At the
// beginning, and where all words or the neighbours are capitalised, a new word gets the case of the
// word that it replaces. An article right before a new word is changed to "a" or "an" as needed.
func (w *captionWords) applySplices(dst []byte, splices []splice) []byte {
	at := int32(0)
	for _, s := range splices {
		begin := w.tokens[s.first].Begin
		if i := s.first - 1; i >= 0 && (w.lower[i] == "a" || w.lower[i] == "an") && w.tokens[i].Begin >= at {
			dst = append(dst, w.text[at:w.tokens[i].Begin]...)
			dst = say.AppendInCase(dst, lexicon.Article(s.text), w.textOf(i, i))
			at = w.tokens[i].End
		}
		dst = append(dst, w.text[at:begin]...)
		switch model := w.textOf(s.first, s.first); {
		case model != w.lower[s.first] && (w.isTitle() || s.first > 0 && (w.isCapital(s.first-1) || w.isCapital(s.last+1))):
			dst = say.AppendTitled(dst, s.text, model)
		case s.first == 0 || w.tokens[s.first-1].Tag == ".":
			dst = say.AppendInCase(dst, s.text, model)
		default:
			dst = append(dst, s.text...)
		}
		at = w.tokens[s.last].End
	}
	return append(dst, w.text[at:]...)
}

// isCapital reports whether word i begins with a capital. It is false for an index out of range.
func (w *captionWords) isCapital(i int) bool {
	return i >= 0 && i < len(w.tokens) && say.IsCapital(w.textOf(i, i))
}

// repeatsNeighbour reports whether a splice begins with the word before it or ends with the word after it.
func (w *captionWords) repeatsNeighbour(splices []splice) bool {
	for i, s := range splices {
		before, after := "", ""
		if s.first > 0 {
			before = w.lower[s.first-1]
		}
		if s.last+1 < len(w.lower) {
			after = w.lower[s.last+1]
		}
		if i > 0 && splices[i-1].last == s.first-1 {
			before = splices[i-1].text
		}
		if i+1 < len(splices) && splices[i+1].first == s.last+1 {
			after = splices[i+1].text
		}
		if say.Repeats(before, s.text) || say.Repeats(s.text, after) {
			return true
		}
	}
	return false
}

// textForMove returns the text of tokens first to last for another place in the caption: without a
// capital at its beginning, except in names and acronyms.
func (w *captionWords) textForMove(first, last int) string {
	s := w.textOf(first, last)
	if w.hasTag(first, tagNNP|tagNNPS) || say.IsAcronym(w.textOf(first, first)) {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(r) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}
