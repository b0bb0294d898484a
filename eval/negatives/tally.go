package negatives

import "capgraph/internal/ngrams"

// finding is what was found of one negative.
type finding struct {
	equal, repeated, stray, article, positiveArticle, doubled bool
	longer                                                    int // words more than the positive
	judged, said, chance, original                            bool
	isReplacement, changesMore                                bool // puts one thing in the place of another; changes more
}

// measureSurface compares the surface of a negative with that of its positive.
func measureSurface(positive, negative string) finding {
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

// judgeTruth sets whether held-out captions of the image have the replacing words, whether those of
// another image do, and whether the first have the replaced words.
func (f *finding) judgeTruth(positive, negative string, siblings, others [][]string) {
	if len(siblings) == 0 || len(others) == 0 {
		return
	}
	p, n := contentWords(positive), contentWords(negative)
	in, out := subtractWords(n, p), subtractWords(p, n)
	if len(in) == 0 || len(out) == 0 {
		return
	}
	f.judged = true
	f.said, f.chance, f.original = isSaidByAny(in, siblings), isSaidByAny(in, others), isSaidByAny(out, siblings)
}

// tally sums findings.
type tally struct {
	negatives, equal, repeated, stray, article, positiveArticle, doubled int
	longer, shorter, words                                               int
	judged, said, chance, original                                       int
	pairs                                                                int
	replacements, changesMore                                            int
	pairTold, textTold, writtenTold                                      float64
}

func (t *tally) addFinding(f finding) {
	t.negatives++
	for _, c := range []struct {
		count *int
		holds bool
	}{
		{&t.equal, f.equal}, {&t.repeated, f.repeated}, {&t.stray, f.stray}, {&t.article, f.article},
		{&t.positiveArticle, f.positiveArticle}, {&t.doubled, f.doubled},
		{&t.longer, f.longer > 0}, {&t.shorter, f.longer < 0},
		{&t.replacements, f.isReplacement}, {&t.changesMore, f.changesMore},
		{&t.judged, f.judged}, {&t.said, f.said}, {&t.chance, f.chance}, {&t.original, f.original},
	} {
		if c.holds {
			*c.count++
		}
	}
	t.words += f.longer
}

func (t *tally) addPrediction(words, written prediction) {
	t.pairs++
	t.pairTold += words.pair
	t.textTold += words.text
	t.writtenTold += written.pair
}
