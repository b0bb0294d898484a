package cpu

import "capgraph/kernels"

const (
	// partElements is about how many elements a part has: enough for the work to take longer than
	// waking up a worker, few enough for several workers to share it.
	partElements = 16384
	// maxParts bounds the number of parts that each have a sum of their own.
	maxParts = 64
)

// rowsPerPart returns how many rows a part has. It depends on the shape alone, so sums of parts do
// not depend on the number of workers.
func rowsPerPart(rows, cols int) int {
	return max(partElements/max(cols, 1), (rows+maxParts-1)/maxParts, 1)
}

// rowParts splits the work on rows into parts of span rows each.
type rowParts struct{ rows, span int }

func rowPartsOf(rows, cols int) rowParts { return rowParts{rows, rowsPerPart(rows, cols)} }

// count returns the number of parts.
func (r rowParts) count() int { return (r.rows + r.span - 1) / r.span }

// bounds returns the first row of part i and the one after its last.
func (r rowParts) bounds(i int) (first, end int) {
	return i * r.span, min((i+1)*r.span, r.rows)
}

// gradientRow returns the memory in which row i of a gradient is to be computed: the row itself or,
// if Add is set, scratch memory, which addGradientRow then adds to the row.
func (w *worker) gradientRow(g kernels.Grad, i int) []float32 {
	if g.Add {
		return w.floats(g.Cols)
	}
	return rowOf(g.Tensor, i)
}

// addGradientRow adds made, which gradientRow returned, to row i of a gradient if Add is set.
func (d *Device) addGradientRow(g kernels.Grad, i int, made []float32) {
	if g.Add {
		d.set.Add(rowOf(g.Tensor, i), made)
	}
}

// resize returns a slice of n numbers, in the given memory if that is large enough.
func resize[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	return memory[:n]
}
