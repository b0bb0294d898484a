package tokenizer

import (
	"slices"
	"testing"
)

// BenchmarkEncode encodes COCO's validation captions; texts/s is of one core.
// testdata/bench.py is the same in Python.
func BenchmarkEncode(b *testing.B) {
	texts := coco(b)
	l, err := Learn(slices.Values(texts), 1024)
	if err != nil {
		b.Fatal(err)
	}
	for name, tok := range map[string]Tokenizer{"CLIP": clip(b), "Learned": l} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			dst := make([]int32, 0, tok.Context())
			for i := 0; b.Loop(); i++ {
				dst = tok.Encode(dst[:0], texts[i%len(texts)])
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
	b.Run("words that are new", func(b *testing.B) {
		c := clip(b)
		for i := 0; b.Loop(); i++ {
			c.mergeWord([]byte("antidisestablishmentarianism"))
		}
	})
}

// BenchmarkLearn learns from COCO's validation captions.
func BenchmarkLearn(b *testing.B) {
	texts := coco(b)
	for name, size := range map[string]int{"1024": 1024, "8192": 8192} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Learn(slices.Values(texts), size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
