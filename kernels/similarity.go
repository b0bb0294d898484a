package kernels

import "math"

type similarityOps interface {
	// Similarity computes s = exp(logScale)·u·vᵀ: u [n, w], v [m, w], logScale [1, 1], s [n, m].
	Similarity(s, u, v, logScale Tensor)
	// SimilarityBackward computes gradients from ds [n, m], which it overwrites. Each gradient may
	// be none.
	SimilarityBackward(du, dv, dlogScale Grad, ds, s, u, v, logScale Tensor)
}

// Similarity returns CLIP's logits exp(logScale)·u·vᵀ [n, m]: the scaled similarity of every row of
// u [n, w] with every row of v [m, w], which have length 1.
func (t *Tape) Similarity(u, v, logScale *Var) *Var {
	checkShape(u.Value.Cols == v.Value.Cols && logScale.Value.Len() == 1, "features of several widths cannot be compared")
	s := t.newResult(u.Value.Rows, v.Value.Rows, u, v, logScale)
	t.Device.Similarity(s.Value, u.Value, v.Value, logScale.Value)
	return t.addRecord(record{backward: similarityBackward, in: [4]*Var{u, v, logScale}, out: s})
}

func similarityBackward(t *Tape, r *record) {
	u, v, logScale := r.in[0], r.in[1], r.in[2]
	t.Device.SimilarityBackward(t.gradOf(u), t.gradOf(v), t.gradOf(logScale), r.out.Grad, r.out.Value, u.Value, v.Value, logScale.Value)
}

// Similarity implements Device.
func (*Reference) Similarity(s, u, v, logScale Tensor) {
	scale := math.Exp(logScale.F64[0])
	for i := range u.Rows {
		for j := range v.Rows {
			s.F64[i*s.Cols+j] = scale * dot(u.row(i), v.row(j))
		}
	}
}

// SimilarityBackward implements Device.
func (*Reference) SimilarityBackward(du, dv, dlogScale Grad, ds, s, u, v, logScale Tensor) {
	if !dlogScale.IsNone() {
		dlogScale.store(0, dot(ds.F64, s.F64))
	}
	scale := math.Exp(logScale.F64[0])
	for i, d := range ds.F64 {
		ds.F64[i] = d * scale
	}
	for _, g := range []Grad{du, dv} {
		if !g.IsNone() && !g.Add {
			clear(g.F64)
		}
	}
	for i := range u.Rows {
		for j := range v.Rows {
			d := ds.F64[i*ds.Cols+j]
			for k := range u.Cols {
				if !du.IsNone() {
					du.F64[i*u.Cols+k] += d * v.F64[j*v.Cols+k]
				}
				if !dv.IsNone() {
					dv.F64[j*v.Cols+k] += d * u.F64[i*u.Cols+k]
				}
			}
		}
	}
}
