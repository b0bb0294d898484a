package negatives

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/ngrams"
)

const (
	folds = 5
	order = 3 // 1- to 3-grams
)

// Pair is a negative and the positive that it perturbs.
type Pair struct {
	Image, Method, Changed string
	Positive, Negative     string
	hash                   uint64 // orders and samples pairs
}

// Sample holds the pairs of the lowest hashes: which ones does not depend on
// the order in which they come.
type Sample struct {
	limit int
	pairs []Pair
}

// NewSample makes a sample of limit pairs at most.
func NewSample(limit int) *Sample { return &Sample{limit: limit} }

// Add shows the sample a pair.
func (s *Sample) Add(p Pair) {
	h := xxhash.New()
	for _, part := range []string{p.Image, p.Positive, p.Negative} {
		h.WriteString(part)
		h.Write([]byte{0})
	}
	p.hash = h.Sum64()
	s.pairs = append(s.pairs, p)
	if len(s.pairs) >= 2*s.limit {
		s.cut()
	}
}

// Pairs returns the pairs of the sample in the order of their hashes.
func (s *Sample) Pairs() []Pair {
	s.cut()
	return s.pairs
}

func (s *Sample) cut() {
	slices.SortFunc(s.pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.Image, b.Image),
			cmp.Compare(a.Positive, b.Positive), cmp.Compare(a.Negative, b.Negative))
	})
	s.pairs = s.pairs[:min(len(s.pairs), s.limit)]
}

// TextOnly is the text-only accuracy of pairs in percent: 50 is chance, and
// what no pairs have.
func TextOnly(pairs []Pair) float64 {
	if len(pairs) == 0 {
		return 50
	}
	sum := 0.0
	for _, t := range tellApart(pairs, ngrams.Words) {
		sum += t.pair
	}
	return 100 * sum / float64(len(pairs))
}

// Scores are how recognisable the texts of pairs are as negatives from text
// alone: the log-odds that a classifier gives a text, which has seen only the
// texts of other images. Both lists are in the order of pairs.
func Scores(pairs []Pair) (positives, negatives []float64) {
	for _, t := range tellApart(pairs, ngrams.Words) {
		positives, negatives = append(positives, float64(t.positive)), append(negatives, float64(t.negative))
	}
	return positives, negatives
}

// TextOnlyAfter is the text-only accuracy of pairs, in percent, of a classifier
// that has learned from others alone: what words tell that were trained on. It is
// 50 where nothing is asked.
func TextOnlyAfter(seen, asked []Pair) float64 {
	if len(asked) == 0 {
		return 50
	}
	l, texts := newLogistic(), make([][2][]uint32, len(seen))
	for i, p := range seen {
		texts[i] = [2][]uint32{features(p.Positive, ngrams.Words), features(p.Negative, ngrams.Words)}
	}
	for range epochs {
		for _, pair := range texts {
			l.learn(pair[0], 0)
			l.learn(pair[1], 1)
		}
	}
	sum := 0.0
	for _, p := range asked {
		sum += judge(l.score(features(p.Positive, ngrams.Words)), l.score(features(p.Negative, ngrams.Words))).pair
	}
	return 100 * sum / float64(len(asked))
}

// told is what a classifier made of a pair that it has not seen.
type told struct {
	pair float64 // 1 where the negative scores higher, 0.5 where both score the same
	text float64 // how many of the two texts it labels right, halved

	positive, negative float32 // log-odds of being a negative
}

// tellApart trains a classifier on the pairs of all images but those of one
// fold, for each fold, and returns what it makes of the pairs of that fold.
func tellApart(pairs []Pair, form ngrams.Form) []told {
	positive, negative := make([][]uint32, len(pairs)), make([][]uint32, len(pairs))
	fold := make([]uint64, len(pairs))
	for i, p := range pairs {
		positive[i], negative[i] = features(p.Positive, form), features(p.Negative, form)
		fold[i] = xxhash.Sum64String(p.Image) % folds
	}
	result := make([]told, len(pairs))
	for held := range uint64(folds) {
		l := newLogistic()
		for range epochs {
			for i := range pairs {
				if fold[i] != held {
					l.learn(positive[i], 0)
					l.learn(negative[i], 1)
				}
			}
		}
		for i := range pairs {
			if fold[i] == held {
				result[i] = judge(l.score(positive[i]), l.score(negative[i]))
			}
		}
	}
	return result
}

func judge(positive, negative float32) told {
	t := told{positive: positive, negative: negative}
	switch {
	case negative > positive:
		t.pair = 1
	case negative == positive:
		t.pair = 0.5
	}
	if positive < 0 {
		t.text += 0.5
	}
	if negative > 0 {
		t.text += 0.5
	}
	return t
}

func features(text string, form ngrams.Form) []uint32 {
	hashes := ngrams.Append(nil, text, order, form)
	f := make([]uint32, len(hashes))
	for i, h := range hashes {
		f[i] = uint32(h % buckets)
	}
	return f
}
