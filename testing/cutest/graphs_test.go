package cutest

import "capgraph/kernels"

func (d *device) Product(y, pre, a, b, c kernels.Tensor, act kernels.Activation) {
	copy(y.F32, c.F32)
	multiply(y.F32, factor(a), factor(b), !c.IsNone())
	if act != kernels.NoActivation {
		d.run("linear_forward", rowsOf(y), uint64(0), rowsOf(pre), rowsOf(y), uint64(0), uint64(0), int(act), rows(y.Rows), y.Cols)
	}
}

func (d *device) ProductBackward(da, db kernels.Grad, dy, pre, a, b kernels.Tensor, act kernels.Activation) {
	ds := dy
	if act != kernels.NoActivation {
		ds = pre
		d.run("linear_backward", rowsOf(pre), uint64(0), uint64(0), rowsOf(pre), rowsOf(dy), int(act), rows(dy.Rows), dy.Cols)
	}
	if !da.IsNone() {
		multiply(da.F32, factor(ds), factor(b).t(), da.Add)
	}
	if !db.IsNone() {
		multiply(db.F32, factor(a).t(), factor(ds), db.Add)
	}
}

func (d *device) Score(s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	d.run("score_forward", column(s), nodes, relations, weights, logScale, parts{nodeStarts}, parts{relationStarts}, rows(s.Len()))
}

func (d *device) ScoreBackward(dnodes, drelations, dweights, dlogScale kernels.Grad, ds, s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	n := s.Len() + d.more()
	terms := nonsense(3 * n)
	d.run("score_backward", dnodes, drelations, terms, column(ds), column(s), nodes, relations, weights, logScale,
		parts{nodeStarts}, parts{relationStarts}, rows(s.Len()), dnodes.Add, drelations.Add)
	for i, g := range []kernels.Grad{part(dweights, 0), part(dweights, 1), dlogScale} {
		if !g.IsNone() {
			d.run("parts_sum", g, terms[i*n:(i+1)*n], 1.0, n, g.Add)
		}
	}
}

// part is one number of a gradient.
func part(g kernels.Grad, i int) kernels.Grad {
	if !g.IsNone() {
		g.Rows, g.Cols, g.F32 = 1, 1, g.F32[i:i+1]
	}
	return g
}
