package negatives

import (
	"math"
	"math/bits"

	"capgraph/internal/portable"
)

// urn draws places with probabilities in proportion to their weights, each draw
// in the same few steps (Walker's alias method in whole numbers).
type urn struct {
	total uint64 // summed weights
	cells []cell
}

// cell is drawn as often as any other. The part of it that is below, of 2^32, is
// of its own place, and the rest of another.
type cell struct{ below, other uint32 }

// newUrn makes an urn of the weights, which it overwrites.
func newUrn(weights []uint64) urn {
	u := urn{cells: make([]cell, len(weights))}
	for _, w := range weights {
		u.total += w
	}
	// A weight times the number of cells is what a place has to share out among
	// cells that hold total each.
	n := uint64(len(weights))
	var scarce, rich []uint32
	for i := range weights {
		if weights[i] *= n; weights[i] < u.total {
			scarce = append(scarce, uint32(i))
		} else {
			rich = append(rich, uint32(i))
		}
	}
	for len(scarce) > 0 && len(rich) > 0 {
		i, from := scarce[len(scarce)-1], rich[len(rich)-1]
		scarce = scarce[:len(scarce)-1]
		below, _ := bits.Div64(weights[i]>>32, weights[i]<<32, u.total)
		u.cells[i] = cell{uint32(below), from}
		if weights[from] -= u.total - weights[i]; weights[from] < u.total {
			rich, scarce = rich[:len(rich)-1], append(scarce, from)
		}
	}
	for _, i := range rich {
		u.cells[i] = cell{math.MaxUint32, i}
	}
	return u
}

// draw takes a place. The urn must not be empty.
func (u *urn) draw(r *portable.SplitMix64) int {
	at, part := bits.Mul64(r.Next(), uint64(len(u.cells)))
	c := u.cells[at]
	own := uint32((int64(part>>32) - int64(c.below)) >> 63) // all bits where the part is below: no branch, which nothing could predict
	return int(uint32(at)&own | c.other&^own)
}
