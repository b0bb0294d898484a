package vocabulary

import (
	"iter"
	"sort"

	"capgraph/internal/portable"
	"capgraph/negatives/slots"
)

// Total returns the sum of the counts of a list.
func Total(list []slots.Candidate) float64 {
	if len(list) == 0 {
		return 0
	}
	return float64(list[len(list)-1].Cum)
}

// CountedAtLeast returns the candidates of a list that were counted at least min times, the most frequent
// first.
func CountedAtLeast(list []slots.Candidate, min float64) []slots.Candidate {
	i := 0
	for _, n := range Counted(list) {
		if float64(n) < min {
			break
		}
		i++
	}
	return list[:i]
}

// Counted returns the words of a list with their counts.
func Counted(list []slots.Candidate) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		last := uint64(0)
		for _, c := range list {
			if !yield(c.Text, c.Cum-last) {
				return
			}
			last = c.Cum
		}
	}
}

// Filter returns the candidates of a list for which keep is true.
func Filter(list []slots.Candidate, keep func(word string, n uint64) bool) []slots.Candidate {
	var kept []slots.Candidate
	cum := uint64(0)
	for word, n := range Counted(list) {
		if keep(word, n) {
			cum += n
			kept = append(kept, slots.Candidate{Text: word, Cum: cum})
		}
	}
	return kept
}

// WithoutSlips returns the candidates of a list with a count above 1, or all if the list has few
// counts.
func WithoutSlips(list []slots.Candidate) []slots.Candidate {
	if Total(list) < enough {
		return list
	}
	return CountedAtLeast(list, 2)
}

// enough is the sum of counts from which a count of 1 in a list is taken for a mistake.
const enough = 100

// Few is the least number of candidates of a context; with fewer, a wider context is used.
const Few = 8

// List returns the candidates of a context, given the kind and the parts of its key.
func (v *Vocabulary) List(parts ...string) []slots.Candidate {
	var buf [128]byte
	return v.lists[string(appendKey(buf[:0], parts...))]
}

// appendKey appends words with tabs between them.
func appendKey(dst []byte, words ...string) []byte {
	for i, word := range words {
		if i > 0 {
			dst = append(dst, '\t')
		}
		dst = append(dst, word...)
	}
	return dst
}

// Pick returns the word of a random candidate, with a probability in proportion to its weight. The
// list must not be empty.
func Pick(r *portable.SplitMix64, list []slots.Candidate) string {
	x := r.Next() % list[len(list)-1].Cum
	return list[sort.Search(len(list), func(i int) bool { return list[i].Cum > x })].Text
}

// HasOrUnknown reports whether a list has a word, or is too short to tell.
func HasOrUnknown(list []slots.Candidate, word string) bool {
	return len(list) < Few || Has(list, word)
}

// Has reports whether a list has a word.
func Has(list []slots.Candidate, word string) bool {
	for i := range list {
		if list[i].Text == word {
			return true
		}
	}
	return false
}

// NoSlip is the least count of a relation between two heads that is not taken for a mistake.
const NoSlip = 3
