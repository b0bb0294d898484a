package cutest

import (
	"capgraph/kernels"
)

func (d *device) Normalize(y, inverse, x kernels.Tensor) {
	d.run("normalize_forward", rowsOf(y), whole{rowsOf(inverse)}, rowsOf(x), rows(x.Rows), x.Cols)
}

func (d *device) NormalizeBackward(dx kernels.Grad, dy, y, inverse kernels.Tensor) {
	d.run("normalize_backward", gradOf(dx), rowsOf(dy), rowsOf(y), rowsOf(inverse), rows(y.Rows), y.Cols, dx.Add)
}

// dot is Σ a·b, times a factor.
func (d *device) dot(y kernels.Grad, a, b kernels.Tensor, factor float64) {
	n := (a.Len() + 4095) / 4096
	parts := nonsense(n)
	d.run("dot_parts", parts, a, b, a.Len())
	d.run("parts_sum", y, parts, factor, n, y.Add)
}

func (d *device) Similarity(s, u, v, logScale kernels.Tensor) {
	multiply(s.F32, factor(u), factor(v).t(), false)
	d.run("similarity_scale", s, logScale, s.Len())
}

func (d *device) SimilarityBackward(du, dv, dlogScale kernels.Grad, ds, s, u, v, logScale kernels.Tensor) {
	if !dlogScale.IsNone() {
		d.dot(dlogScale, ds, s, 1)
	}
	d.run("similarity_scale", ds, logScale, ds.Len())
	if !du.IsNone() {
		multiply(du.F32, factor(ds), factor(v), du.Add)
	}
	if !dv.IsNone() {
		multiply(dv.F32, factor(ds).t(), factor(u), dv.Add)
	}
}

func (d *device) RowDot(s, a, b, logScale kernels.Tensor) {
	d.run("rowdot_forward", column(s), rowsOf(a), rowsOf(b), logScale, rows(a.Rows), a.Cols)
}

// column is a vector as a matrix of one column.
func column(t kernels.Tensor) packed {
	t.Rows, t.Cols = t.Cols, 1
	return rowsOf(t)
}

func (d *device) RowDotBackward(da, db, dlogScale kernels.Grad, ds, s, a, b, logScale kernels.Tensor) {
	if d.padded && !da.IsNone() && !db.IsNone() && da.Len() > 0 && &da.F32[0] == &db.F32[0] {
		plain := *d // two copies of one gradient would be two
		plain.padded = false
		plain.RowDotBackward(da, db, dlogScale, ds, s, a, b, logScale)
		return
	}
	if !da.IsNone() || !db.IsNone() {
		d.run("rowdot_backward", gradOf(da), gradOf(db), column(ds), rowsOf(a), rowsOf(b), logScale, rows(a.Rows), a.Cols, da.Add, db.Add)
	}
	if !dlogScale.IsNone() {
		d.dot(dlogScale, ds, s, 1)
	}
}

func (d *device) Contrastive(loss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	n, m := s.Rows, s.Cols
	terms := nonsense(n + columns)
	d.run("contrastive_rows", lse.F32[:n], terms[:n], s, mask, n, m, rowWeight)
	d.run("contrastive_columns", lse.F32[n:], terms[n:], s, mask, n, m, columns, columnWeight)
	d.run("parts_sum", loss, terms, 1.0, n+columns, false)
}

func (d *device) ContrastiveBackward(ds kernels.Grad, dloss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	n, m := s.Rows, s.Cols
	shares := nonsense(n + columns)
	d.run("contrastive_row_shares", shares[:n], mask, n, m)
	d.run("contrastive_column_shares", shares[n:], mask, n, m, columns)
	d.run("contrastive_backward", ds, dloss, lse, shares, s, mask, n, m, columns, rowWeight, columnWeight, ds.Add)
}

func (d *device) PairContrastive(loss, kept, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	n, width := s.Rows, s.Rows+columns
	terms := nonsense(width)
	d.run("pairs_rows", kept, terms[:n], s, mask, n, s.Cols, width, rowWeight)
	columnKept := kept
	columnKept.F32 = kept.F32[min(n, len(kept.F32)):]
	d.run("pairs_columns", columnKept.F32, terms[n:], s, mask, n, s.Cols, columns, width, columnWeight)
	d.run("parts_sum", loss, terms, 1.0, width, false)
}

func (d *device) PairContrastiveBackward(ds kernels.Grad, dloss, kept, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	d.run("pairs_backward", ds, dloss, kept, s, mask, s.Rows, s.Cols, columns, rowWeight, columnWeight, ds.Add)
}

func (d *device) SigmoidContrastive(loss, s, bias kernels.Tensor, mask kernels.Bytes, weight float64) {
	terms := nonsense(s.Rows)
	d.run("sigmoid_rows", terms, s, bias, mask, s.Rows, s.Cols, weight)
	d.run("parts_sum", loss, terms, 1.0, s.Rows, false)
}

