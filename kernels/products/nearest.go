package products

import (
	"context"

	"capgraph/kernels"
)

// Nearest finds, for every row of u, the k others with the largest inner products:
// exactly, a tile of all pairs at a time. neighbours[i] are their indices, the
// nearest first and of equally near ones the one of the lower index; fewer where
// there are not as many. A row with what is no number is near to none.
func Nearest(ctx context.Context, d kernels.Device, u Rows, k int) (neighbours [][]int32, err error) {
	best := NewBest(u.Len(), k)
	err = Each(ctx, d, u, u, func(t Tile) error {
		Parts(t.Rows, func(first, last int) {
			for i := first; i < last; i++ {
				line, own := t.Line(i), t.Row+i-t.Column // own is where the row meets itself
				before := min(max(own, 0), len(line))
				after := min(max(own+1, 0), len(line))
				best.OfferRow(t.Row+i, line[:before], t.Column)
				best.OfferRow(t.Row+i, line[after:], t.Column+after)
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range u.Len() {
		_, indices := best.Of(i)
		n := 0
		for n < len(indices) && indices[n] >= 0 {
			n++
		}
		neighbours = append(neighbours, indices[:n:n])
	}
	return neighbours, nil
}
