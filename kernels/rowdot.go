package kernels

import "math"

type rowDotOps interface {
	// RowDot computes s_i = exp(logScale)·a_i·b_i: a, b [n, w], logScale [1, 1], s [1, n].
	RowDot(s, a, b, logScale Tensor)
	// RowDotBackward computes gradients from ds [1, n]. Each may be none.
	RowDotBackward(da, db, dlogScale Grad, ds, s, a, b, logScale Tensor)
}

// RowDot returns the scaled similarity of each row of a [n, w] with the same row of b [n, w]: [1,
// n].
func (t *Tape) RowDot(a, b, logScale *Var) *Var {
	checkShape(a.Value.Rows == b.Value.Rows && a.Value.Cols == b.Value.Cols, "the rows are no pairs")
	checkShape(logScale.Value.Len() == 1, "a scale is no single number")
	s := t.newResult(1, a.Value.Rows, a, b, logScale)
	t.Device.RowDot(s.Value, a.Value, b.Value, logScale.Value)
	return t.addRecord(record{backward: rowDotBackward, in: [4]*Var{a, b, logScale}, out: s})
}

func rowDotBackward(t *Tape, r *record) {
	a, b, logScale := r.in[0], r.in[1], r.in[2]
	t.Device.RowDotBackward(t.gradOf(a), t.gradOf(b), t.gradOf(logScale), r.out.Grad, r.out.Value, a.Value, b.Value, logScale.Value)
}

// RowDot implements Device.
func (*Reference) RowDot(s, a, b, logScale Tensor) {
	scale := math.Exp(logScale.F64[0])
	for i := range a.Rows {
		s.F64[i] = scale * dot(a.row(i), b.row(i))
	}
}

// RowDotBackward implements Device.
func (*Reference) RowDotBackward(da, db, dlogScale Grad, ds, s, a, b, logScale Tensor) {
	scale := math.Exp(logScale.F64[0])
	for i := range a.Rows {
		for k := range a.Cols {
			if !da.IsNone() {
				da.store(i*a.Cols+k, scale*ds.F64[i]*b.F64[i*a.Cols+k])
			}
			if !db.IsNone() {
				db.store(i*a.Cols+k, scale*ds.F64[i]*a.F64[i*a.Cols+k])
			}
		}
	}
	if !dlogScale.IsNone() {
		dlogScale.store(0, dot(ds.F64, s.F64))
	}
}
