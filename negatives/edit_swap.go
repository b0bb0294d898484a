package negatives

import (
	"iter"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// run is a range of tokens from first to last: the noun of a noun phrase, or a verb with its
// preposition. begin is the first token of the noun phrase, such as its article.
type run struct{ begin, first, last int }

// nounRuns appends the noun phrases of the caption to dst.
func (w *captionWords) nounRuns(dst []run) []run {
	for i := 0; i < len(w.tokens); i++ {
		if !w.hasTag(i, nouns) {
			continue
		}
		last := w.runEnd(i)
		begin := i
		for w.hasTag(begin-1, tagJJ|tagCD|tagVBN|tagVBG|tagDT|tagPRPS|tagJJR|tagJJS) && !(w.hasTag(begin-1, tagVBN|tagVBG) && !w.hasTag(begin-2, tagDT|tagJJ|tagPRPS)) &&
			(!w.hasTag(begin-1, tagJJ) || truth.PlaceOf(w.lower[begin-1]) == truth.Nowhere) { // "near", which a tagger takes for an adjective
			begin--
			if w.hasTag(begin, tagDT|tagPRPS) {
				break
			}
		}
		if !w.hasTag(i-1, tagNNP|tagNNPS) && !w.hasTag(last, tagNNP|tagNNPS) && !w.isAttributive(last+1) && !w.hasTag(begin-1, tagVBN) {
			dst = append(dst, run{begin, max(begin, w.nameBegin(i, last)), last})
		}
		i = last
	}
	return dst
}

// verbRuns appends the caption's verbs of action to dst, each with the preposition or particle
// after it.
func (w *captionWords) verbRuns(dst []run) []run {
	for i := range w.tokens {
		if !grammar.IsAction(&w.tokens[i]) || w.hasTag(i-1, tagDT|tagJJ|tagPRPS) || w.isAttributive(i) {
			continue
		}
		last := i
		for w.hasTag(last+1, tagIN|tagTO|tagRP) && w.lower[last+1] != "that" && w.lower[last+1] != "while" && w.lower[last+1] != "as" {
			last++
		}
		if last+2 < len(w.lower) && wordclass.Has(" front top back ", w.lower[last+1]) && w.lower[last+2] == "of" {
			last += 2
		}
		dst = append(dst, run{i, i, last})
	}
	return dst
}

// maxRuns is the most noun or verb phrases of a caption that are paired for swaps.
const maxRuns = 12

// drawPairs returns pairs of indices below n: first 0 and 1, then random ones, at most three times
// as many as candidates. No pair comes twice.
func drawPairs(n, candidates int, r *random) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		if n < 2 {
			return
		}
		n = min(n, maxRuns)
		var done [maxRuns * maxRuns]bool
		for t := range 3 * candidates {
			i, j := 0, 1
			if t > 0 {
				i, j = r.IntN(n), r.IntN(n)
			}
			if i > j {
				i, j = j, i
			}
			if i == j || done[i*maxRuns+j] {
				continue
			}
			if done[i*maxRuns+j] = true; !yield(i, j) {
				return
			}
		}
	}
}

// swapNouns swaps two noun phrases, and also their nouns alone.
func swapNouns(job *captionJob, pl *plan) {
	gr, w := &job.caption.Graph, &job.words
	var buf [16]run
	runs := w.nounRuns(buf[:0])
	phrases, nouns := job.maxOf(methods.SwapNounPhrases), job.maxOf(methods.SwapNouns)
	for i, j := range drawPairs(len(runs), job.wanted, &job.random) {
		a, b := runs[i], runs[j]
		x, y := w.nounAt(a.first, a.last), w.nounAt(b.first, b.last)
		reason := w.checkNounSwap(a, b, x, y)
		of, to := objectEndingAt(gr, w.tokens[a.last].End), objectEndingAt(gr, w.tokens[b.last].End)
		if reason == noReason && job.facts.isKnownSwap(gr, job.index, of, to) {
			reason = ReasonMayBeTrue
		}
		if phrases > 0 && exchangePhrases(job, pl, reason, a, b) {
			phrases--
		}
		if nouns > 0 && exchangeNouns(job, pl, reason, a, b, x, y) {
			nouns--
		}
		if phrases+nouns == 0 {
			return
		}
	}
}

// maxOf returns the most negatives to make with a method: 0 if it is not enabled for the caption.
func (job *captionJob) maxOf(method methods.Method) int {
	if !job.enabled[method] {
		return 0
	}
	return job.wanted
}

