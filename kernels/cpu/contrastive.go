package cpu

import (
	"math"

	"capgraph/kernels"
)

// columnsAtOnce is how many columns of similarities one part has.
const columnsAtOnce = 32

// contrastive is the loss over rows and columns of similarities. Its first
// parts are spans of rows, the others blocks of columns.
type contrastive struct {
	rowParts
	d                       *Device
	lse, s                  kernels.Tensor
	mask                    []byte
	columns                 int
	rowWeight, columnWeight float32
	losses                  []float64 // of each row, then of each column, before its weight
	counts                  []int32   // of positives of each column
	ds                      kernels.Grad
	backward                bool
}

// Contrastive implements kernels.Device.
func (d *Device) Contrastive(loss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	c := &d.contrastive
	*c = contrastive{rowParts: partsOf(s.Rows, s.Cols), d: d, lse: lse, s: s, mask: mask.Host, columns: columns, losses: c.losses, counts: c.counts}
	c.losses = grow(c.losses, s.Rows+columns)
	d.pool.run(c.count()+(columns+columnsAtOnce-1)/columnsAtOnce, c)
	var rows, cols float64
	for _, l := range c.losses[:s.Rows] {
		rows += l
	}
	for _, l := range c.losses[s.Rows:] {
		cols += l
	}
	loss.F32[0] = float32(rowWeight*rows + columnWeight*cols)
}

// part implements work.
func (c *contrastive) part(w *worker, i int) {
	if i >= c.count() {
		first := (i - c.count()) * columnsAtOnce
		c.block(w, first, min(first+columnsAtOnce, c.columns))
		return
	}
	first, end := c.bounds(i)
	for r := first; r < end; r++ {
		if c.backward {
			c.slopes(w, r)
			continue
		}
		line := w.floats(c.s.Cols)
		copy(line, row(c.s, r))
		c.line(r, line, r*c.s.Cols, 1)
	}
}

// block is the loss of some columns or, backward, the number of their positives.
func (c *contrastive) block(w *worker, first, end int) {
	n := c.s.Rows
	if c.backward {
		counts := c.counts[first:end]
		clear(counts)
		for i := range n {
			for j, m := range c.mask[i*c.s.Cols+first:][:end-first] {
				if m == kernels.True {
					counts[j]++
				}
			}
		}
		return
	}
	lines := w.floats(n * (end - first))
	for i := range n {
		for j, v := range row(c.s, i)[first:end] {
			lines[j*n+i] = v
		}
	}
	for j := first; j < end; j++ {
		c.line(n+j, lines[(j-first)*n:][:n], j, c.s.Cols)
	}
}

// line is the loss number at of the similarities of a row or a column, which it
// overwrites. What the mask says of them begins at first, a step apart.
func (c *contrastive) line(at int, s []float32, first, step int) {
	var trues float64
	positives := 0
	for k := range s {
		switch c.mask[first+k*step] {
		case kernels.LeftOut:
			s[k] = float32(math.Inf(-1))
		case kernels.True:
			trues += float64(s[k])
			positives++
		}
	}
	if positives == 0 {
		c.lse.F32[at], c.losses[at] = float32(math.Inf(1)), 0
		return
	}
	most := c.d.set.Max(s)
	l := float64(most) + math.Log(float64(c.d.set.Exp(s, s, 1, -most)))
	c.lse.F32[at], c.losses[at] = float32(l), l-trues/float64(positives)
}
