package grammar

import (
	"math"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/portable"
)

// ID is a hash of words in their order, which is taken for the words themselves
// as the ids of texts are.
func ID(words ...string) uint64 {
	var id uint64
	for _, word := range words {
		id = Mixed(id ^ xxhash.Sum64String(word))
	}
	return id
}

// Mixed spreads a number over all 64 bits.
func Mixed(x uint64) uint64 {
	r := portable.SplitMix64(x)
	return r.Next()
}

// NewRandom seeds a sequence of numbers by the hash of what it is for: it depends on nothing else.
func NewRandom(seed uint64, key, text string) portable.SplitMix64 {
	return portable.SplitMix64(Mixed(Mixed(seed^xxhash.Sum64String(key)) ^ xxhash.Sum64String(text)))
}

// IsInShare draws with the probability of a share.
func IsInShare(share float64, r portable.SplitMix64) bool {
	return float64(r.Next()>>11) < math.Ldexp(share, 53)
}