func exchangePhrases(job *captionJob, pl *plan, reason Reason, a, b run) bool {
	if pl.method = methods.SwapNounPhrases; reason == noReason {
		reason = job.words.checkPhraseSwap(&job.caption.Graph, a, b)
	}
	return emitPhraseExchange(job, pl, reason, a, b)
}

// exchangeNouns swaps two nouns, each in the number of the one that it replaces.
func exchangeNouns(job *captionJob, pl *plan, reason Reason, a, b run, x, y *words.Noun) bool {
	w := &job.words
	if pl.method = methods.SwapNouns; reason == noReason {
		reason = w.checkNounPlaces(a, b, x, y)
	}
	return job.sink.emitSwap(pl, reason, func() [2]splice {
		return [2]splice{{a.first, a.last, w.inflect(a, y)}, {b.first, b.last, w.inflect(b, x)}}
	})
}

// inflect returns noun n in the singular or plural, as the noun in place is. It is empty if that is
// not possible.
func (w *captionWords) inflect(place run, n *words.Noun) string {
	if w.hasTag(place.last, tagNNS) {
		return n.Many
	}
	return n.Key
}

// checkNounSwap returns the reason why neither two nouns nor their phrases can be swapped, or
// noReason.
func (w *captionWords) checkNounSwap(a, b run, x, y *words.Noun) Reason {
	switch {
	case words.SameThing(x, y):
		return ReasonSynonym
	case w.tokens[a.last].End == w.tokens[b.begin].Begin: // "cup/glass", "#2 car"
		return ReasonGrammar
	case w.lower[b.begin-1] == "of" && b.begin-1 == a.last+1, x.Vague, y.Vague, w.followsQuantifier(a), w.followsQuantifier(b), w.isPossessor(a), w.isPossessor(b):
		return ReasonGrammar
	case w.areSymmetric(a, b):
		return ReasonSymmetric
	}
	return noReason
}

// checkPhraseSwap returns the reason why two noun phrases do not fit in each other's place, or
// noReason.
func (w *captionWords) checkPhraseSwap(gr *schemas.SceneGraph, a, b run) Reason {
	switch {
	case w.areCoordinated(a, b, false), w.areAlongside(a, b):
		return ReasonSymmetric
	case w.hasTag(a.begin-1, tagRB|tagPOS), w.hasTag(b.begin-1, tagRB|tagPOS): // "a very the boy", "a man's a cup"
		return ReasonGrammar
	case w.cutsPhrase(gr, a), w.cutsPhrase(gr, b):
		return ReasonGrammar
	case w.hasTag(a.last, tagNNS) != w.hasTag(b.last, tagNNS) && w.hasFiniteVerb(), w.hasTag(a.begin, tagPRPS), w.hasTag(b.begin, tagPRPS):
		return ReasonGrammar
	}
	return noReason
}

// checkNounPlaces returns the reason why two nouns do not fit in each other's place, or noReason.
func (w *captionWords) checkNounPlaces(a, b run, x, y *words.Noun) Reason {
	switch {
	case w.areCoordinated(a, b, true):
		return ReasonSymmetric
	case !w.fitsArticle(a.first, a.last, y), !w.fitsArticle(b.first, b.last, x):
		return ReasonGrammar
	case y.PluralOnly && !w.hasTag(a.last, tagNNS), x.PluralOnly && !w.hasTag(b.last, tagNNS):
		return ReasonGrammar
	case w.hasTag(a.last, tagNNS) && !w.hasTag(b.last, tagNNS) && y.Usage.Plural == 0, w.hasTag(b.last, tagNNS) && !w.hasTag(a.last, tagNNS) && x.Usage.Plural == 0:
		return ReasonGrammar // "cashes"
	}
	return noReason
}

// areAlongside reports whether two phrases are next to each other with the same preposition, so
// that their order does not matter: "on a hanger on a dock".
func (w *captionWords) areAlongside(a, b run) bool {
	return a.begin > 0 && b.begin == a.last+2 && w.hasTag(a.begin-1, tagIN) && w.hasTag(b.begin-1, tagIN) && w.lower[a.begin-1] == w.lower[b.begin-1]
}

// cutsPhrase reports whether the object's name and attributes begin before a run: the run "little
// girl" in "an upside down little girl".
func (w *captionWords) cutsPhrase(gr *schemas.SceneGraph, r run) bool {
	object := objectEndingAt(gr, w.tokens[r.last].End)
	return object >= 0 && grammar.FirstOf(&gr.Objects[object]) < w.tokens[r.begin].Begin
}

