package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// The operations that compare an image with scene graphs.

// Product implements kernels.Device. It computes in float32 in both precisions.
func (d *Device) Product(y, pre, a, b, c kernels.Tensor, act kernels.Activation) {
	if !c.IsNone() {
		d.Copy(y, c)
	}
	d.multiplyTensor(cublaslt.Float32, y, float32Operand(a), float32Operand(b), !c.IsNone())
	if act != kernels.NoActivation {
		d.launch("linear_forward", y.Address, none, pre.Address, y.Address, none, none, int(act), none, y.Rows, y.Cols)
	}
	if y.Half != 0 {
		d.launch("round", y.Half, y.Address, none, y.Rows, y.Cols)
	}
}

// ProductBackward implements kernels.Device.
func (d *Device) ProductBackward(da, db kernels.Grad, dy, pre, a, b kernels.Tensor, act kernels.Activation) {
	ds := dy
	if act != kernels.NoActivation {
		d.launch("linear_backward", pre.Address, none, none, pre.Address, dy.Address, int(act), none, dy.Rows, dy.Cols)
		ds = pre
	}
	if !da.IsNone() {
		d.multiplyTensor(cublaslt.Float32, da.Tensor, float32Operand(ds), float32Operand(b).transpose(), da.Add)
	}
	if !db.IsNone() {
		d.multiplyTensor(cublaslt.Float32, db.Tensor, float32Operand(a).transpose(), float32Operand(ds), db.Add)
	}
}

// Score implements kernels.Device.
func (d *Device) Score(s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	d.launch("score_forward", s.Address, nodes.Address, relations.Address, weights.Address, logScale.Address,
		nodeStarts.Address, relationStarts.Address, none, s.Len())
}

// ScoreBackward implements kernels.Device.
func (d *Device) ScoreBackward(dnodes, drelations, dweights, dlogScale kernels.Grad, ds, s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	d.resetScratch()
	n := s.Len()
	terms := d.scratchFloats(3 * n)
	d.launch("score_backward", dnodes.Address, drelations.Address, terms, ds.Address, s.Address, nodes.Address, relations.Address, weights.Address,
		logScale.Address, nodeStarts.Address, relationStarts.Address, none, n, dnodes.Add, drelations.Add)
	sum := func(to uint64, number int, add bool) {
		d.launch("parts_sum", to, terms+uint64(number*n)*elementBytes, 1.0, n, add)
	}
	if !dweights.IsNone() {
		sum(dweights.Address, 0, dweights.Add)
		sum(dweights.Address+elementBytes, 1, dweights.Add)
	}
	if !dlogScale.IsNone() {
		sum(dlogScale.Address, 2, dlogScale.Add)
	}
}
