package clip

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

// pairBenchmark returns a benchmark whose cases are pairs.
func pairBenchmark(name string, pairs []Pair) Benchmark {
	b := Benchmark{Name: name, Metrics: pairMetrics()}
	for _, p := range pairs {
		b.Cases = append(b.Cases, p.Case())
	}
	return b
}
