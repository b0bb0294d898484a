package negatives

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/ngrams"
	"capgraph/internal/portable"
	"capgraph/negatives/textonly"
)

// maxLikelihoodPairs is the largest number of pairs whose likelihoods are compared.
const maxLikelihoodPairs = 20_000

// compareLikelihoods returns, for each of the first pairs, 1 if the negative is less likely than its
// positive, 0.5 if both are equally likely, and else 0. The language model is trained on the positives of
// other images, and on no negatives.
func compareLikelihoods(pairs []textonly.Pair) []float64 {
	pairs = pairs[:min(len(pairs), maxLikelihoodPairs)]
	result := make([]float64, len(pairs))
	for held := range uint64(textonly.FoldCount) {
		m := newTrigrams()
		for _, p := range pairs {
			if xxhash.Sum64String(p.Image)%textonly.FoldCount != held {
				m.addText(p.Positive)
			}
		}
		for i, p := range pairs {
			if xxhash.Sum64String(p.Image)%textonly.FoldCount != held {
				continue
			}
			switch positive, negative := m.scoreText(p.Positive), m.scoreText(p.Negative); {
			case negative < positive:
				result[i] = 1
			case negative == positive:
				result[i] = 0.5
			}
		}
	}
	return result
}

// trigrams is a language model of words: trigrams with Witten-Bell interpolation. Equal texts count once.
type trigrams struct {
	grams map[uint64]float64  // counts of words after contexts of 0 to 2 words, by their hash
	after map[uint64]followed // by the hash of a context
	texts map[uint64]bool
}

// followed counts the words that follow a context: all, and different ones.
type followed struct{ words, kinds float64 }

func newTrigrams() *trigrams {
	return &trigrams{map[uint64]float64{}, map[uint64]followed{}, map[uint64]bool{}}
}

const textEdge = "\n" // no word

// splitWords returns the words of a text in lower case, with textEdge twice before and once after them.
func splitWords(text string) []string {
	text = strings.ToLower(text)
	words := []string{textEdge, textEdge}
	for _, t := range ngrams.AppendTokens(nil, text) {
		if t.IsWord {
			words = append(words, text[t.Begin:t.End])
		}
	}
	return append(words, textEdge)
}

// hashWords returns a hash of a sequence of words.
func hashWords(words []string) uint64 {
	return xxhash.Sum64String(strings.Join(words, " "))
}

func (m *trigrams) addText(text string) {
	words := splitWords(text)
	if id := hashWords(words); m.texts[id] {
		return
	} else {
		m.texts[id] = true
	}
	for i := 2; i < len(words); i++ {
		for length := range 3 {
			gram, before := hashWords(words[i-length:i+1]), hashWords(words[i-length:i])
			c := m.after[before]
			c.words++
			if m.grams[gram] == 0 {
				c.kinds++
			}
			m.after[before] = c
			m.grams[gram]++
		}
	}
}

// scoreText returns the mean log-probability of the words of a text and its end. It is a mean so that
// longer texts do not score lower.
func (m *trigrams) scoreText(text string) float64 {
	words, sum := splitWords(text), 0.0
	for i := 2; i < len(words); i++ {
		p := 1 / (m.after[hashWords(nil)].kinds + 1)
		for length := range 3 {
			if c := m.after[hashWords(words[i-length:i])]; c.words > 0 {
				p = (m.grams[hashWords(words[i-length:i+1])] + c.kinds*p) / (c.words + c.kinds)
			}
		}
		sum += portable.Log(p)
	}
	return sum / float64(len(words)-2)
}
