package clip

import "context"

// Pair is an image with a true and a false caption.
type Pair struct {
	ID          string
	Image       Image
	True, False string
}

// Case returns the pair as a case. Its true caption is the first text.
func (p Pair) Case() Case {
	return Case{ID: p.ID, Images: []Image{p.Image}, Texts: []string{p.True, p.False}}
}

// pairBenchmark returns a benchmark of pairs.
func pairBenchmark(name string, pairs []Pair) Benchmark {
	b := Benchmark{Name: name, Metrics: pairMetrics()}
	for _, p := range pairs {
		b.Cases = append(b.Cases, p.Case())
	}
	return b
}

// Pairwise is the result of a benchmark of pairs.
type Pairwise struct {
	// Margins has for each pair how much nearer the image is to the true caption: the difference of
	// cosines, from -2 to 2; NaN if the image is broken.
	Margins []float64
	Broken  []Broken
	scored  int
}

// Correct returns the number of pairs whose true caption is nearer. A tie is wrong.
func (p *Pairwise) Correct() int {
	correct := 0
	for _, m := range p.Margins {
		if m > 0 {
			correct++
		}
	}
	return correct
}

// Scored returns the number of pairs whose image could be encoded.
func (p *Pairwise) Scored() int { return p.scored }

// Accuracy returns the share of scored pairs that are correct, NaN if there are none. Chance is 0.5.
func (p *Pairwise) Accuracy() float64 { return float64(p.Correct()) / float64(p.Scored()) }

// ScorePairs scores pairs, batch pairs at a time.
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
