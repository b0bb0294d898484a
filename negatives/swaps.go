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

// run is a stretch of tokens: the nouns of a noun phrase, or a verb with what
// belongs to it. begin is where the noun phrase begins, its article included.
type run struct{ begin, first, last int }

// runs are the noun phrases of the caption.
func (w *captionWords) runs(dst []run) []run {
	for i := 0; i < len(w.tokens); i++ {
		if !w.is(i, nouns) {
			continue
		}
		last := w.runEnd(i)
		begin := i
		for w.is(begin-1, tagJJ|tagCD|tagVBN|tagVBG|tagDT|tagPRPS|tagJJR|tagJJS) && !(w.is(begin-1, tagVBN|tagVBG) && !w.is(begin-2, tagDT|tagJJ|tagPRPS)) &&
			(!w.is(begin-1, tagJJ) || truth.PlaceOf(w.lower[begin-1]) == truth.Nowhere) { // "near", which a tagger takes for an adjective
			begin--
			if w.is(begin, tagDT|tagPRPS) {
				break
			}
		}
		if !w.is(i-1, tagNNP|tagNNPS) && !w.is(last, tagNNP|tagNNPS) && !w.attributive(last+1) && !w.is(begin-1, tagVBN) {
			dst = append(dst, run{begin, max(begin, w.nameBegin(i, last)), last})
		}
		i = last
	}
	return dst
}

// verbRuns are the verbs that say what is done, each with the preposition or
// particle after it.
func (w *captionWords) verbRuns(dst []run) []run {
	for i := range w.tokens {
		if !grammar.IsAction(&w.tokens[i]) || w.is(i-1, tagDT|tagJJ|tagPRPS) || w.attributive(i) {
			continue
		}
		last := i
		for w.is(last+1, tagIN|tagTO|tagRP) && w.lower[last+1] != "that" && w.lower[last+1] != "while" && w.lower[last+1] != "as" {
			last++
		}
		if last+2 < len(w.lower) && wordclass.Has(" front top back ", w.lower[last+1]) && w.lower[last+2] == "of" {
			last += 2
		}
		dst = append(dst, run{i, i, last})
	}
	return dst
}

// maxRuns bounds the runs of a caption among which pairs are swapped.
const maxRuns = 12

