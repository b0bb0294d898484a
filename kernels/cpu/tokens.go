package cpu

import "capgraph/kernels"

// tokens embeds packed texts. A part is some texts or, backward, some positions.
type tokens struct {
	rowParts
	d                   *Device
	y, table, positions kernels.Tensor
	ids, starts         []int32
	dy                  kernels.Tensor
}

// Tokens implements kernels.Device.
func (d *Device) Tokens(y, table, positions kernels.Tensor, ids, starts kernels.Ints) {
	t := &d.tokens
	*t = tokens{rowParts: rowPartsOf(starts.Len()-1, 8*y.Cols), d: d, y: y, table: table, positions: positions, ids: ids.Host, starts: starts.Host}
	d.pool.run(t.count(), t)
}

// TokensBackward implements kernels.Device.
func (d *Device) TokensBackward(dtable, dpositions kernels.Grad, dy kernels.Tensor, starts kernels.Ints, by kernels.Groups) {
	if !dtable.IsNone() {
		d.GatherBackward(dtable, dy, by)
	}
	if dpositions.IsNone() {
		return
	}
	if !dpositions.Add {
		d.Zero(dpositions.Tensor)
	}
	t := &d.tokens
	*t = tokens{rowParts: rowParts{dpositions.Rows, 1}, d: d, dy: dy, positions: dpositions.Tensor, starts: starts.Host}
	d.pool.run(t.count(), t)
}

// runPart implements task.
func (t *tokens) runPart(_ *worker, i int) {
	first, end := t.bounds(i)
	if t.dy.IsNone() {
		for s := first; s < end; s++ {
			t.embedText(int(t.starts[s]), int(t.starts[s+1]))
		}
		return
	}
	to := rowOf(t.positions, i)
	for s := range len(t.starts) - 1 {
		if at := int(t.starts[s]) + i; at < int(t.starts[s+1]) {
			t.d.set.Add(to, rowOf(t.dy, at))
		}
	}
}

// embedText embeds the tokens of one text.
func (t *tokens) embedText(first, end int) {
	for i := first; i < end; i++ {
		to := rowOf(t.y, i)
		copy(to, rowOf(t.table, int(t.ids[i])))
		t.d.set.Add(to, rowOf(t.positions, i-first))
	}
}
