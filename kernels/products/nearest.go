package products

import (
	"context"

	"capgraph/kernels"
)

// Nearest finds, for every row of u, the k other rows with the largest inner products, exactly.
// neighbours[i] has their indices, the nearest first; if two are equally near, the lower index
// first. There are fewer than k if u has fewer rows. A row with NaN is no other row's neighbour.
func Nearest(ctx context.Context, d kernels.Device, u Rows, k int) (neighbours [][]int32, err error) {
	best := NewBest(u.Len(), k)
	err = EachTile(ctx, d, u, u, func(t Tile) error {
		Parallel(t.Rows, func(first, last int) {
			for i := first; i < last; i++ {
				line, own := t.Line(i), t.Row+i-t.Column // own is the column of the row's product with itself
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
		_, indices := best.Kept(i)
		n := 0
		for n < len(indices) && indices[n] >= 0 {
			n++
		}
		neighbours = append(neighbours, indices[:n:n])
	}
	return neighbours, nil
}
