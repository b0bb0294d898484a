package grammar

import (
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
