package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// Often only a part of a sentence, set off by commas, is invisible or refers to the sentence before, and the rest can
// be read alone: "The road, acting as the stage for this event, is filled with runners."

// leaveOut removes the part of a sentence that refers to the one before. It reports whether the rest can be read alone.
func (s *sentenceReader) leaveOut(x *statedSentence) bool {
	if x.named > 0 {
		return false
	}
	for _, y := range s.shorterSentences(x) {
		if s.isWhole(&y) {
			*x = y
			return true
		}
	}
	return false
}

// shorterSentences returns versions of a sentence, each without one of these: the phrase before its first comma
// ("Beyond it, a hill rises"), "also", what is between commas after its subject, or its end from a comma on (", while
// others wait").
func (s *sentenceReader) shorterSentences(x *statedSentence) (list []statedSentence) {
	begins := []int{x.first}
	if next := s.tokenAfterLeadIn(x, x.first); next > 0 {
		begins = []int{next, x.first}
		list = append(list, statedSentence{first: next, last: x.last, sentence: x.sentence})
	}
	if also := slices.Index(s.lower[x.first:x.last], "also") + x.first; also > x.first {
		list = append(list, s.leaveOutTokens(x, also, also))
	}
	if y := *x; s.leaveOutParenthesis(&y, x.first) > 0 {
		list = append(list, y)
	}
	for _, first := range begins {
		for i := x.last; i > first; i-- {
			if s.c.Tokens[i].Tag == "," {
				list = append(list, statedSentence{first: first, last: i - 1, sentence: x.sentence})
			}
		}
	}
	return list
}

// leaveOutTokens returns a sentence without the tokens first to last. The text before them becomes its subject field.
func (s *sentenceReader) leaveOutTokens(x *statedSentence, first, last int) statedSentence {
	return statedSentence{
		first: x.first, last: x.last, named: last + 1 - x.first, sentence: x.sentence,
		subject: s.c.Text[s.c.Tokens[x.first].Begin:s.c.Tokens[first-1].End],
	}
}

// leaveOutParenthesis removes what is between commas after the subject of a sentence. It returns the token after that,
// or −1 if there is none or token i comes after it.
func (s *sentenceReader) leaveOutParenthesis(x *statedSentence, i int) int {
	begin := slices.IndexFunc(s.c.Tokens[x.first:x.last], func(t schemas.Token) bool { return t.Tag == "," }) + x.first
	if begin <= x.first || x.named > 0 || !s.isNounPhrase(x.first, begin-1) || s.needsMore(&statedSentence{first: x.first, last: begin - 1}, "") {
		return -1
	}
	for j := begin + 1; j < x.last; j++ {
		if s.c.Tokens[j].Tag == "," && wordclass.Has(" VBZ VBP VBD ", s.c.Tokens[j+1].Tag) {
			if i > j || s.isUnseen(j+1) {
				return -1
			}
			*x = s.leaveOutTokens(x, begin, j)
			return j + 1
		}
	}
	return -1
}

// isWhole reports whether a shortened sentence has a verb, shows something and does not depend on another sentence.
func (s *sentenceReader) isWhole(x *statedSentence) bool {
	rest := statedSentence{first: x.first + x.named, last: x.last}
	if rest.last-rest.first+1 < minSentenceTokens-x.named || !s.hasVerb(x, finiteTags) || !s.showsSomething(x) || s.hasOpenQuote(x) {
		return false
	}
	if slices.ContainsFunc(s.c.Tokens[rest.first:rest.last+1], func(t schemas.Token) bool { return t.Tag == "PRP" }) {
		return false
	}
	if x.named == 0 {
		return s.standsAlone(x)
	}
	return !s.needsMore(&rest, "") && !strings.HasPrefix(s.c.Tokens[x.first].Tag, "PRP")
}

// trimEnd removes incomplete words at the end of a sentence: ", carrying", "and", ", while on the right". end is where
// the sentence ended before its invisible part was cut off.
func (s *sentenceReader) trimEnd(x *statedSentence, end int) {
	for ; x.last > x.first; x.last-- {
		cut := x.last < end-1
		switch {
		case wordclass.Has(" , ; : and or but - – — ", s.lower[x.last]), cut && s.c.Tokens[x.last].Tag == "RB":
		case cut && s.c.Tokens[x.last].Tag == "VBG" && s.c.Tokens[x.last-1].Tag == ",":
		default:
			open := s.findOpenClause(x)
			if !cut || open < 0 {
				return
			}
			x.last = open
		}
	}
}

// findOpenClause returns the conjunction of the last clause if that has no verb, or −1.
func (s *sentenceReader) findOpenClause(x *statedSentence) int {
	for i := x.last; i > x.first; i-- {
		switch {
		case wordclass.Has(finiteTags+" VBN VBG VB ", s.c.Tokens[i].Tag):
			return -1
		case wordclass.Has(" while whereas as because where ", s.lower[i]) && s.c.Tokens[i-1].Tag == ",":
			return i
		}
	}
	return -1
}
