package cpu

import "capgraph/kernels"

// tokens embeds packed texts, a part a text; backward, a part some positions.
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
	*t = tokens{rowParts: partsOf(starts.Len()-1, 8*y.Cols), d: d, y: y, table: table, positions: positions, ids: ids.Host, starts: starts.Host}
	d.pool.run(t.count(), t)
}

// TokensBackward implements kernels.Device.
func (d *Device) TokensBackward(dtable, dpositions kernels.Grad, dy kernels.Tensor, starts kernels.Ints, by kernels.Groups) {
	if !dtable.None() {
		d.GatherBackward(dtable, dy, by)
	}
	if dpositions.None() {
		return
	}
	if !dpositions.Add {
		d.Zero(dpositions.Tensor)
	}
	t := &d.tokens
	*t = tokens{rowParts: rowParts{dpositions.Rows, 1}, d: d, dy: dy, positions: dpositions.Tensor, starts: starts.Host}
	d.pool.run(t.count(), t)
}

// part implements work.
func (t *tokens) part(_ *worker, i int) {
	first, end := t.bounds(i)
	if t.dy.None() {
		for s := first; s < end; s++ {
			t.text(int(t.starts[s]), int(t.starts[s+1]))
		}
		return
	}
	to := row(t.positions, i)
	for s := range len(t.starts) - 1 {
		if at := int(t.starts[s]) + i; at < int(t.starts[s+1]) {
			t.d.set.Add(to, row(t.dy, at))
		}
	}
}

// text embeds the tokens of one text.
func (t *tokens) text(first, end int) {
	for i := first; i < end; i++ {
		to := row(t.y, i)
		copy(to, row(t.table, int(t.ids[i])))
		t.d.set.Add(to, row(t.positions, i-first))
	}
}
