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
		if w.hasTag(i, tag) && (tag != tagRB || isManner(w.lower[i])) && len(at) < maxRuns && !wordclass.Has(words.Fixed, w.lower[i]) && (tag != tagJJ || w.headAfter(i) >= 0) {
			at = append(at, i)
		}
	}
	left := g.maxOf(pl.method)
	for i, j := range drawPairs(len(at), g.opts.Candidates, r) {
		a, b := at[i], at[j]
		if g.sink.emitSwap(pl, g.checkWordSwap(pl, a, b, tag), func() [2]splice {
			return [2]splice{{a, a, w.moved(b, b)}, {b, b, w.moved(a, a)}}
		}) {
			if left--; left == 0 {
				return
			}
		}
	}
}

// isManner reports whether an adverb says how, not where to: "slowly", not "up".
func isManner(adverb string) bool {
	return strings.HasSuffix(adverb, "ly") || wordclass.Has(" fast slow high low hard well ", adverb)
}

func (g *Generator) checkWordSwap(pl *plan, a, b int, tag tags) Reason {
	w := g.caption
	x, y := w.lower[a], w.lower[b]
	if x == y || words.SameValue(g.dict.words.Property(x).Values, g.dict.words.Property(y).Values) || g.dict.words.Lexicon.AreSimilarAdjectives(x, y) && !g.dict.words.Lexicon.AreExclusive(x, y) {
		return ReasonSynonym
	}
	if tag != tagJJ {
		return noReason
	}
	h, k := w.headAfter(a), w.headAfter(b)
	switch {
	case w.isPaired(a), w.isPaired(b): // "a wooden and white photo"
		return ReasonGrammar
	case a > 0 && say.IsCapital(w.textOf(a, a)) != say.IsCapital(w.textOf(b, b)): // "an asian toothbrush"
		return ReasonGrammar
	case g.caption.isPartOfName(a, h), g.caption.isPartOfName(b, k):
		return ReasonGrammar
	}
	if h == k {
		return ReasonKnownGraph // "small white dog", "white small dog"
	}
	first, second := w.nounAt(h, h), w.nounAt(k, k)
	if words.SameThing(first, second) && g.caption.areCoordinated(run{a, h, h}, run{b, k, k}, false) {
		return ReasonSymmetric
	}
	if c := g.facts.classOf(first); c >= 0 && !words.SameThing(first, second) && g.facts.mayHave(c, g.dict.words.Property(y)) {
		return ReasonKnownGraph
	}
	if c := g.facts.classOf(second); c >= 0 && !words.SameThing(first, second) && g.facts.mayHave(c, g.dict.words.Property(x)) {
		return ReasonKnownGraph
	}
	claim := g.sink.judge.newClaim(pl)
	claim.Traits = append(claim.Traits, plausible.Trait{Noun: first, Is: g.dict.words.Property(y), Was: g.dict.words.Property(x)}, plausible.Trait{Noun: second, Is: g.dict.words.Property(x), Was: g.dict.words.Property(y)})
	if g.dict.filter.plausible && !lexicon.ValuesAreExclusive(g.dict.words.Property(x).Values, g.dict.words.Property(y).Values) {
		return ReasonDimension
	}
	return noReason
}

// isPartOfName reports whether an adjective belongs to another or to the noun's name: "long
// haired", "soft drink".
func (w *captionWords) isPartOfName(i, head int) bool {
	if wordclass.Has(ofParts, w.lower[i]) || wordclass.Has(ofParts, grammar.WordAfter(w.lower, i)) {
		return true
	}
	first := head
	for first > i+1 && w.hasTag(first-1, nouns|tagNNP|tagNNPS) {
		first--
	}
	if first != i+1 {
		return false
	}
	name := w.nounAt(first, head)
	return !slices.Equal(w.words.Lexicon.NounSenses(w.lower[i]+" "+name.Key), w.words.Lexicon.NounSenses(name.Key))
}

// isPaired reports whether "and" joins an adjective to another.
func (w *captionWords) isPaired(i int) bool {
	return w.hasTag(i+1, tagCC) && w.hasTag(i+2, tagJJ) || w.hasTag(i-1, tagCC) && w.hasTag(i-2, tagJJ)
}
