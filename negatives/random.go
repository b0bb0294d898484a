package negatives

import (
	"sort"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/portable"
)

// random is a sequence of numbers that depends on nothing but its seed.
type random = portable.SplitMix64

// newRandom seeds a sequence by the hash of what it is for.
func newRandom(seed uint64, imageKey, text string) random {
	return random(mixed(mixed(seed^xxhash.Sum64String(imageKey)) ^ xxhash.Sum64String(text)))
}

// mixed spreads a number over all 64 bits.
func mixed(x uint64) uint64 {
	r := portable.SplitMix64(x)
	return r.Next()
}

// pick takes a candidate with a probability in proportion to its weight. The
// list must not be empty.
func pick(r *portable.SplitMix64, list []Candidate) string {
	x := r.Next() % list[len(list)-1].Cum
	return list[sort.Search(len(list), func(i int) bool { return list[i].Cum > x })].Text
}
