package grammar

import (
	"math"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/portable"
)

// ID returns a hash of words in their order, which serves as their identity.
func ID(words ...string) uint64 {
	var id uint64
	for _, word := range words {
		id = Mixed(id ^ xxhash.Sum64String(word))
	}
	return id
}

// Mixed returns a hash of a number, spread over all 64 bits.
func Mixed(x uint64) uint64 {
	r := portable.SplitMix64(x)
	return r.Next()
}

// NewRandom returns a sequence of random numbers that depends only on the seed, the key and the
// text.
func NewRandom(seed uint64, key, text string) portable.SplitMix64 {
	return portable.SplitMix64(Mixed(Mixed(seed^xxhash.Sum64String(key)) ^ xxhash.Sum64String(text)))
}

// IsInShare draws a number and reports whether it is in a share: true with that probability.
func IsInShare(share float64, r portable.SplitMix64) bool {
	return float64(r.Next()>>11) < math.Ldexp(share, 53)
}
