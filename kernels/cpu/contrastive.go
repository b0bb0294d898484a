package cpu

import (
	"math"

	"capgraph/kernels"
)

// columnBlock is the number of columns of similarities in a part.
const columnBlock = 32

// lineLosses has what losses over the rows and columns of similarities share. The first parts are
// spans of rows, the others blocks of columns.
type lineLosses struct {
	rowParts
	d                       *Device
	s                       kernels.Tensor
	mask                    []byte
	columns                 int
	rowWeight, columnWeight float32
	losses                  []float64 // of each row, then of each column, unweighted
	ds                      kernels.Grad
	backward                bool
}

// beginLosses prepares c to compute the losses of s.
func (c *lineLosses) beginLosses(d *Device, s kernels.Tensor, mask kernels.Bytes, columns int) {
	*c = lineLosses{rowParts: rowPartsOf(s.Rows, s.Cols), d: d, s: s, mask: mask.Host, columns: columns, losses: resize(c.losses, s.Rows+columns)}
}

// beginGradient prepares c to compute the gradient of s from dloss.
func (c *lineLosses) beginGradient(d *Device, ds kernels.Grad, dloss, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	*c = lineLosses{
		rowParts: rowPartsOf(s.Rows, s.Cols), d: d, s: s, mask: mask.Host, columns: columns, losses: c.losses, ds: ds, backward: true,
		rowWeight: dloss.F32[0] * float32(rowWeight), columnWeight: dloss.F32[0] * float32(columnWeight),
	}
}

// countParts returns the number of parts of rows and of columns together.
func (c *lineLosses) countParts() int { return c.count() + (c.columns+columnBlock-1)/columnBlock }

// sumLosses returns the weighted sum of all losses.
func (c *lineLosses) sumLosses(rowWeight, columnWeight float64) float32 {
	var rows, cols float64
	for _, l := range c.losses[:c.s.Rows] {
		rows += l
	}
	for _, l := range c.losses[c.s.Rows:] {
		cols += l
	}
	return float32(rowWeight*rows + columnWeight*cols)
}

// storeRow stores row i of the gradient.
func (c *lineLosses) storeRow(i int, row []float32) {
	to := rowOf(c.ds.Tensor, i)
	if c.ds.Add {
		c.d.set.Add(to, row)
	} else {
		copy(to, row)
	}
}

// contrastive is the loss of a softmax over each row and each column.
type contrastive struct {
	lineLosses
	lse    kernels.Tensor
	counts []int32 // number of positives of each column
}

// Contrastive implements kernels.Device.
func (d *Device) Contrastive(loss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	c := &d.contrastive
	c.lse = lse
	c.beginLosses(d, s, mask, columns)
	d.pool.run(c.countParts(), c)
	loss.F32[0] = c.sumLosses(rowWeight, columnWeight)
}

// runPart implements task.
func (c *contrastive) runPart(w *worker, i int) {
	if i >= c.count() {
		first := (i - c.count()) * columnBlock
		c.runColumns(w, first, min(first+columnBlock, c.columns))
		return
	}
	first, end := c.bounds(i)
	for r := first; r < end; r++ {
		if c.backward {
			c.rowGradient(w, r)
			continue
		}
		line := w.floats(c.s.Cols)
		copy(line, rowOf(c.s, r))
		c.computeLineLoss(r, line, r*c.s.Cols, 1)
	}
}

// runColumns computes the losses of the columns first to end-1 or, backward, counts their
// positives.
func (c *contrastive) runColumns(w *worker, first, end int) {
	n := c.s.Rows
	if c.backward {
		counts := c.counts[first:end]
		clear(counts)
		for i := range n {
			for j, m := range c.mask[i*c.s.Cols+first:][:end-first] {
				if m == kernels.MaskPositive {
					counts[j]++
				}
			}
		}
		return
	}
	lines := w.floats(n * (end - first))
	for i := range n {
		for j, v := range rowOf(c.s, i)[first:end] {
			lines[j*n+i] = v
		}
	}
	for j := first; j < end; j++ {
		c.computeLineLoss(n+j, lines[(j-first)*n:][:n], j, c.s.Cols)
	}
}

// computeLineLoss computes losses[at] of s, the similarities of a row or a column, which it overwrites.
// Their mask elements are first, first+step and so on.
func (c *contrastive) computeLineLoss(at int, s []float32, first, step int) {
	var trues float64
	positives := 0
	for k := range s {
		switch c.mask[first+k*step] {
		case kernels.MaskIgnored:
			s[k] = float32(math.Inf(-1))
		case kernels.MaskPositive:
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

// ContrastiveBackward implements kernels.Device.
func (d *Device) ContrastiveBackward(ds kernels.Grad, dloss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	c := &d.contrastive
	c.lse = lse
	c.beginGradient(d, ds, dloss, s, mask, columns, rowWeight, columnWeight)
	c.counts = resize(c.counts, columns)
	c.rowParts = rowParts{0, 1}
	d.pool.run((columns+columnBlock-1)/columnBlock, c) // columns alone: their numbers of positives
	c.rowParts = rowPartsOf(s.Rows, s.Cols)
	d.pool.run(c.count(), c)
}

// rowGradient computes row i of the gradient.
func (c *contrastive) rowGradient(w *worker, i int) {
	m, set := c.s.Cols, &c.d.set
	memory := w.floats(m + c.columns)
	ofRow, ofColumns := memory[:m], memory[m:]
	s, mask := rowOf(c.s, i), c.mask[i*m:(i+1)*m]

	positives := 0
	for _, v := range mask {
		if v == kernels.MaskPositive {
			positives++
		}
	}
	set.Exp(ofRow, s, 1, -c.lse.F32[i]) // 0 if the row has no positive
	set.Scale(ofRow, ofRow, c.rowWeight)
	set.Subtract(ofColumns, s[:c.columns], c.lse.F32[c.s.Rows:])
	set.Exp(ofColumns, ofColumns, 1, 0)
	for k, v := range mask {
		d := ofRow[k]
		if k < c.columns {
			d += c.columnWeight * ofColumns[k]
		}
		switch v {
		case kernels.MaskIgnored:
			d = 0
		case kernels.MaskPositive:
			d -= c.rowWeight / float32(positives)
			if k < c.columns {
				d -= c.columnWeight / float32(c.counts[k])
			}
		}
		ofRow[k] = d
	}
	c.storeRow(i, ofRow)
}
