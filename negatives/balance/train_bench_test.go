package balance

import "testing"

// A sample of 10,000 candidates.
func BenchmarkTrain(b *testing.B) {
	pairs := coloured(4000)[:10_000]
	for b.Loop() {
		if _, err := learn(pairs, Defaults()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "candidates/s")
}
