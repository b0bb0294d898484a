package negatives

import "capgraph/internal/ngrams"

// finding is what one negative is found to be.
type finding struct {
	equal, repeated, stray, article, positiveArticle, doubled bool
	longer                                                    int // words more than the positive
	judged, said, chance, original                            bool
	replaces, elsewhere                                       bool // puts one thing in the place of another, and changes more
}

// measure finds what shows on the face of a negative beside its positive.
func measure(positive, negative string) finding {
	var buf [2][64]ngrams.Token
	p := ngrams.AppendTokens(buf[0][:0], positive)
	n := ngrams.AppendTokens(buf[1][:0], negative)
	return finding{
		stray:           straySpaces(negative, n) > straySpaces(positive, p),
		doubled:         doubledWords(negative, n) > doubledWords(positive, p),
		article:         articleErrors(negative, n) > 0,
		positiveArticle: articleErrors(positive, p) > 0,
		longer:          countWords(n) - countWords(p),
	}
}

// judgeTruth finds whether held-out captions of the image say the words that
// replace others, whether those of another image do, and whether the first say
// the words that were replaced.
func (f *finding) judgeTruth(positive, negative string, siblings, others [][]string) {
	if len(siblings) == 0 || len(others) == 0 {
		return
	}
	p, n := contentWords(positive), contentWords(negative)
	in, out := without(n, p), without(p, n)
	if len(in) == 0 || len(out) == 0 {
		return
	}
	f.judged = true
	f.said, f.chance, f.original = saidBy(in, siblings), saidBy(in, others), saidBy(out, siblings)
}

// tally sums findings.
type tally struct {
	negatives, equal, repeated, stray, article, positiveArticle, doubled int
	longer, shorter, words                                               int
	judged, said, chance, original                                       int
	pairs                                                                int
	replaces, elsewhere                                                  int
	pairTold, textTold, writtenTold                                      float64
}

func (t *tally) add(f finding) {
	t.negatives++
	for _, c := range []struct {
		count *int
		holds bool
	}{
		{&t.equal, f.equal}, {&t.repeated, f.repeated}, {&t.stray, f.stray}, {&t.article, f.article},
		{&t.positiveArticle, f.positiveArticle}, {&t.doubled, f.doubled},
		{&t.longer, f.longer > 0}, {&t.shorter, f.longer < 0},
		{&t.replaces, f.replaces}, {&t.elsewhere, f.elsewhere},
		{&t.judged, f.judged}, {&t.said, f.said}, {&t.chance, f.chance}, {&t.original, f.original},
	} {
		if c.holds {
			*c.count++
		}
	}
	t.words += f.longer
}

func (t *tally) told(words, written told) {
	t.pairs++
	t.pairTold += words.pair
	t.textTold += words.text
	t.writtenTold += written.pair
}
