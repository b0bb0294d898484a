package balance

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/ngrams"
	"capgraph/internal/portable"
	"capgraph/schemas"
)

const (
	buckets = 1 << 20 // of the hashes of method and n-gram
	order   = 3       // 1- to 3-grams
	scale   = 1 << 20 // a weight of 1, written as an integer
	// Kind is the kind of the counts as which a model is written.
	Kind = "balance_weight"
)

// Model scores negatives. It is immutable and safe for concurrent use.
type Model struct {
	weights []float32
}

// NewModel reads a model from the counts that Model.Counts returned, in any order. It ignores
// counts of other kinds. Without any counts, every score is 0.
func NewModel(counts iter.Seq2[schemas.Count, error]) (*Model, error) {
	m := &Model{weights: make([]float32, buckets)}
	for c, err := range counts {
		if err != nil {
			return nil, err
		}
		if c.Kind != Kind {
			continue
		}
		bucket, err := strconv.ParseUint(c.Key, 16, 32)
		if err != nil || bucket >= buckets {
			return nil, fmt.Errorf("count of kind %s: key %q is no bucket below %x", Kind, c.Key, buckets)
		}
		m.weights[bucket] = float32(c.N) / scale
	}
	return m, nil
}

// Counts returns the model as counts: the key is a bucket in hexadecimal, the number its weight in
// units of 2^-20. Keys ascend.
func (m *Model) Counts() iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		for bucket, w := range m.weights {
			n := int64(math.Round(float64(w) * scale))
			if n != 0 && !yield(schemas.Count{Kind: Kind, Key: fmt.Sprintf("%05x", bucket), N: n}, nil) {
				return
			}
		}
	}
}

// Scorer scores negatives of one positive at a time. It is not safe for concurrent use.
type Scorer struct {
	model    *Model
	positive ngrams.Text
	negative []uint64
	buffer   []uint64
}

// Scorer returns a scorer of the model. Its positive is empty until SetPositive is called.
func (m *Model) Scorer() *Scorer {
	s := &Scorer{model: m}
	s.SetPositive("")
	return s
}

// SetPositive sets the positive of the negatives that are scored next.
func (s *Scorer) SetPositive(positive string) {
	s.positive.Reset(positive)
}

// Score returns the log-odds that a negative of a method is recognised by its text, given the text
// of its positive. It is 0 if nothing reveals it.
func (s *Scorer) Score(method, negative string) float32 {
	in, out := s.difference(method, negative)
	var score float32
	for _, f := range in {
		score += s.model.weights[f%buckets]
	}
	for _, f := range out {
		score -= s.model.weights[f%buckets]
	}
	return score
}

// difference returns the features that a negative of a method adds to those of its positive, and
// those that it removes. A feature may be in both.
func (s *Scorer) difference(method, negative string) (in, out []uint64) {
	s.negative = s.positive.AppendEditHashes(s.negative[:0], negative)
	positive := s.positive.Hashes()
	begin, positiveEnd, negativeEnd := ngrams.DiffRange(positive, s.negative)
	s.buffer = ngrams.AppendTouching(s.buffer[:0], s.negative, begin, negativeEnd, order)
	added := len(s.buffer)
	s.buffer = ngrams.AppendTouching(s.buffer, positive, begin, positiveEnd, order)
	seed := xxhash.Sum64String(method)
	for i, h := range s.buffer {
		s.buffer[i] = (h ^ seed) * 0x9e3779b97f4a7c15 >> 20
	}
	return s.buffer[:added], s.buffer[added:]
}

// keepProbability is σ(bias − score).
func keepProbability(bias, score float32) float64 {
	return 1 / (1 + portable.Exp(float64(score-bias)))
}

// Pair is a positive of an image, a negative of it, and the method that made the negative.
type Pair struct {
	Image, Method, Positive, Negative string
}

// hash orders pairs.
func (p *Pair) hash() uint64 {
	h := xxhash.New()
	for _, part := range []string{p.Image, p.Method, p.Positive, p.Negative} {
		h.WriteString(part)
		h.Write([]byte{0})
	}
	return h.Sum64()
}
