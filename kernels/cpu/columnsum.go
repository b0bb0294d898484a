package cpu

import "capgraph/kernels"

// columnSums are the sums of columns over the rows of each part.
type columnSums struct {
	numbers []float32
	cols    int
}

// reset sets the sums of all parts to zero.
func (c *columnSums) reset(parts, cols int) {
	c.numbers, c.cols = resize(c.numbers, parts*cols), cols
	clear(c.numbers)
}

// part returns the sums of one part.
func (c *columnSums) part(part int) []float32 {
	return c.numbers[part*c.cols : (part+1)*c.cols]
}

// addTo writes the totals over all parts, of the columns from first on, to a gradient, or adds
// them.
func (c *columnSums) addTo(d *Device, g kernels.Grad, parts, first int) {
	if g.IsNone() {
		return
	}
	if !g.Add {
		clear(g.F32)
	}
	for i := range parts {
		d.set.Add(g.F32, c.part(i)[first:first+g.Cols])
	}
}
