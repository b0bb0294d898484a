package main

import (
	"math"
	"strings"

	"capgraph/clean/language"
	"capgraph/internal/portable"
)

// The samples of random words that the model is trained on.
const (
	samples   = 500_000
	mostDrawn = 12  // largest number of words of a sample
	mostMixed = 0.4 // largest share of English words in a sample of another language
)

// trainer fits weights by AdaGrad.
type trainer struct {
	weights, squares [language.Size]float32
}

// rate is the step size of AdaGrad, and decay how strongly weights are pulled towards 0.
const (
	rate  = 0.15
	decay = 1e-6
)

// trainModel returns the weights, trained on samples from the word lists and on English captions.
func trainModel(all *lists, captions []string) string {
	rng := new(portable.SplitMix64)
	t := &trainer{}
	var shares []int
	for i, l := range languages {
		for range l.share {
			shares = append(shares, i)
		}
	}
	for range samples {
		n := 1 + rng.IntN(mostDrawn)
		t.learnText(drawText(rng, &all.english, &all.english, n, 0), 0)
		other := &all.others[shares[rng.IntN(len(shares))]]
		t.learnText(drawText(rng, other, &all.english, n, mostMixed*drawUniform(rng)), 1)
		if len(captions) > 0 {
			t.learnText(captions[rng.IntN(len(captions))], 0)
		}
	}
	bytes := make([]byte, language.Size)
	for i, w := range t.weights {
		bytes[i] = byte(int8(max(-127, min(127, math.Round(float64(w)*language.Scale)))))
	}
	return string(bytes)
}

// drawUniform returns a random number from 0 to 1.
func drawUniform(rng *portable.SplitMix64) float64 { return float64(rng.Next()>>11) / (1 << 53) }

// drawText returns n random words of l; a share of them comes from mixed.
func drawText(rng *portable.SplitMix64, l, mixed *list, n int, share float64) string {
	words := make([]string, n)
	for i := range words {
		from := l
		if drawUniform(rng) < share {
			from = mixed
		}
		words[i] = from.drawWord(drawUniform(rng))
	}
	return strings.Join(words, " ")
}

// learnText makes one training step for a text. label is 1 if the text is not English.
func (t *trainer) learnText(text string, label float32) {
	var features []uint32
	for words := language.NewWords(text); words.Next(); {
		features = words.AppendFeatures(features)
	}
	sum := float32(0)
	for _, f := range features {
		sum += t.weights[f]
	}
	slope := float32(1/(1+math.Exp(-float64(sum)))) - label
	for _, f := range features {
		g := slope + decay*t.weights[f]
		t.squares[f] += g * g
		t.weights[f] -= rate * g / float32(math.Sqrt(float64(t.squares[f])+1e-8))
	}
}
