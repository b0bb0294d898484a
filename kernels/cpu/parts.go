package cpu

import "capgraph/kernels"

const (
	// partSize is about how many numbers a part has: enough to be worth a wake-up,
	// few enough for several workers to share the work.
	partSize = 16384
	// mostParts bounds the parts of which each has a sum of its own.
	mostParts = 64
)

// span is how many rows a part has. It depends on the shape alone, so that sums
// of parts do not depend on the number of workers.
func span(rows, cols int) int {
	return max(partSize/max(cols, 1), (rows+mostParts-1)/mostParts, 1)
}

// rowParts is work on rows, a span of them at a time.
type rowParts struct{ rows, span int }

func partsOf(rows, cols int) rowParts { return rowParts{rows, span(rows, cols)} }

// count is how many parts there are.
func (r rowParts) count() int { return (r.rows + r.span - 1) / r.span }

// bounds are the first row of part i and the one after its last.
func (r rowParts) bounds(i int) (first, end int) {
	return i * r.span, min((i+1)*r.span, r.rows)
}

// into is where row i of a gradient is to be computed: in place, or beside where
// it is to be added, which added then does.
func (w *worker) into(g kernels.Grad, i int) []float32 {
	if g.Add {
		return w.floats(g.Cols)
	}
	return row(g.Tensor, i)
}

// added ends what into began.
func (d *Device) added(g kernels.Grad, i int, made []float32) {
	if g.Add {
		d.set.Add(row(g.Tensor, i), made)
	}
}

// grow is memory for n numbers, where there is enough in it, its own.
func grow[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	return memory[:n]
}