// pairs gives pairs of n things, the first two first and then others by r.
func (g *Generator) pairs(n int, r *random) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		if n < 2 {
			return
		}
		n = min(n, maxRuns)
		var done [maxRuns * maxRuns]bool
		for t := range 3 * g.opts.Candidates {
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

// swap makes a negative of a swap, unless there is a reason against it. It says
// whether it did.
func (g *Generator) swap(pl *plan, reason Reason, splices func() [2]splice) bool {
	if reason == noReason {
		s := splices()
		return g.emitSplices(pl, schemas.ChangedOrder, s[:]...)
	}
	if g.text = g.text[:0]; g.drops.Each != nil {
		s := splices()
		g.text = g.caption.apply(g.text, s[:])
	}
	g.drop(pl, view(g.text), reason)
	return false
}

// swapNouns swaps two noun phrases, and the nouns in them.
func (g *Generator) swapNouns(gr *schemas.SceneGraph, pl *plan, r *random) {
	w := g.caption
	var buf [16]run
	runs := w.runs(buf[:0])
	phrases, nouns := g.wanted(methods.SwapNounPhrases), g.wanted(methods.SwapNouns)
	for i, j := range g.pairs(len(runs), r) {
		a, b := runs[i], runs[j]
		x, y := w.noun(g.words, a.first, a.last), w.noun(g.words, b.first, b.last)
		reason := g.nounsSwap(a, b, x, y)
		of, to := objectEnding(gr, w.tokens[a.last].End), objectEnding(gr, w.tokens[b.last].End)
		if reason == noReason && g.tradeKnown(gr, pl.caption, of, to) {
			reason = ReasonKnownGraph
		}
		if phrases > 0 && g.exchangePhrases(gr, pl, reason, a, b) {
			phrases--
		}
		if nouns > 0 && g.exchangeNouns(pl, reason, a, b, x, y) {
			nouns--
		}
		if phrases+nouns == 0 {
			return
		}
	}
}

// wanted is how many negatives of a method are made at most.
func (g *Generator) wanted(method methods.Method) int {
	if !g.enabled[method] {
		return 0
	}
	return g.opts.Candidates
}

func (g *Generator) exchangePhrases(gr *schemas.SceneGraph, pl *plan, reason Reason, a, b run) bool {
	w := g.caption
	if pl.method = methods.SwapNounPhrases; reason == noReason {
		reason = g.phrasesFit(gr, a, b)
	}
	return g.swap(pl, reason, func() [2]splice {
		return [2]splice{{a.begin, a.last, w.moved(b.begin, b.last)}, {b.begin, b.last, w.moved(a.begin, a.last)}}
	})
}

// exchangeNouns puts each noun in the number of its new place.
func (g *Generator) exchangeNouns(pl *plan, reason Reason, a, b run, x, y *words.Noun) bool {
	w := g.caption
	if pl.method = methods.SwapNouns; reason == noReason {
		reason = g.nounsFit(a, b, x, y)
	}
	return g.swap(pl, reason, func() [2]splice {
		return [2]splice{{a.first, a.last, w.inflected(a, y)}, {b.first, b.last, w.inflected(b, x)}}
	})
}

// inflected is a noun in the number of the place where it is put.
func (w *captionWords) inflected(place run, n *words.Noun) string {
	if w.is(place.last, tagNNS) {
		return n.Many
	}
	return n.Key
}

// nounsSwap says why neither two nouns nor their phrases can be swapped.
func (g *Generator) nounsSwap(a, b run, x, y *words.Noun) Reason {
	w := g.caption
	switch {
	case words.SameThing(x, y):
		return ReasonSynonym
	case w.tokens[a.last].End == w.tokens[b.begin].Begin: // "cup/glass", "#2 car"
		return ReasonGrammar
	case w.lower[b.begin-1] == "of" && b.begin-1 == a.last+1, x.Vague, y.Vague, w.counted(a), w.counted(b), w.possessor(a), w.possessor(b):
		return ReasonGrammar
	case g.related(a, b):
		return ReasonSymmetric
	}
	return noReason
}

// phrasesFit says why two noun phrases do not fit each other's place.
func (g *Generator) phrasesFit(gr *schemas.SceneGraph, a, b run) Reason {
	w := g.caption
	switch {
	case g.coordinated(a, b, false), w.alongside(a, b):
		return ReasonSymmetric
	case w.is(a.begin-1, tagRB|tagPOS), w.is(b.begin-1, tagRB|tagPOS): // "a very the boy", "a man's a cup"
		return ReasonGrammar
	case w.cuts(gr, a), w.cuts(gr, b):
		return ReasonGrammar
	case w.is(a.last, tagNNS) != w.is(b.last, tagNNS) && w.finite(), w.is(a.begin, tagPRPS), w.is(b.begin, tagPRPS):
		return ReasonGrammar
	}
	return noReason
}

// nounsFit says why two nouns do not fit each other's place.
func (g *Generator) nounsFit(a, b run, x, y *words.Noun) Reason {
	w := g.caption
	switch {
	case g.coordinated(a, b, true):
		return ReasonSymmetric
	case !g.slotTakes(a.first, a.last, y), !g.slotTakes(b.first, b.last, x):
		return ReasonGrammar
	case y.PluralOnly && !w.is(a.last, tagNNS), x.PluralOnly && !w.is(b.last, tagNNS):
		return ReasonGrammar
	case w.is(a.last, tagNNS) && !w.is(b.last, tagNNS) && y.Usage.Plural == 0, w.is(b.last, tagNNS) && !w.is(a.last, tagNNS) && x.Usage.Plural == 0:
		return ReasonGrammar // "cashes"
	}
	return noReason
}

// alongside holds for phrases one right after the other with the same
// preposition, which say the same either way: "on a hanger on a dock".
func (w *captionWords) alongside(a, b run) bool {
	return a.begin > 0 && b.begin == a.last+2 && w.is(a.begin-1, tagIN) && w.is(b.begin-1, tagIN) && w.lower[a.begin-1] == w.lower[b.begin-1]
}

// cuts holds for a run that leaves out words before its object that are said of it: "an
// upside down little girl".
func (w *captionWords) cuts(gr *schemas.SceneGraph, r run) bool {
	object := objectEnding(gr, w.tokens[r.last].End)
	return object >= 0 && grammar.FirstOf(&gr.Objects[object]) < w.tokens[r.begin].Begin
}

// possessor holds for a noun before "'s", which another would need too.
func (w *captionWords) possessor(r run) bool { return w.is(r.last+1, tagPOS) }

// counted holds for what is after "a lot of", "a group of".
func (w *captionWords) counted(r run) bool {
	return r.begin > 1 && w.lower[r.begin-1] == "of" && wordclass.Has(words.Vague, w.tokens[r.begin-2].Lemma)
}

// finite holds where the caption has a verb that agrees with its subject.
func (w *captionWords) finite() bool {
	for i := range w.tokens {
		if w.is(i, tagVBZ|tagVBP) {
			return true
		}
	}
	return false
}

// coordinated holds where nothing but a list stands between two noun phrases, so
// that their order says nothing. Where only the nouns are swapped, what is said
// of either must stay with it: then an adjective of one makes a difference.
func (g *Generator) coordinated(a, b run, nounsOnly bool) bool {
	w := g.caption
	conjunction := b.begin == a.last+1 && !slices.ContainsFunc(w.tags, func(t tags) bool { return t&verbs != 0 }) // "a shower a toilet"
	for i := a.last + 1; i < b.begin; i++ {
		switch {
		case w.is(i, tagCC|tagComma), w.lower[i] == "and", w.lower[i] == "or", w.lower[i] == "&":
			conjunction = true
		case !w.is(i, nouns|tagDT|tagJJ|tagCD|tagPRPS):
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
			if w.is(i, tagJJ|tagCD|tagVBN) {
				return false
			}
		}
	}
	return true
}

// related holds where what stands between two noun phrases is a relation that is
// true in both directions.
func (g *Generator) related(a, b run) bool {
	w := g.caption
	if b.begin-a.last > 7 || b.begin == a.last+1 {
		return false
	}
	lemma := w.tokens[a.last+1].Lemma
	if !g.words.SymmetricEnds[w.lower[b.begin-1]] && (w.is(a.last+1, tagIN|tagTO) || w.is(a.last+1, tagVBZ|tagVBP|tagVBG|tagVBN) && !g.words.SymmetricVerbs[lemma]) {
		return false // as most are
	}
	return g.words.SymmetricBetween(strings.ToLower(w.text[w.tokens[a.last+1].Begin:w.tokens[b.begin-1].End]), lemma)
}

// swapVerbs swaps two verbs of one form with their prepositions.
func (g *Generator) swapVerbs(pl *plan, r *random) {
	w := g.caption
	var buf [maxRuns]run
	runs := w.verbRuns(buf[:0])
	left := g.wanted(pl.method)
	for i, j := range g.pairs(len(runs), r) {
		a, b := runs[i], runs[j]
		if g.swap(pl, g.verbsSwap(a, b), func() [2]splice {
			return [2]splice{{a.first, a.last, w.moved(b.first, b.last)}, {b.first, b.last, w.moved(a.first, a.last)}}
		}) {
			if left--; left == 0 {
				return
			}
		}
	}
}

// verbsSwap says why two verbs cannot be swapped.
func (g *Generator) verbsSwap(a, b run) Reason {
	w := g.caption
	switch {
	case a.last >= b.first, !w.objectFollows(a.last), !w.objectFollows(b.last), w.tokens[a.first].Tag != w.tokens[b.first].Tag:
		return ReasonGrammar
	case w.tokens[a.first].Lemma == w.tokens[b.first].Lemma && a.first == a.last && b.first == b.last:
		return ReasonSynonym
	case g.joined(a.last, b.first):
		return ReasonSymmetric
	}
	return noReason
}

// joined holds where nothing but conjunctions and adverbs stands between two
// verbs.
func (g *Generator) joined(a, b int) bool {
	for i := a + 1; i < b; i++ {
		if !g.caption.is(i, tagCC|tagComma|tagRB) {
			return false
		}
	}
	return true
}
