package clip

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"capgraph/internal/portable"
	"capgraph/schemas"
)

// Tagger returns the words of a text with their Penn Treebank tags. The tokens are valid
// until the next call.
type Tagger func(text string) ([]schemas.Token, error)

// shuffleCaption returns ARO's four shuffles of a caption (Yuksekgonul et al. 2023, App. A): of its
// nouns and of its adjectives; of all other words; of the words of each trigram; of the trigrams.
// ARO tags with spaCy and NLTK and draws again in each run. Here the draws are a hash of image and
// caption.
func shuffleCaption(tag Tagger, image, caption string) ([4]string, error) {
	tokens, err := tag(caption)
	if err != nil {
		return [4]string{}, err
	}
	var words []string
	var nouns, adjectives, others []int
	for i, t := range tokens {
		words = append(words, caption[t.Begin:t.End])
		switch {
		case t.IsNoun():
			nouns = append(nouns, i)
		case strings.HasPrefix(t.Tag, "JJ"):
			adjectives = append(adjectives, i)
		default:
			others = append(others, i)
		}
	}
	sum := sha256.Sum256([]byte("order\x00" + image + "\x00" + caption))
	numbers := portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))
	var trigrams [][]int
	for first := 0; first < len(words); first += 3 {
		var trigram []int
		for i := first; i < min(first+3, len(words)); i++ {
			trigram = append(trigram, i)
		}
		trigrams = append(trigrams, trigram)
	}
	var moved []string
	for _, i := range randomPermutation(&numbers, len(trigrams)) {
		for _, k := range trigrams[i] {
			moved = append(moved, words[k])
		}
	}
	return [4]string{
		shuffleWithin(&numbers, words, nouns, adjectives),
		shuffleWithin(&numbers, words, others),
		shuffleWithin(&numbers, words, trigrams...),
		strings.Join(moved, " "),
	}, nil
}

// shuffleWithin returns the words, with those at the indices of each list shuffled among themselves.
func shuffleWithin(numbers *portable.SplitMix64, words []string, lists ...[]int) string {
	out := append([]string(nil), words...)
	for _, list := range lists {
		for to, from := range randomPermutation(numbers, len(list)) {
			out[list[to]] = words[list[from]]
		}
	}
	return strings.Join(out, " ")
}

// randomPermutation returns a random permutation of 0 to n-1 (Fisher and Yates).
func randomPermutation(numbers *portable.SplitMix64, n int) []int {
	p := make([]int, n)
	for i := range p {
		j := numbers.IntN(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}
