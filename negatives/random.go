package negatives

import (
	"github.com/cespare/xxhash/v2"

	"capgraph/internal/portable"
	"capgraph/negatives/grammar"
)

// random is a sequence of numbers that depends on nothing but its seed.
type random = portable.SplitMix64

// newRandom seeds a sequence by the hash of what it is for.
func newRandom(seed uint64, imageKey, text string) random {
	return random(grammar.Mixed(grammar.Mixed(seed^xxhash.Sum64String(imageKey)) ^ xxhash.Sum64String(text)))
}
