package negatives

import "capgraph/internal/portable"

// random is a sequence of numbers that depends on nothing but its seed.
type random = portable.SplitMix64
