package negatives

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/words"
)

// swapAdjectives exchanges attributes of two things. With unjudged swaps, as in NegCLIP, it swaps
// any two adjectives.
func swapAdjectives(job *captionJob, pl *plan) {
	if job.sink.unjudgedSwaps {
		swapWords(job, pl, tagJJ)
		return
	}
	exchangeAttributes(job, pl)
}

// swapAdverbs swaps two adverbs.
func swapAdverbs(job *captionJob, pl *plan) { swapWords(job, pl, tagRB) }

// swapWords swaps two words with one tag.
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
	for i, j := range drawPairs(len(at), job.wanted, &job.random) {
		a, b := at[i], at[j]
		if job.sink.emitSwap(pl, checkWordSwap(job, a, b), func() [2]splice {
			return [2]splice{{a, a, w.textForMove(b, b)}, {b, b, w.textForMove(a, a)}}
		}) {
			if left--; left == 0 {
				return
			}
		}
	}
}

// isManner reports whether an adverb says how something is done, not where: "slowly", not "up".
func isManner(adverb string) bool {
	return strings.HasSuffix(adverb, "ly") || wordclass.Has(" fast slow high low hard well ", adverb)
}

// checkWordSwap returns the reason why two words are not swapped, or noReason.
func checkWordSwap(job *captionJob, a, b int) Reason {
	x, y := job.words.lower[a], job.words.lower[b]
	if x == y || words.SameValue(job.dict.words.Property(x).Values, job.dict.words.Property(y).Values) || job.dict.words.Lexicon.AreSimilarAdjectives(x, y) && !job.dict.words.Lexicon.AreExclusive(x, y) {
		return ReasonSynonym
	}
	return noReason
}
