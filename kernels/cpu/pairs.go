package cpu

import (
	"math"

	"capgraph/kernels"
)

// pairContrastive is the loss with a softmax for each pair of an image and a positive text.
type pairContrastive struct {
	lineLosses
	kept kernels.Tensor
}

// PairContrastive implements kernels.Device.
func (d *Device) PairContrastive(loss, kept, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	c := &d.pairContrastive
	c.kept = kept
	c.beginLosses(d, s, mask, columns)
	d.pool.run(c.countParts(), c)
	loss.F32[0] = c.sumLosses(rowWeight, columnWeight)
}

// PairContrastiveBackward implements kernels.Device.
func (d *Device) PairContrastiveBackward(ds kernels.Grad, dloss, kept, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	c := &d.pairContrastive
	c.kept = kept
	c.beginGradient(d, ds, dloss, s, mask, columns, rowWeight, columnWeight)
	d.pool.run(c.count(), c)
}

// runPart implements task.
func (c *pairContrastive) runPart(w *worker, i int) {
	if i >= c.count() {
		first := (i - c.count()) * columnBlock
		for j := first; j < min(first+columnBlock, c.columns); j++ {
			c.computeLineLoss(w, c.s.Rows+j, c.s.Rows, j, c.s.Cols)
		}
		return
	}
	first, end := c.bounds(i)
	for r := first; r < end; r++ {
		if c.backward {
			c.rowGradient(w, r)
		} else {
			c.computeLineLoss(w, r, c.s.Cols, r*c.s.Cols, 1)
		}
	}
}

// keptRow returns a row of kept, such as the row PairLSE. A row has an element for each row of s,
// then one for each column.
func (c *pairContrastive) keptRow(row int) []float32 { return rowOf(c.kept, row) }

// computeLineLoss computes losses[at], the loss of a row or column of n similarities. These are the
// elements first, first+step and so on of s.
func (c *pairContrastive) computeLineLoss(w *worker, at, n, first, step int) {
	memory := w.floats(2 * n)
	negatives, positives := memory[:0:n], memory[n:n:2*n]
	for k := range n {
		switch c.mask[first+k*step] {
		case kernels.MaskNegative:
			negatives = append(negatives, c.s.F32[first+k*step])
		case kernels.MaskPositive:
			positives = append(positives, c.s.F32[first+k*step])
		}
	}
	var term, pull, share float64
	lse := math.Inf(1)
	if len(positives) > 0 {
		lse, share = math.Inf(-1), 1/float64(len(positives))
		if len(negatives) > 0 {
			most := c.d.set.Max(negatives)
			lse = float64(most) + math.Log(float64(c.d.set.Exp(negatives, negatives, 1, -most)))
		}
		for _, v := range positives {
			y, slope := kernels.Softplus(lse - float64(v))
			term, pull = term+y*share, pull+slope*share
		}
	}
	c.keptRow(kernels.PairLSE)[at] = float32(lse)
	c.keptRow(kernels.PairPull)[at] = float32(pull)
	c.keptRow(kernels.PairShare)[at] = float32(share)
	c.losses[at] = term
}

// rowGradient computes row i of the gradient.
func (c *pairContrastive) rowGradient(w *worker, i int) {
	n, m, set := c.s.Rows, c.s.Cols, &c.d.set
	lse, pull, share := c.keptRow(kernels.PairLSE), c.keptRow(kernels.PairPull), c.keptRow(kernels.PairShare)
	memory := w.floats(m + c.columns)
	ofRow, ofColumns := memory[:m], memory[m:]
	s, mask := rowOf(c.s, i), c.mask[i*m:(i+1)*m]
	set.Exp(ofRow, s, 1, -lse[i])
	set.Subtract(ofColumns, s[:c.columns], lse[n:])
	set.Exp(ofColumns, ofColumns, 1, 0)
	slope := func(at, k int) float32 {
		_, d := kernels.Softplus(float64(lse[at] - s[k]))
		return share[at] * float32(d)
	}
	for k, v := range mask {
		var d float32
		switch v {
		case kernels.MaskNegative:
			d = c.rowWeight * pull[i] * ofRow[k]
			if k < c.columns {
				d += c.columnWeight * pull[n+k] * ofColumns[k]
			}
		case kernels.MaskPositive:
			d = -c.rowWeight * slope(i, k)
			if k < c.columns {
				d -= c.columnWeight * slope(n+k, k)
			}
		}
		ofRow[k] = d
	}
	c.storeRow(i, ofRow)
}
