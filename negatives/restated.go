package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// A negative of a caption contradicts itself if the rest of its text still states what was changed: "A white dog lies
// on a rug. The dog's black coat is glossy." The functions below find such texts, which are dropped.

// restatement is an edit of a text, searched for other places that state the edited part.
type restatement struct {
	w        *captionWords
	from, to int // the tokens of the text, to excluded
	splices  []splice
}

// isRestated reports whether the text of the tokens from up to but not including end, edited with the splices, still
// states elsewhere what they replace.
func (w *captionWords) isRestated(method methods.Method, from, end int, splices []splice) bool {
	r := restatement{w, from, end, splices}
	for i := range splices {
		s := &splices[i]
		is := false
		switch method {
		case methods.FillObject:
			is = r.namesAgain(s.last)
		case methods.SwapEnds, methods.SwapPartners:
			is = r.namesAgain(s.last)
		case methods.FillAttribute, methods.SwapAdjectives:
			is = r.describesAgain(s)
		case methods.FillQuantity, methods.SwapQuantities:
			is = r.countsAgain(s)
		case methods.ReverseDirection:
			is = r.placesAgain(s)
		}
		if is || r.isAboutSome(s) {
			return true
		}
	}
	return false
}

// isAboutSome reports whether a splice is in a statement about some of several things, so that it may be true of the
// others: "one of the dogs holds a [stick]".
func (r *restatement) isAboutSome(s *splice) bool {
	w := r.w
	for i := s.first - 2; i > r.from; i-- {
		switch {
		case w.tokens[i].Tag == ".":
			return false
		case w.lower[i] != "of" || !w.hasTag(i+1, tagDT|tagPRPS) || !w.hasTag(i-1, tagCD) && !wordclass.Has(" each few many most one several some ", w.lower[i-1]):
		default:
			of := w.headAfter(i + 1)
			return of >= 0 && of < s.first
		}
	}
	return false
}

// isChanged reports whether a token is in one of the splices.
func (r *restatement) isChanged(i int) bool {
	return slices.ContainsFunc(r.splices, func(s splice) bool { return s.first <= i && i <= s.last })
}

// namesAgain reports whether the text names the thing of the noun at i elsewhere: "the spices" after "put the spices
// into a pan". A noun with "a", "another" or a number names another thing, unless it may be one of several that an
// earlier sentence names.
func (r *restatement) namesAgain(i int) bool {
	w := r.w
	n := w.words.Noun(w.tokens[i].Lemma)
	for j := r.from; j < r.to; j++ {
		if r.isChanged(j) || !w.hasTag(j, nouns) || w.hasTag(j+1, nouns) && w.tokens[j].Lemma != n.Key {
			continue
		}
		same := w.tokens[j].Lemma == n.Key
		if !same && (!w.isDefinite(max(i, j)) || !words.SameThing(n, w.words.Noun(w.tokens[j].Lemma))) {
			continue
		}
		if !w.introducesThing(max(i, j)) || w.hasTag(min(i, j), tagNNS) && w.hasEndBetween(i, j) {
			return true
		}
	}
	return false
}

// describesAgain reports whether the text repeats the replaced attribute of a thing: in another sentence, with the same
// noun, or as that of a thing that matches it.
func (r *restatement) describesAgain(s *splice) bool {
	w := r.w
	value, head := w.lower[s.last], w.headAfter(s.last)
	for j := r.from; j < r.to; j++ {
		inSentence := !w.hasEndBetween(s.first, j)
		if inSentence && wordclass.Has(hues, w.lower[j]) && w.words.Property(value).Colour {
			return true // "a black shirt, its dark hue …"
		}
		if r.isChanged(j) || w.lower[j] != value && (inSentence || !w.hasTag(j, nouns) || !isDerivedFrom(value, w.tokens[j].Lemma)) {
			continue
		}
		of := w.headAfter(j)
		if !inSentence || head >= 0 && of >= 0 && w.tokens[of].Lemma == w.tokens[head].Lemma && !w.introducesThing(max(head, of)) || r.matches() {
			return true
		}
	}
	return false
}

// isDerivedFrom reports whether an adjective is derived from a noun: "snowy", "sunny", "stony", "wooden".
func isDerivedFrom(adjective, noun string) bool {
	stem := strings.TrimSuffix(adjective, "y")
	if stem == adjective {
		return strings.TrimSuffix(adjective, "en") == noun && adjective != noun
	}
	return stem == noun || stem+"e" == noun || len(stem) > 2 && stem[len(stem)-1] == stem[len(stem)-2] && stem[:len(stem)-1] == noun
}

// matches reports whether the text says that one thing matches another, as in "matching".
func (r *restatement) matches() bool {
	for j := r.from; j < r.to; j++ {
		if wordclass.Has(" match matches matching matched blend blends blending ", r.w.lower[j]) {
			return true
		}
	}
	return false
}

