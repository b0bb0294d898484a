// Package textonly measures how well negatives are recognised from their texts alone: a classifier of n-grams is
// trained on the pairs of some images and tested on those of others.
package textonly

import (
	"cmp"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/ngrams"
	"capgraph/internal/portable"
)

// FoldCount is the number of folds of CrossValidate. A hash of its image decides the fold of a pair.
const FoldCount = 5

const maxNGram = 3 // 1- to 3-grams

// Pair is a negative and its positive.
type Pair struct {
	Image, Method, Changed string
	Positive, Negative     string
	hash                   uint64 // pairs are sorted and sampled by it
}

// Sample holds the pairs with the lowest hashes, up to its limit and to sampleBytes of texts,
// whatever the order in which pairs are added.
type Sample struct {
	limit int
	pairs []Pair
	bytes int // of their texts
}

// sampleBytes is the size of 20,000 pairs of texts of 100 bytes. Classifiers go some forty times
// over a sample, so a larger one of long captions would take minutes.
const sampleBytes = 4 << 20

// size returns how many bytes the texts of a pair have.
func (p *Pair) size() int { return len(p.Positive) + len(p.Negative) }

// NewSample returns a sample of at most limit pairs.
func NewSample(limit int) *Sample { return &Sample{limit: limit} }

// Add adds a pair if its hash is among the lowest.
func (s *Sample) Add(p Pair) {
	h := xxhash.New()
	for _, part := range []string{p.Image, p.Positive, p.Negative} {
		h.WriteString(part)
		h.Write([]byte{0})
	}
	p.hash = h.Sum64()
	s.pairs = append(s.pairs, p)
	if s.bytes += p.size(); len(s.pairs) >= 2*s.limit || s.bytes >= 2*sampleBytes {
		s.trim()
	}
}

// Pairs returns the pairs of the sample in the order of their hashes.
func (s *Sample) Pairs() []Pair {
	s.trim()
	return s.pairs
}

func (s *Sample) trim() {
	slices.SortFunc(s.pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.Image, b.Image),
			cmp.Compare(a.Positive, b.Positive), cmp.Compare(a.Negative, b.Negative))
	})
	kept := 0
	s.bytes = 0
	for ; kept < min(len(s.pairs), s.limit); kept++ {
		n := s.pairs[kept].size()
		if kept > 0 && s.bytes+n > sampleBytes {
			break
		}
		s.bytes += n
	}
	clear(s.pairs[kept:])
	s.pairs = s.pairs[:kept]
}

// Accuracy returns the text-only accuracy for pairs, in percent. Chance is 50, which is also returned without pairs.
func Accuracy(pairs []Pair) float64 {
	if len(pairs) == 0 {
		return 50
	}
	sum := 0.0
	for _, t := range CrossValidate(pairs, ngrams.Words) {
		sum += t.Pair
	}
	return 100 * sum / float64(len(pairs))
}

// Scores returns the log-odds that each text of pairs is a negative, by a classifier that was trained on the texts of
// other images. Both lists are in the order of pairs.
func Scores(pairs []Pair) (positives, negatives []float64) {
	for _, t := range CrossValidate(pairs, ngrams.Words) {
		positives, negatives = append(positives, float64(t.positive)), append(negatives, float64(t.negative))
	}
	return positives, negatives
}

// AccuracyAfter returns the text-only accuracy for the pairs asked, in percent, by a classifier trained on the pairs
// seen. It is 50 without pairs.
func AccuracyAfter(seen, asked []Pair) float64 {
	if len(asked) == 0 {
		return 50
	}
	l, texts := newLogistic(), make([][2][]uint32, len(seen))
	for i, p := range seen {
		texts[i] = [2][]uint32{hashFeatures(p.Positive, ngrams.Words), hashFeatures(p.Negative, ngrams.Words)}
	}
	for range epochs {
		for _, pair := range texts {
			l.update(pair[0], 0)
			l.update(pair[1], 1)
		}
	}
	sum := 0.0
	for _, p := range asked {
		sum += comparePair(l.logOdds(hashFeatures(p.Positive, ngrams.Words)), l.logOdds(hashFeatures(p.Negative, ngrams.Words))).Pair
	}
	return 100 * sum / float64(len(asked))
}

// Prediction is the prediction for a pair by a classifier that was not trained on it.
type Prediction struct {
	Pair float64 // 1 if the negative scores higher, 0.5 if both score the same
	Text float64 // the share of its two texts that are labelled right

	positive, negative float32 // log-odds of being a negative
}

// CrossValidate trains, for each fold, a classifier on the pairs of the images of the other folds.
// It returns its predictions for the pairs of the fold.
func CrossValidate(pairs []Pair, form ngrams.Form) []Prediction {
	positive, negative := make([][]uint32, len(pairs)), make([][]uint32, len(pairs))
	fold := make([]uint64, len(pairs))
	for i, p := range pairs {
		positive[i], negative[i] = hashFeatures(p.Positive, form), hashFeatures(p.Negative, form)
		fold[i] = xxhash.Sum64String(p.Image) % FoldCount
	}
	result := make([]Prediction, len(pairs))
	for held := range uint64(FoldCount) {
		l := newLogistic()
		for range epochs {
			for i := range pairs {
				if fold[i] != held {
					l.update(positive[i], 0)
					l.update(negative[i], 1)
				}
			}
		}
		for i := range pairs {
			if fold[i] == held {
				result[i] = comparePair(l.logOdds(positive[i]), l.logOdds(negative[i]))
			}
		}
	}
	return result
}

func comparePair(positive, negative float32) Prediction {
	t := Prediction{positive: positive, negative: negative}
	switch {
	case negative > positive:
		t.Pair = 1
	case negative == positive:
		t.Pair = 0.5
	}
	if positive < 0 {
		t.Text += 0.5
	}
	if negative > 0 {
		t.Text += 0.5
	}
	return t
}

// hashFeatures returns the hashed n-grams of a text.
func hashFeatures(text string, form ngrams.Form) []uint32 {
	hashes := ngrams.Append(nil, text, maxNGram, form)
	f := make([]uint32, len(hashes))
	for i, h := range hashes {
		f[i] = uint32(h % featureBuckets)
	}
	return f
}

const (
	featureBuckets = 1 << 18 // of hashed n-grams
	epochs         = 8
	learningRate   = 0.1
	l2Penalty      = 1e-5
)

// logistic is a logistic regression over hashed n-grams, trained by AdaGrad in the order of the
// examples: the same examples give the same weights.
type logistic struct {
	weights, squares []float32
	bias, biasSquare float32
}

func newLogistic() *logistic {
	return &logistic{weights: make([]float32, featureBuckets), squares: make([]float32, featureBuckets)}
}

// logOdds returns the log-odds that a text with these features is a negative.
func (l *logistic) logOdds(features []uint32) float32 {
	s := l.bias
	for _, f := range features {
		s += l.weights[f]
	}
	return s
}

// update takes one step towards label 1 (a negative) or 0 (a positive).
func (l *logistic) update(features []uint32, label float32) {
	p := float32(1 / (1 + portable.Exp(-float64(l.logOdds(features)))))
	slope := p - label
	for _, f := range features {
		g := slope + float32(l2Penalty*l.weights[f])
		l.squares[f] += float32(g * g)
		l.weights[f] -= learningRate * g / float32(math.Sqrt(float64(l.squares[f]))+1e-8)
	}
	l.biasSquare += float32(slope * slope)
	l.bias -= learningRate * slope / float32(math.Sqrt(float64(l.biasSquare))+1e-8)
}
