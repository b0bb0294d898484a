package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
)

// The verb of a sentence often states something invisible: "The cap, adorned with a logo, adds charm." Without it the
// rest has no verb, so addVerb adds one.

// addVerb adds "is" or "are" to a sentence without a verb, and reports whether it could. A participle after a thing
// gives "The cap is adorned with a logo", and a thing after a place "In the background, there is a red shack".
func (s *sentenceReader) addVerb(x *statedSentence) bool {
	comma := slices.Index(s.lower[x.first:x.last], ",") + x.first
	if comma <= x.first || slices.ContainsFunc(s.lower[x.first:x.last+1], func(w string) bool { return wordclass.Has(" as like ", w) }) {
		return false
	}
	text := s.c.Text[s.c.Tokens[x.first].Begin:s.c.Tokens[comma].End]
	switch {
	case s.isNounPhrase(x.first, comma-1) && s.c.Tokens[comma+1].Tag == "VBN" && !s.isUnseen(comma+1):
		x.subject = strings.TrimRight(text, " ,") + " " + s.formOfBe(x.first, comma-1)
		if next := slices.Index(s.lower[comma+1:x.last], ","); next > 0 {
			x.last = comma + next
		}
	case s.c.Tokens[x.first].Tag == "IN" && s.isNounPhrase(comma+1, x.last) && s.introducesThing(comma+1):
		x.subject = text + " there " + s.formOfBe(comma+1, x.last)
	default:
		return false
	}
	x.named = comma + 1 - x.first
	return true
}

// endsInVerb reports whether the last token of a sentence is a verb of posture that was tagged as a noun: "a grey shed
// stands", "buildings stand".
func (s *sentenceReader) endsInVerb(x *statedSentence) bool {
	last, noun := &s.c.Tokens[x.last], s.c.Tokens[x.last-1].Tag
	return wordclass.Has(grammar.Postures, last.Lemma) && (last.Tag == "NNS" && (noun == "NN" || noun == "NNP") || last.Tag == "NN" && noun == "NNS")
}

// isNounPhrase reports whether tokens first to last are a noun with its modifiers, without a verb or a clause, and the
// noun is visible in the picture.
func (s *sentenceReader) isNounPhrase(first, last int) bool {
	if first > last || !wordclass.Has(" CD DT JJ NN NNS ", s.c.Tokens[first].Tag) {
		return false
	}
	shown := false
	for i := first; i <= last; i++ {
		if i > first && s.c.Tokens[i-1].Tag == "NNS" && strings.HasPrefix(s.c.Tokens[i].Tag, "N") {
			return false // a verb: "buildings rise"
		}
		if t := &s.c.Tokens[i]; !wordclass.Has(" CC CD DT IN JJ NN NNP NNS POS RB ", t.Tag) && !(isAdjective(t.Tag) && i < last && strings.HasPrefix(s.c.Tokens[i+1].Tag, "N")) {
			return false
		}
		shown = shown || s.isVisible(i)
	}
	return shown
}

// introducesThing reports whether the noun phrase at token i introduces a thing: "a shack", "two men", "trees".
func (s *sentenceReader) introducesThing(i int) bool {
	return s.c.Tokens[i].Tag != "DT" || s.lower[i] == "a" || s.lower[i] == "an"
}

// formOfBe returns "is" or "are", as the noun phrase of tokens first to last needs.
func (s *sentenceReader) formOfBe(first, last int) string {
	for i := first; i <= last && s.c.Tokens[i].Tag != "IN"; i++ {
		if t := &s.c.Tokens[i]; t.Tag == "CC" && i > first && strings.HasPrefix(s.c.Tokens[i-1].Tag, "N") || t.Tag == "NNS" && (i == last || !strings.HasPrefix(s.c.Tokens[i+1].Tag, "N") && s.c.Tokens[i+1].Tag != "POS") {
			return "are"
		}
	}
	return "is"
}
