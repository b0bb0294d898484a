package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// The operations that compare an image with scene graphs.

// Product implements kernels.Device. It is exact: its factors are shares and what is
// compared.
func (d *Device) Product(y, pre, a, b, c kernels.Tensor, act kernels.Activation) {
	if !c.None() {
		d.Copy(y, c)
	}
	d.product(cublaslt.Float32, y, plain(a), plain(b), !c.None())
	if act != kernels.NoActivation {
		d.launch("linear_forward", y.Address, none, pre.Address, y.Address, none, none, int(act), none, y.Rows, y.Cols)
	}
}

// ProductBackward implements kernels.Device.
func (d *Device) ProductBackward(da, db kernels.Grad, dy, pre, a, b kernels.Tensor, act kernels.Activation) {
	ds := dy
	if act != kernels.NoActivation {
		d.launch("linear_backward", pre.Address, none, none, pre.Address, dy.Address, int(act), none, dy.Rows, dy.Cols)
		ds = pre
	}
	if !da.None() {
		d.product(cublaslt.Float32, da.Tensor, plain(ds), plain(b).transposed(), da.Add)
	}
	if !db.None() {
		d.product(cublaslt.Float32, db.Tensor, plain(a).transposed(), plain(ds), db.Add)
	}
}

// Score implements kernels.Device.
func (d *Device) Score(s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	d.launch("score_forward", s.Address, nodes.Address, relations.Address, weights.Address, logScale.Address,
		nodeStarts.Address, relationStarts.Address, none, s.Len())
}

// ScoreBackward implements kernels.Device.
func (d *Device) ScoreBackward(dnodes, drelations, dweights, dlogScale kernels.Grad, ds, s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	d.begin()
	n := s.Len()
	terms := d.floats(3 * n)
	d.launch("score_backward", dnodes.Address, drelations.Address, terms, ds.Address, s.Address, nodes.Address, relations.Address, weights.Address,
		logScale.Address, nodeStarts.Address, relationStarts.Address, none, n, dnodes.Add, drelations.Add)
	sum := func(to uint64, number int, add bool) {
		d.launch("parts_sum", to, terms+uint64(number*n)*elementBytes, 1.0, n, add)
	}
	if !dweights.None() {
		sum(dweights.Address, 0, dweights.Add)
		sum(dweights.Address+elementBytes, 1, dweights.Add)
	}
	if !dlogScale.None() {
		sum(dlogScale.Address, 2, dlogScale.Add)
	}
}
