package kernels_test

import (
	"slices"
	"testing"

	"capgraph/kernels"
)

// Every pixel is in one window, and sees of it those alone that lie beside it in the image.
func TestWindows(t *testing.T) {
	for _, w := range []kernels.Windows{{Side: 1, Size: 1}, {Side: 4, Size: 2}, {Side: 4, Size: 2, Shift: 1}, {Side: 14, Size: 7, Shift: 3}, {Side: 3, Size: 3, Shift: 2}} {
		const images = 2
		area := w.Side * w.Side
		x := kernels.Tensor{Rows: images * area, Cols: 1}
		var rows []int
		for window := range w.CountIn(x) {
			seen := true
			for i := range w.Size * w.Size {
				row := w.Row(window, i)
				rows = append(rows, row)
				for j := range w.Size * w.Size {
					other := w.Row(window, j)
					down, right := row/w.Side-other/w.Side, row%w.Side-other%w.Side
					together := down == i/w.Size-j/w.Size && right == i%w.Size-j%w.Size
					seen = seen && together
					if got := w.Region(window, i) == w.Region(window, j); got != together {
						t.Errorf("%+v: pixels %d and %d of window %d see each other: %v", w, i, j, window, got)
					}
					if want := (i/w.Size-j/w.Size+w.Size-1)*(2*w.Size-1) + i%w.Size - j%w.Size + w.Size - 1; w.Cell(i, j) != want {
						t.Errorf("%+v: pixels %d and %d are at %d, not %d", w, i, j, w.Cell(i, j), want)
					}
				}
			}
			if w.IsWhole(window) != seen {
				t.Errorf("%+v: window %d is whole: %v", w, window, w.IsWhole(window))
			}
		}
		slices.Sort(rows)
		for i, row := range rows {
			if row != i || len(rows) != images*area {
				t.Fatalf("%+v: windows have the rows %v", w, rows)
			}
		}
	}
}
