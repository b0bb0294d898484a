package cpu

import "capgraph/kernels"

// ContrastiveBackward implements kernels.Device.
func (d *Device) ContrastiveBackward(ds kernels.Grad, dloss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	c := &d.contrastive
	*c = contrastive{
		d: d, rowParts: rowParts{0, 1}, lse: lse, s: s, mask: mask.Host, columns: columns, losses: c.losses, counts: c.counts, ds: ds, backward: true,
		rowWeight: dloss.F32[0] * float32(rowWeight), columnWeight: dloss.F32[0] * float32(columnWeight),
	}
	c.counts = grow(c.counts, columns)
	d.pool.run((columns+columnsAtOnce-1)/columnsAtOnce, c) // no rows yet: how many positives the columns have
	c.rowParts = partsOf(s.Rows, s.Cols)
	d.pool.run(c.count(), c)
}

// slopes is row i of the gradient.
func (c *contrastive) slopes(w *worker, i int) {
	m, set := c.s.Cols, &c.d.set
	memory := w.floats(m + c.columns)
	ofRow, ofColumns := memory[:m], memory[m:]
	s, mask := row(c.s, i), c.mask[i*m:(i+1)*m]

	positives := 0
	for _, v := range mask {
		if v == kernels.True {
			positives++
		}
	}
	set.Exp(ofRow, s, 1, -c.lse.F32[i]) // 0 where there is no term
	set.Scale(ofRow, ofRow, c.rowWeight)
	set.Subtract(ofColumns, s[:c.columns], c.lse.F32[c.s.Rows:])
	set.Exp(ofColumns, ofColumns, 1, 0)
	for k, v := range mask {
		d := ofRow[k]
		if k < c.columns {
			d += c.columnWeight * ofColumns[k]
		}
		switch v {
		case kernels.LeftOut:
			d = 0
		case kernels.True:
			d -= c.rowWeight / float32(positives)
			if k < c.columns {
				d -= c.columnWeight / float32(c.counts[k])
			}
		}
		ofRow[k] = d
	}
	to := row(c.ds.Tensor, i)
	if c.ds.Add {
		set.Add(to, ofRow)
	} else {
		copy(to, ofRow)
	}
}
