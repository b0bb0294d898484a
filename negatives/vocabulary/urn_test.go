package vocabulary

import (
	"math"
	"testing"

	"capgraph/internal/portable"
)

func TestUrnDrawsInProportion(t *testing.T) {
	for _, weights := range [][]uint64{{7}, {1, 1, 1}, {5, 0, 1}, {90, 5, 3, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1000}} {
		total := uint64(0)
		for _, w := range weights {
			total += w
		}
		u := NewUrn(append([]uint64(nil), weights...))
		drawn := make([]int, len(weights))
		const draws = 200_000
		r := portable.SplitMix64(3)
		for range draws {
			drawn[u.Draw(&r)]++
		}
		for i, w := range weights {
			want := float64(w) / float64(total)
			if got := float64(drawn[i]) / draws; math.Abs(got-want) > 0.005 || w == 0 && drawn[i] > 0 {
				t.Errorf("%v: place %d came in %.4f of the draws, want %.4f", weights, i, got, want)
			}
		}
	}
}
