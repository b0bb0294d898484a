package products

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/cpu"
)

// small are rows of small whole numbers, whose products are exact, and ties many.
func small(n, width int, seed uint64) Rows {
	s := portable.SplitMix64(seed)
	r := Rows{Width: width}
	for range n * width {
		r.Numbers = append(r.Numbers, float32(s.IntN(7)-3))
	}
	return r
}

func inner(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func devices(t *testing.T) []kernels.Device {
	d := cpu.New()
	t.Cleanup(func() { d.Close() })
	return []kernels.Device{kernels.NewReference(), d}
}

func TestEachGivesEveryProductOnce(t *testing.T) {
	for _, d := range devices(t) {
		for _, shape := range [][3]int{{1, 1, 1}, {3, 5, 4}, {513, 4097, 2}, {0, 3, 2}, {3, 0, 2}} {
			u, v := small(shape[0], shape[2], 1), small(shape[1], shape[2], 2)
			seen := 0
			err := EachTile(t.Context(), d, u, v, func(tile Tile) error {
				for i := range tile.Rows {
					for j, s := range tile.Line(i) {
						if want := inner(u.Row(tile.Row+i), v.Row(tile.Column+j)); s != want {
							return fmt.Errorf("row %d, column %d: %v, want %v", tile.Row+i, tile.Column+j, s, want)
						}
						seen++
					}
				}
				return nil
			})
			if err != nil || seen != shape[0]*shape[1] {
				t.Errorf("%s, %v: %d products, %v", d.Name(), shape, seen, err)
			}
		}
	}
}

func TestEachEnds(t *testing.T) {
	d, u := kernels.NewReference(), small(600, 2, 3)
	stop := errors.New("enough")
	calls := 0
	if err := EachTile(t.Context(), d, u, u, func(Tile) error { calls++; return stop }); err != stop || calls != 1 {
		t.Errorf("%v after %d tiles", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := EachTile(ctx, d, u, u, func(Tile) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if err := EachTile(t.Context(), d, u, small(2, 3, 4), func(Tile) error { return nil }); err == nil {
		t.Error("rows of several widths: no error")
	}
}

func TestNearestIsThatOfASort(t *testing.T) {
	for _, d := range devices(t) {
		for _, n := range []int{0, 1, 2, 4, 600} {
			u := small(n, 3, uint64(n))
			got, err := Nearest(t.Context(), d, u, 3)
			if err != nil || len(got) != n {
				t.Fatalf("%d rows of %d, %v", len(got), n, err)
			}
			for i := range n {
				var order []int32
				for j := range n {
					if j != i {
						order = append(order, int32(j))
					}
				}
				slices.SortStableFunc(order, func(a, b int32) int {
					return int(inner(u.Row(i), u.Row(int(b))) - inner(u.Row(i), u.Row(int(a))))
				})
				if want := order[:min(3, len(order))]; !slices.Equal(got[i], want) {
					t.Errorf("%s: row %d of %d: %v, want %v", d.Name(), i, n, got[i], want)
				}
			}
		}
	}
}

func TestWhatIsNoNumberIsNearToNone(t *testing.T) {
	u := Rows{Width: 1, Numbers: []float32{1, float32(math.NaN()), 2}}
	got, err := Nearest(t.Context(), kernels.NewReference(), u, 2)
	if err != nil || fmt.Sprint(got) != "[[2] [] [0]]" {
		t.Errorf("%v, %v", got, err)
	}
}
