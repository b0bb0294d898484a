package clip

import "context"

// Pair is an image with a true and a false caption.
type Pair struct {
	ID          string
	Image       Image
	True, False string
}

// Case is the pair as a case: its true caption is the first text.
func (p Pair) Case() Case {
	return Case{ID: p.ID, Images: []Image{p.Image}, Texts: []string{p.True, p.False}}
}

// pairBenchmark is a benchmark of pairs.
func pairBenchmark(name string, pairs []Pair) Benchmark {
	b := Benchmark{Name: name, Metrics: pairMetrics()}
	for _, p := range pairs {
		b.Cases = append(b.Cases, p.Case())
	}
	return b
}

// Pairwise is the result of a benchmark of pairs.
type Pairwise struct {
	// Margins are, pair by pair, how much more the image is like the true caption
	// than like the false one: the difference of cosines, from -2 to 2; NaN where
	// the image is broken.
	Margins []float64
	Broken  []Broken
	scored  int
}

// Correct counts the pairs whose true caption is the nearer one: a tie is wrong.
func (p *Pairwise) Correct() int {
	correct := 0
	for _, m := range p.Margins {
		if m > 0 {
			correct++
		}
	}
	return correct
}

// Scored counts the pairs whose image could be encoded.
func (p *Pairwise) Scored() int { return p.scored }

// Accuracy is the share of the scored pairs that are correct, NaN where there
// are none. Chance is a half.
func (p *Pairwise) Accuracy() float64 { return float64(p.Correct()) / float64(p.Scored()) }

// ScorePairs encodes pairs, a batch of so many at a time, and compares.
func ScorePairs(ctx context.Context, encoder Encoder, pairs []Pair, batch int) (*Pairwise, error) {
	b := pairBenchmark("", pairs)
	b.Metrics = b.Metrics[:1]
	r, err := Score(ctx, encoder, b, Options{Batch: max(batch, 1)})
	if err != nil {
		return nil, err
	}
	accuracy := &r.Measures[0]
	return &Pairwise{accuracy.Margins, r.Broken, accuracy.Scored()}, nil
}
