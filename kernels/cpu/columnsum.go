package cpu

import "capgraph/kernels"

// columnSums are sums over rows, for which each part has some of its own.
type columnSums struct {
	numbers []float32
	cols    int
}

// begin makes the sums of parts zero.
func (c *columnSums) begin(parts, cols int) {
	c.numbers, c.cols = grow(c.numbers, parts*cols), cols
	clear(c.numbers)
}

// of are the sums of a part.
func (c *columnSums) of(part int) []float32 {
	return c.numbers[part*c.cols : (part+1)*c.cols]
}

// end puts the sums of all parts, of their columns from first on, where they go.
func (c *columnSums) end(d *Device, g kernels.Grad, parts, first int) {
	if g.None() {
		return
	}
	if !g.Add {
		clear(g.F32)
	}
	for i := range parts {
		d.set.Add(g.F32, c.of(i)[first:first+g.Cols])
	}
}