// isPossessor reports whether "'s" follows a run. Its replacement would need "'s" too.
func (w *captionWords) isPossessor(r run) bool { return w.hasTag(r.last+1, tagPOS) }

// followsQuantifier reports whether a run follows "a lot of", "a group of" or the like.
func (w *captionWords) followsQuantifier(r run) bool {
	return r.begin > 1 && w.lower[r.begin-1] == "of" && wordclass.Has(words.Vague, w.tokens[r.begin-2].Lemma)
}

// hasFiniteVerb reports whether the caption has a verb that agrees with its subject.
func (w *captionWords) hasFiniteVerb() bool {
	for i := range w.tokens {
		if w.hasTag(i, tagVBZ|tagVBP) {
			return true
		}
	}
	return false
}

// areCoordinated reports whether two noun phrases are in one list, so that their order does not
// matter. With nounsOnly, it is false if one of them has an adjective or a number: that stays in
// place, which makes a difference.
func (w *captionWords) areCoordinated(a, b run, nounsOnly bool) bool {
	conjunction := b.begin == a.last+1 && !slices.ContainsFunc(w.tags, func(t tags) bool { return t&verbs != 0 }) // "a shower a toilet"
	for i := a.last + 1; i < b.begin; i++ {
		switch {
		case w.hasTag(i, tagCC|tagComma), w.lower[i] == "and", w.lower[i] == "or", w.lower[i] == "&":
			conjunction = true
		case !w.hasTag(i, nouns|tagDT|tagJJ|tagCD|tagPRPS):
			return false
		}
	}
	if !conjunction {
		return false
	}
	if !nounsOnly {
		return true
	}
	for _, r := range []run{a, b} {
		for i := r.begin; i < r.first; i++ {
			if w.hasTag(i, tagJJ|tagCD|tagVBN) {
				return false
			}
		}
	}
	return true
}

// areSymmetric reports whether the relation between two noun phrases is true in both directions.
func (w *captionWords) areSymmetric(a, b run) bool {
	if b.begin-a.last > 7 || b.begin == a.last+1 {
		return false
	}
	lemma := w.tokens[a.last+1].Lemma
	if !w.words.SymmetricEnds[w.lower[b.begin-1]] && (w.hasTag(a.last+1, tagIN|tagTO) || w.hasTag(a.last+1, tagVBZ|tagVBP|tagVBG|tagVBN) && !w.words.SymmetricVerbs[lemma]) {
		return false // as most are
	}
	return w.words.SymmetricBetween(strings.ToLower(w.text[w.tokens[a.last+1].Begin:w.tokens[b.begin-1].End]), lemma)
}

// swapVerbs swaps two verbs of the same form with their prepositions.
func swapVerbs(job *captionJob, pl *plan) {
	w := &job.words
	var buf [maxRuns]run
	runs := w.verbRuns(buf[:0])
	left := job.maxOf(pl.method)
	for i, j := range drawPairs(len(runs), job.wanted, &job.random) {
		a, b := runs[i], runs[j]
		if job.sink.emitSwap(pl, w.checkVerbSwap(a, b), func() [2]splice {
			return [2]splice{{a.first, a.last, w.textForMove(b.first, b.last)}, {b.first, b.last, w.textForMove(a.first, a.last)}}
		}) {
			if left--; left == 0 {
				return
			}
		}
	}
}

// checkVerbSwap returns the reason why two verbs cannot be swapped, or noReason.
func (w *captionWords) checkVerbSwap(a, b run) Reason {
	switch {
	case a.last >= b.first, !w.objectFollows(a.last), !w.objectFollows(b.last), w.tokens[a.first].Tag != w.tokens[b.first].Tag:
		return ReasonGrammar
	case w.tokens[a.first].Lemma == w.tokens[b.first].Lemma && a.first == a.last && b.first == b.last:
		return ReasonSynonym
	case w.areJoinedVerbs(a.last, b.first):
		return ReasonSymmetric
	}
	return noReason
}

// areJoinedVerbs reports whether only conjunctions, commas and adverbs are between two verbs.
func (w *captionWords) areJoinedVerbs(a, b int) bool {
	for i := a + 1; i < b; i++ {
		if !w.hasTag(i, tagCC|tagComma|tagRB) {
			return false
		}
	}
	return true
}
