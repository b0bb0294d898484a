package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/plausible"
	"capgraph/negatives/say"
	"capgraph/negatives/words"
)

// swapWords swaps two adjectives before different nouns, or two adverbs.
func (g *Generator) swapWords(pl *plan, r *random, tag tags) {
	w := g.caption
	var buf [maxRuns]int
	at := buf[:0]
	for i := range w.tokens {
		if w.is(i, tag) && (tag != tagRB || manner(w.lower[i])) && len(at) < maxRuns && !wordclass.Has(words.Fixed, w.lower[i]) && (tag != tagJJ || w.headAfter(i) >= 0) {
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
	return strings.HasSuffix(adverb, "ly") || wordclass.Has(" fast slow high low hard well ", adverb)
}

func (g *Generator) wordsSwap(pl *plan, a, b int, tag tags) Reason {
	w := g.caption
	x, y := w.lower[a], w.lower[b]
	if x == y || words.SameValue(g.words.Property(x).Values, g.words.Property(y).Values) || g.words.Lexicon.AreSimilarAdjectives(x, y) && !g.words.Lexicon.AreExclusive(x, y) {
		return ReasonSynonym
	}
	if tag != tagJJ {
		return noReason
	}
	h, k := w.headAfter(a), w.headAfter(b)
	switch {
	case w.paired(a), w.paired(b): // "a wooden and white photo"
		return ReasonGrammar
	case a > 0 && say.IsCapital(w.original(a, a)) != say.IsCapital(w.original(b, b)): // "an asian toothbrush"
		return ReasonGrammar
	case g.bound(a, h), g.bound(b, k):
		return ReasonGrammar
	}
	if h == k {
		return ReasonKnownGraph // "small white dog", "white small dog"
	}
	first, second := w.noun(g.words, h, h), w.noun(g.words, k, k)
	if words.SameThing(first, second) && g.coordinated(run{a, h, h}, run{b, k, k}, false) {
		return ReasonSymmetric
	}
	if c := g.known.classOf(first); c >= 0 && !words.SameThing(first, second) && g.known.mayHave(c, g.words.Property(y)) {
		return ReasonKnownGraph
	}
	if c := g.known.classOf(second); c >= 0 && !words.SameThing(first, second) && g.known.mayHave(c, g.words.Property(x)) {
		return ReasonKnownGraph
	}
	claim := g.claims(pl)
	claim.Traits = append(claim.Traits, plausible.Trait{Noun: first, Is: g.words.Property(y), Was: g.words.Property(x)}, plausible.Trait{Noun: second, Is: g.words.Property(x), Was: g.words.Property(y)})
	if g.filtered.plausible && !lexicon.ValuesAreExclusive(g.words.Property(x).Values, g.words.Property(y).Values) {
		return ReasonDimension
	}
	return noReason
}

// bound holds for an adjective that is a part of another or of the noun's name:
// "long haired", "soft drink".
func (g *Generator) bound(i, head int) bool {
	w := g.caption
	if wordclass.Has(ofParts, w.lower[i]) || wordclass.Has(ofParts, grammar.WordAfter(w.lower, i)) {
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
	return !slices.Equal(g.words.Lexicon.NounSenses(w.lower[i]+" "+name.Key), g.words.Lexicon.NounSenses(name.Key))
}

// paired holds for an adjective that "and" joins to another.
func (w *captionWords) paired(i int) bool {
	return w.is(i+1, tagCC) && w.is(i+2, tagJJ) || w.is(i-1, tagCC) && w.is(i-2, tagJJ)
}
