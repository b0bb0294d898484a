package vocabulary

import (
	"math"
	"math/bits"

	"capgraph/internal/portable"
)

// Urn draws indices with probabilities in proportion to their weights, each in constant time
// (Walker's alias method in whole numbers).
type Urn struct {
	Total uint64 // summed weights
	Cells []cell
}

// cell is drawn as often as any other cell. It yields its own index with the probability
// below/2^32, else the index other.
type cell struct{ below, other uint32 }

// NewUrn makes an urn of weights, which it overwrites.
func NewUrn(weights []uint64) Urn {
	u := Urn{Cells: make([]cell, len(weights))}
	for _, w := range weights {
		u.Total += w
	}
	// The n cells hold Total each. An index has its weight times n to put into cells.
	n := uint64(len(weights))
	var scarce, rich []uint32
	for i := range weights {
		if weights[i] *= n; weights[i] < u.Total {
			scarce = append(scarce, uint32(i))
		} else {
			rich = append(rich, uint32(i))
		}
	}
	for len(scarce) > 0 && len(rich) > 0 {
		i, from := scarce[len(scarce)-1], rich[len(rich)-1]
		scarce = scarce[:len(scarce)-1]
		below, _ := bits.Div64(weights[i]>>32, weights[i]<<32, u.Total)
		u.Cells[i] = cell{uint32(below), from}
		if weights[from] -= u.Total - weights[i]; weights[from] < u.Total {
			rich, scarce = rich[:len(rich)-1], append(scarce, from)
		}
	}
	for _, i := range rich {
		u.Cells[i] = cell{math.MaxUint32, i}
	}
	return u
}

// Draw returns a random index. The urn must not be empty.
func (u *Urn) Draw(r *portable.SplitMix64) int {
	at, part := bits.Mul64(r.Next(), uint64(len(u.Cells)))
	c := u.Cells[at]
	own := uint32((int64(part>>32) - int64(c.below)) >> 63) // all bits set if the part is below: avoids a branch that cannot be predicted
	return int(uint32(at)&own | c.other&^own)
}
