package vocabulary

import (
	"math"
	"math/bits"

	"capgraph/internal/portable"
)

// Urn draws places with probabilities in proportion to their weights, each draw
// in the same few steps (Walker's alias method in whole numbers).
type Urn struct {
	Total uint64 // summed weights
	Cells []cell
}

// cell is drawn as often as any other. The part of it that is below, of 2^32, is
// of its own place, and the rest of another.
type cell struct{ below, other uint32 }

// NewUrn makes an urn of the weights, which it overwrites.
func NewUrn(weights []uint64) Urn {
	u := Urn{Cells: make([]cell, len(weights))}
	for _, w := range weights {
		u.Total += w
	}
	// Each place has its weight times the number of cells to distribute over cells that hold total
	// each.
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

// Draw takes a place. The urn must not be empty.
func (u *Urn) Draw(r *portable.SplitMix64) int {
	at, part := bits.Mul64(r.Next(), uint64(len(u.Cells)))
	c := u.Cells[at]
	own := uint32((int64(part>>32) - int64(c.below)) >> 63) // all bits where the part is below: no branch, which nothing could predict
	return int(uint32(at)&own | c.other&^own)
}