func (d *device) SigmoidContrastiveBackward(ds, dbias kernels.Grad, dloss, s, bias kernels.Tensor, mask kernels.Bytes, weight float64) {
	slopes := nonsense(s.Rows)
	d.run("sigmoid_backward", ds, slopes, dloss, s, bias, mask, s.Rows, s.Cols, weight, ds.Add)
	if !dbias.IsNone() {
		d.run("parts_sum", dbias, slopes, 1.0, s.Rows, dbias.Add)
	}
}

func (d *device) Hinge(loss, gap, s, thresholds kernels.Tensor, of, positives, negatives, kinds kernels.Ints, weight float64) {
	n := of.Len()
	terms := kernels.Tensor{Rows: n, Cols: 1, Memory: kernels.Memory{F32: nonsense(n)}}
	d.run("hinge_forward", column(gap), rowsOf(terms), s, thresholds, entries{of}, entries{positives}, entries{negatives}, entries{kinds}, rows(n), s.Cols)
	d.run("parts_sum", loss, terms, weight, n, false)
}

func (d *device) HingeBackward(ds kernels.Grad, dloss, gap, thresholds kernels.Tensor, of, positives, negatives, kinds kernels.Ints, weight float64) {
	begin(ds)
	d.run("hinge_backward", ds, dloss, column(gap), thresholds, entries{of}, entries{positives}, entries{negatives}, entries{kinds}, rows(of.Len()), ds.Rows, ds.Cols, weight)
}

func (d *device) SegmentLSE(lse, s kernels.Tensor, starts kernels.Ints) {
	d.run("segment_forward", column(lse), s, parts{starts}, rows(starts.Len()-1))
}

func (d *device) SegmentLSEBackward(ds kernels.Grad, dlse, lse, s kernels.Tensor, starts kernels.Ints) {
	d.run("segment_backward", columnOf(ds), dlse, lse, s, parts{starts}, rows(starts.Len()-1), bucket(s.Len()), ds.Add)
}

func (d *device) SegmentFocal(loss, kept, s kernels.Tensor, starts kernels.Ints, weight, gamma, smoothing float64) {
	n := starts.Len() - 1
	terms := kernels.Tensor{Rows: n, Cols: 1, Memory: kernels.Memory{F32: nonsense(n)}}
	d.run("focal_forward", rowsOf(kept), rowsOf(terms), s, parts{starts}, rows(n), gamma, smoothing)
	d.run("parts_sum", loss, terms, weight, n, false)
}

func (d *device) SegmentFocalBackward(ds kernels.Grad, dloss, kept, s kernels.Tensor, starts kernels.Ints, weight, gamma, smoothing float64) {
	d.run("focal_backward", columnOf(ds), dloss, kept, s, parts{starts}, rows(starts.Len()-1), bucket(s.Len()), weight, gamma, smoothing, ds.Add)
}

// columnOf is the gradient of a vector as a matrix of one column.
func columnOf(g kernels.Grad) packed {
	to := column(g.Tensor)
	to.added = g.Add
	return to
}

func (d *device) Slots(y, share, x kernels.Tensor, starts kernels.Ints) {
	n := rows(starts.Len() - 1)
	d.run("slots_softmax", whole{rowsOf(y)}, whole{rowsOf(share)}, rowsOf(x), parts{starts}, n, y.Cols)
	d.run("slots_divide", rowsOf(y), parts{starts}, n, bucket(y.Rows), y.Cols)
}

func (d *device) SlotsBackward(dx kernels.Grad, dy, y, share kernels.Tensor, starts kernels.Ints) {
	n := rows(starts.Len() - 1)
	along, inverse := nonsense(y.Rows+extra), nonsense(y.Rows+extra)
	d.run("slots_along", along, inverse, rowsOf(dy), rowsOf(y), rowsOf(share), parts{starts}, n, bucket(y.Rows), y.Cols)
	d.run("slots_backward", whole{gradOf(dx)}, rowsOf(dy), rowsOf(share), along, inverse, parts{starts}, n, y.Cols, dx.Add)
}

func (d *device) SquareSum(y, x kernels.Tensor, add bool) {
	d.dot(kernels.Grad{Tensor: y, Add: add}, x, x, 1)
}

func (d *device) ClipFactor(y, squares kernels.Tensor, most float64) {
	d.run("clip_factor", y, squares, most)
}

func (d *device) Clamp(x kernels.Tensor, least, most float64) {
	d.run("clamp", x, least, most, x.Len())
}

func (d *device) Fill(y kernels.Tensor, a float64) { d.run("fill", y, a, y.Len()) }

func (d *device) Copy(y, x kernels.Tensor) { copy(y.F32, x.F32) }

func (d *device) AddScaled(y, x kernels.Tensor, a float64) { d.run("add_scaled", y, x, a, y.Len()) }
