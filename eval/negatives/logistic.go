package negatives

import (
	"math"

	"capgraph/internal/portable"
)

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
