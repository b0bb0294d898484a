package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/plausible"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
)

// swapAdjectives swaps two adjectives before different nouns.
func swapAdjectives(job *captionJob, pl *plan) { swapWords(job, pl, tagJJ) }

// swapAdverbs swaps two adverbs.
func swapAdverbs(job *captionJob, pl *plan) { swapWords(job, pl, tagRB) }

// swapWords swaps two words of a tag.
func swapWords(job *captionJob, pl *plan, tag tags) {
	w := &job.words
	var buf [maxRuns]int
	at := buf[:0]
	for i := range w.tokens {
		if w.hasTag(i, tag) && (tag != tagRB || isManner(w.lower[i])) && len(at) < maxRuns && !wordclass.Has(words.Fixed, w.lower[i]) && (tag != tagJJ || w.headAfter(i) >= 0) {
			at = append(at, i)
		}
	}
	left := job.maxOf(pl.method)
	for i, j := range drawPairs(len(at), job.sampler.wanted, &job.random) {
		a, b := at[i], at[j]
		if job.sink.emitSwap(pl, checkWordSwap(job, pl, a, b, tag), func() [2]splice {
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

func checkWordSwap(job *captionJob, pl *plan, a, b int, tag tags) Reason {
	w := &job.words
	x, y := w.lower[a], w.lower[b]
	if x == y || words.SameValue(job.dict.words.Property(x).Values, job.dict.words.Property(y).Values) || job.dict.words.Lexicon.AreSimilarAdjectives(x, y) && !job.dict.words.Lexicon.AreExclusive(x, y) {
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
	case w.isPartOfName(a, h), w.isPartOfName(b, k):
		return ReasonGrammar
	}
	if h == k {
		return ReasonMayBeTrue // "small white dog", "white small dog"
	}
	first, second := w.nounAt(h, h), w.nounAt(k, k)
	if words.SameThing(first, second) && w.areCoordinated(run{a, h, h}, run{b, k, k}, false) && !w.areTwoPeople(first, second, b) {
		return ReasonSymmetric
	}
	if c := job.facts.classOf(first); c >= 0 && !words.SameThing(first, second) && job.facts.mayHave(c, job.dict.words.Property(y)) {
		return ReasonMayBeTrue
	}
	if c := job.facts.classOf(second); c >= 0 && !words.SameThing(first, second) && job.facts.mayHave(c, job.dict.words.Property(x)) {
		return ReasonMayBeTrue
	}
	claim := job.sink.judge.newClaim(pl)
	claim.Traits = append(claim.Traits, plausible.Trait{Noun: first, Is: job.dict.words.Property(y), Was: job.dict.words.Property(x)}, plausible.Trait{Noun: second, Is: job.dict.words.Property(x), Was: job.dict.words.Property(y)})
	if job.dict.filter.plausible && !job.dict.excludeEachOther(job.dict.words.Property(x), job.dict.words.Property(y)) {
		return ReasonDimension
	}
	if p, q := job.dict.words.Property(x), job.dict.words.Property(y); !p.Colour && (!job.dict.attributeApplies(first, q) || !job.dict.attributeApplies(second, p)) {
		return ReasonImplausible // "a young camera"
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
	if p := w.words.Property(w.lower[i]); name.Kind == truth.People && (p.Age || p.Size) { // "young man", which is a sense of its own
		return false
	}
	return !slices.Equal(w.words.Lexicon.NounSenses(w.lower[i]+" "+name.Key), w.words.Lexicon.NounSenses(name.Key))
}

// areTwoPeople reports whether two nouns for people, of which the second follows an adjective, are said
// of two: by other words, the second with an article: "a tall scientist and a short pilot".
func (w *captionWords) areTwoPeople(first, second *words.Noun, adjective int) bool {
	for w.hasTag(adjective-1, tagJJ|tagVBN|tagVBG|tagRB) {
		adjective--
	}
	return first.Kind == truth.People && second.Kind == truth.People && first.Head != second.Head && w.hasTag(adjective-1, tagDT)
}

// isPaired reports whether "and" joins an adjective to another.
func (w *captionWords) isPaired(i int) bool {
	return w.hasTag(i+1, tagCC) && w.hasTag(i+2, tagJJ) || w.hasTag(i-1, tagCC) && w.hasTag(i-2, tagJJ)
}