// countsAgain reports whether the text repeats the number that a splice replaces: "two helmets, one gleaming and the
// other black", "four headlights. The headlights, two on each side, …".
func (r *restatement) countsAgain(s *splice) bool {
	w := r.w
	head := w.headAfter(s.last)
	for j := r.from; j < r.to; j++ {
		switch {
		case r.isChanged(j):
		case wordclass.Has(" both pair trio duo former latter ", w.lower[j]):
			return true
		case w.lower[j] == "other" && grammar.WordBefore(w.lower, j) == "the", w.lower[j] == "another" && w.headAfter(j) < 0,
			(w.hasTag(j, tagCD) || w.lower[j] == "one") && j > s.last && w.headAfter(j) < 0:
			return true
		case w.hasTag(j, tagCD) && head >= 0 && w.headAfter(j) >= 0 && w.tokens[w.headAfter(j)].Lemma == w.tokens[head].Lemma:
			return true
		}
	}
	return false
}

// placesAgain reports whether the text gives another thing the place in which the splice puts this one ("The man on the
// left … On the right, his friend"), or states this thing's place or height again.
func (r *restatement) placesAgain(s *splice) bool {
	w := r.w
	for j := r.from; j < r.to; j++ {
		switch {
		case r.isChanged(j):
		case w.lower[j] == s.text && wordclass.Has(" left right foreground background top bottom ", s.text) && w.hasEndBetween(s.first, j),
			w.lower[j] == w.lower[s.last] && w.hasEndBetween(s.first, j) && w.sharesNoun(s.first, j):
			return true
		case wordclass.Has(" top bottom above below ", s.text) && j > s.last && !w.hasEndBetween(s.first, j) && wordclass.Has(" above below over under beneath ", w.lower[j]):
			return true
		case strings.HasPrefix(s.text, "in front") && wordclass.Has(" back backs ", w.lower[j]) && !w.hasEndBetween(s.first, j):
			return true // "their backs to a street that stretches out behind them"
		}
	}
	return false
}

// sharesNoun reports whether the sentences of tokens i and j name the same thing: "a tower on the [left]. … the tower
// to its [left]". The picture and its places do not count.
func (w *captionWords) sharesNoun(i, j int) bool {
	first, last := w.sentenceOf(i)
	from, to := w.sentenceOf(j)
	for i = first; i <= last; i++ {
		lemma := w.tokens[i].Lemma
		if w.hasTag(i, nouns) && !wordclass.Has(pictureNouns, lemma) && !wordclass.Has(picturePlaces, lemma) &&
			slices.ContainsFunc(w.tokens[from:to+1], func(t schemas.Token) bool { return t.Lemma == lemma }) {
			return true
		}
	}
	return false
}

// sentenceOf returns the first and the last token of the sentence of token i, without its full stop.
func (w *captionWords) sentenceOf(i int) (first, last int) {
	first, last = i, i
	for first > 0 && w.tokens[first-1].Tag != "." {
		first--
	}
	for last+1 < len(w.tokens) && w.tokens[last+1].Tag != "." {
		last++
	}
	return first, last
}

// hasEndBetween reports whether a sentence ends between tokens i and j.
func (w *captionWords) hasEndBetween(i, j int) bool {
	for k := min(i, j); k < max(i, j); k++ {
		if w.tokens[k].Tag == "." {
			return true
		}
	}
	return false
}

// articleOf returns the token before a noun and its modifiers, or −1. counted reports whether one of the modifiers is a
// number.
func (w *captionWords) articleOf(noun int) (at int, counted bool) {
	at = noun - 1
	for w.hasTag(at, tagJJ|tagVBN|tagVBG|tagRB|tagCD|nouns) {
		counted = counted || w.hasTag(at, tagCD)
		at--
	}
	return at, counted
}

// introducesThing reports whether a noun introduces a thing: "a dog", "another dog", "two dogs".
func (w *captionWords) introducesThing(noun int) bool {
	at, counted := w.articleOf(noun)
	return counted || at >= 0 && wordclass.Has(" a an another other some more several many various ", w.lower[at]) || hasOther(w, at, noun)
}

// hasOther reports whether "other" or the like is among the tokens between at and noun.
func hasOther(w *captionWords, at, noun int) bool {
	return slices.ContainsFunc(w.lower[at+1:noun], func(word string) bool {
		return wordclass.Has(" other another different second third several many ", word)
	})
}

// isDefinite reports whether a noun has "the", "this", "his" or the like, and so was named before.
func (w *captionWords) isDefinite(noun int) bool {
	at, _ := w.articleOf(noun)
	return at >= 0 && wordclass.Has(" the this that these those its his her their ", w.lower[at])
}
