package cpu

import "capgraph/kernels"

// gather copies rows, or sums the rows of each group.
type gather struct {
	rowParts
	d    *Device
	y, x kernels.Tensor
	rows []int32
	by   kernels.Groups
}

// Gather implements kernels.Device.
func (d *Device) Gather(y, x kernels.Tensor, rows kernels.Ints) {
	d.gather = gather{rowParts: rowPartsOf(rows.Len(), x.Cols), d: d, y: y, x: x, rows: rows.Host}
	d.pool.run(d.gather.count(), &d.gather)
}

// GatherBackward implements kernels.Device.
func (d *Device) GatherBackward(dx kernels.Grad, dy kernels.Tensor, by kernels.Groups) {
	if !dx.Add {
		d.Zero(dx.Tensor)
	}
	d.sumGroups(dx.Tensor, dy, by)
}

// sumGroups adds to row Values[g] of y the rows of x in group g.
func (d *Device) sumGroups(y, x kernels.Tensor, by kernels.Groups) {
	d.gather = gather{rowParts: rowPartsOf(by.Values.Len(), x.Cols), d: d, y: y, x: x, by: by}
	d.pool.run(d.gather.count(), &d.gather)
}

// runPart implements task.
func (g *gather) runPart(_ *worker, i int) {
	first, end := g.bounds(i)
	if g.by.Values.Host == nil {
		for i, from := range g.rows[first:end] {
			copy(rowOf(g.y, first+i), rowOf(g.x, int(from)))
		}
		return
	}
	for group := first; group < end; group++ {
		to := rowOf(g.y, int(g.by.Values.Host[group]))
		for _, i := range g.by.Order.Host[g.by.Bounds.Host[group]:g.by.Bounds.Host[group+1]] {
			g.d.set.Add(to, rowOf(g.x, int(i)))
		}
	}
}
