package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
)

// swapWords swaps two adjectives before different nouns, or two adverbs.
func (g *Generator) swapWords(pl *plan, r *random, tag tags) {
	w := g.caption
	var buf [maxRuns]int
	at := buf[:0]
	for i := range w.tokens {
		if w.is(i, tag) && (tag != tagRB || manner(w.lower[i])) && len(at) < maxRuns && !contains(fixed, w.lower[i]) && (tag != tagJJ || w.headAfter(i) >= 0) {
			at = append(at, i)
		}
	}
	left := g.wanted(pl.method)
	for i, j := range g.pairs(len(at), r) {
		a, b := at[i], at[j]
		if g.swap(pl, g.wordsSwap(pl, a, b, tag), func() [2]splice {
			return [2]splice{{a, a, w.moved(b, b)}, {b, b, w.moved(a, a)}}
		}) {
			if left--; left == 0 {
				return
			}
		}
	}
}

// manner holds for adverbs that say how, and not where to: "slowly", not "up".
func manner(adverb string) bool {
	return strings.HasSuffix(adverb, "ly") || contains(" fast slow high low hard well ", adverb)
}

func (g *Generator) wordsSwap(pl *plan, a, b int, tag tags) Reason {
	w := g.caption
	x, y := w.lower[a], w.lower[b]
	if x == y || sameValue(g.words.property(x).values, g.words.property(y).values) || g.words.lexicon.SimilarAdjectives(x, y) && !g.words.lexicon.Exclude(x, y) {
		return ReasonSynonym
	}
	if tag != tagJJ {
		return noReason
	}
	h, k := w.headAfter(a), w.headAfter(b)
	switch {
	case w.paired(a), w.paired(b): // "a wooden and white photo"
		return ReasonGrammar
	case a > 0 && isCapital(w.original(a, a)) != isCapital(w.original(b, b)): // "an asian toothbrush"
		return ReasonGrammar
	case g.bound(a, h), g.bound(b, k):
		return ReasonGrammar
	}
	if h == k {
		return ReasonKnownGraph // "small white dog", "white small dog"
	}
	first, second := w.noun(g.words, h, h), w.noun(g.words, k, k)
	if sameThing(first, second) && g.coordinated(run{a, h, h}, run{b, k, k}, false) {
		return ReasonSymmetric
	}
	if c := g.known.classOf(first); c >= 0 && !sameThing(first, second) && g.known.mayHave(c, g.words.property(y)) {
		return ReasonKnownGraph
	}
	if c := g.known.classOf(second); c >= 0 && !sameThing(first, second) && g.known.mayHave(c, g.words.property(x)) {
		return ReasonKnownGraph
	}
	claim := g.claims(pl)
	claim.traits = append(claim.traits, trait{first, g.words.property(y), g.words.property(x)}, trait{second, g.words.property(x), g.words.property(y)})
	if g.filtered.plausible && !lexicon.ValuesExclude(g.words.property(x).values, g.words.property(y).values) {
		return ReasonDimension
	}
	return noReason
}

// bound holds for an adjective that is a part of another or of the noun's name:
// "long haired", "soft drink".
func (g *Generator) bound(i, head int) bool {
	w := g.caption
	if contains(ofParts, w.lower[i]) || contains(ofParts, wordAfter(w.lower, i)) {
		return true
	}
	first := head
	for first > i+1 && w.is(first-1, nouns|tagNNP|tagNNPS) {
		first--
	}
	if first != i+1 {
		return false
	}
	name := w.noun(g.words, first, head)
	return !slices.Equal(g.words.lexicon.Noun(w.lower[i]+" "+name.key), g.words.lexicon.Noun(name.key))
}

// paired holds for an adjective that "and" joins to another.
func (w *captionWords) paired(i int) bool {
	return w.is(i+1, tagCC) && w.is(i+2, tagJJ) || w.is(i-1, tagCC) && w.is(i-2, tagJJ)
}
