package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// The operations of the objectives.

// elementsPerPart is the number of elements in a part of a sum over all elements.
const elementsPerPart = 4096

// dotProduct writes Σ a·b over n elements to y, or adds it to y. All three are addresses.
func (d *Device) dotProduct(y, a, b uint64, n int, add bool) {
	sums := d.scratchFloats(partCount(n, elementsPerPart))
	d.launch("dot_parts", sums, a, b, n)
	d.launch("parts_sum", y, sums, 1.0, partCount(n, elementsPerPart), add)
}

// Normalize implements kernels.Device.
func (d *Device) Normalize(y, inverse, x kernels.Tensor) {
	d.launch("normalize_forward", y.Address, inverse.Address, x.Address, none, x.Rows, x.Cols)
}

// NormalizeBackward implements kernels.Device.
func (d *Device) NormalizeBackward(dx kernels.Grad, dy, y, inverse kernels.Tensor) {
	d.launch("normalize_backward", dx.Address, dy.Address, y.Address, inverse.Address, none, y.Rows, y.Cols, dx.Add)
}

// Similarity implements kernels.Device. The product is computed in float32 in both precisions,
// because it is the logits.
func (d *Device) Similarity(s, u, v, logScale kernels.Tensor) {
	d.multiplyTensor(cublaslt.Float32, s, float32Operand(u), float32Operand(v).transpose(), false)
	d.launch("similarity_scale", s.Address, logScale.Address, s.Len())
}

// SimilarityBackward implements kernels.Device.
func (d *Device) SimilarityBackward(du, dv, dlogScale kernels.Grad, ds, s, u, v, logScale kernels.Tensor) {
	d.resetScratch()
	if !dlogScale.IsNone() {
		d.dotProduct(dlogScale.Address, ds.Address, s.Address, s.Len(), dlogScale.Add)
	}
	d.launch("similarity_scale", ds.Address, logScale.Address, ds.Len())
	if !du.IsNone() {
		d.multiplyTensor(cublaslt.Float32, du.Tensor, float32Operand(ds), float32Operand(v), du.Add)
	}
	if !dv.IsNone() {
		d.multiplyTensor(cublaslt.Float32, dv.Tensor, float32Operand(ds).transpose(), float32Operand(u), dv.Add)
	}
}

// RowDot implements kernels.Device.
func (d *Device) RowDot(s, a, b, logScale kernels.Tensor) {
	d.launch("rowdot_forward", s.Address, a.Address, b.Address, logScale.Address, none, a.Rows, a.Cols)
}

// RowDotBackward implements kernels.Device.
func (d *Device) RowDotBackward(da, db, dlogScale kernels.Grad, ds, s, a, b, logScale kernels.Tensor) {
	d.resetScratch()
	if !da.IsNone() || !db.IsNone() {
		d.launch("rowdot_backward", da.Address, db.Address, ds.Address, a.Address, b.Address, logScale.Address, none, a.Rows, a.Cols, da.Add, db.Add)
	}
	if !dlogScale.IsNone() {
		d.dotProduct(dlogScale.Address, ds.Address, s.Address, s.Len(), dlogScale.Add)
	}
}

// Contrastive implements kernels.Device.
func (d *Device) Contrastive(loss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	d.resetScratch()
	terms := d.scratchFloats(s.Rows + columns)
	after := uint64(s.Rows) * elementBytes
	d.launch("contrastive_rows", lse.Address, terms, s.Address, mask.Address, s.Rows, s.Cols, rowWeight)
	d.launch("contrastive_columns", lse.Address+after, terms+after, s.Address, mask.Address, s.Rows, s.Cols, columns, columnWeight)
	d.launch("parts_sum", loss.Address, terms, 1.0, s.Rows+columns, false)
}

// ContrastiveBackward implements kernels.Device.
func (d *Device) ContrastiveBackward(ds kernels.Grad, dloss, lse, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	d.resetScratch()
	shares := d.scratchFloats(s.Rows + columns)
	d.launch("contrastive_row_shares", shares, mask.Address, s.Rows, s.Cols)
	d.launch("contrastive_column_shares", shares+uint64(s.Rows)*elementBytes, mask.Address, s.Rows, s.Cols, columns)
	d.launch("contrastive_backward", ds.Address, dloss.Address, lse.Address, shares, s.Address, mask.Address, s.Rows, s.Cols, columns,
		rowWeight, columnWeight, ds.Add)
}

// PairContrastive implements kernels.Device.
func (d *Device) PairContrastive(loss, kept, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	d.resetScratch()
	width := s.Rows + columns
	terms, after := d.scratchFloats(width), uint64(s.Rows)*elementBytes
	d.launch("pairs_rows", kept.Address, terms, s.Address, mask.Address, s.Rows, s.Cols, width, rowWeight)
	d.launch("pairs_columns", kept.Address+after, terms+after, s.Address, mask.Address, s.Rows, s.Cols, columns, width, columnWeight)
	d.launch("parts_sum", loss.Address, terms, 1.0, width, false)
}

// PairContrastiveBackward implements kernels.Device.
func (d *Device) PairContrastiveBackward(ds kernels.Grad, dloss, kept, s kernels.Tensor, mask kernels.Bytes, columns int, rowWeight, columnWeight float64) {
	d.launch("pairs_backward", ds.Address, dloss.Address, kept.Address, s.Address, mask.Address, s.Rows, s.Cols, columns,
		rowWeight, columnWeight, ds.Add)
}

// SigmoidContrastive implements kernels.Device.
func (d *Device) SigmoidContrastive(loss, s, bias kernels.Tensor, mask kernels.Bytes, weight float64) {
	d.resetScratch()
	terms := d.scratchFloats(s.Rows)
	d.launch("sigmoid_rows", terms, s.Address, bias.Address, mask.Address, s.Rows, s.Cols, weight)
	d.launch("parts_sum", loss.Address, terms, 1.0, s.Rows, false)
}

// SigmoidContrastiveBackward implements kernels.Device.
func (d *Device) SigmoidContrastiveBackward(ds, dbias kernels.Grad, dloss, s, bias kernels.Tensor, mask kernels.Bytes, weight float64) {
	d.resetScratch()
	slopes := d.scratchFloats(s.Rows)
	d.launch("sigmoid_backward", ds.Address, slopes, dloss.Address, s.Address, bias.Address, mask.Address, s.Rows, s.Cols, weight, ds.Add)
	if !dbias.IsNone() {
		d.launch("parts_sum", dbias.Address, slopes, 1.0, s.Rows, dbias.Add)
	}
}

// Hinge implements kernels.Device.
func (d *Device) Hinge(loss, gap, s, thresholds kernels.Tensor, rows, positives, negatives, kinds kernels.Ints, weight float64) {
	d.resetScratch()
	terms := d.scratchFloats(rows.Len())
	d.launch("hinge_forward", gap.Address, terms, s.Address, thresholds.Address, rows.Address, positives.Address, negatives.Address, kinds.Address,
		none, rows.Len(), s.Cols)
	d.launch("parts_sum", loss.Address, terms, weight, rows.Len(), false)
}

// HingeBackward implements kernels.Device.
func (d *Device) HingeBackward(ds kernels.Grad, dloss, gap, thresholds kernels.Tensor, rows, positives, negatives, kinds kernels.Ints, weight float64) {
	if !ds.Add {
		d.Zero(ds.Tensor)
	}
	d.launch("hinge_backward", ds.Address, dloss.Address, gap.Address, thresholds.Address, rows.Address, positives.Address, negatives.Address, kinds.Address,
		none, rows.Len(), ds.Rows, ds.Cols, weight)
}

// SegmentLSE implements kernels.Device.
func (d *Device) SegmentLSE(lse, s kernels.Tensor, starts kernels.Ints) {
	d.launch("segment_forward", lse.Address, s.Address, starts.Address, none, starts.Len()-1)
}

// SegmentLSEBackward implements kernels.Device.
func (d *Device) SegmentLSEBackward(ds kernels.Grad, dlse, lse, s kernels.Tensor, starts kernels.Ints) {
	d.launch("segment_backward", ds.Address, dlse.Address, lse.Address, s.Address, starts.Address, none, starts.Len()-1, s.Len(), ds.Add)
}

// SegmentFocal implements kernels.Device.
func (d *Device) SegmentFocal(loss, kept, s kernels.Tensor, starts kernels.Ints, weight, gamma, smoothing float64) {
	d.resetScratch()
	n := starts.Len() - 1
	terms := d.scratchFloats(n)
	d.launch("focal_forward", kept.Address, terms, s.Address, starts.Address, none, n, gamma, smoothing)
	d.launch("parts_sum", loss.Address, terms, weight, n, false)
}

// SegmentFocalBackward implements kernels.Device.
func (d *Device) SegmentFocalBackward(ds kernels.Grad, dloss, kept, s kernels.Tensor, starts kernels.Ints, weight, gamma, smoothing float64) {
	d.launch("focal_backward", ds.Address, dloss.Address, kept.Address, s.Address, starts.Address, none, starts.Len()-1, s.Len(),
		weight, gamma, smoothing, ds.Add)
}

// Slots implements kernels.Device.
func (d *Device) Slots(y, share, x kernels.Tensor, starts kernels.Ints) {
	d.launch("slots_softmax", y.Address, share.Address, x.Address, starts.Address, none, starts.Len()-1, x.Cols)
	d.launch("slots_divide", y.Address, starts.Address, none, starts.Len()-1, y.Rows, y.Cols)
}

// SlotsBackward implements kernels.Device.
func (d *Device) SlotsBackward(dx kernels.Grad, dy, y, share kernels.Tensor, starts kernels.Ints) {
	d.resetScratch()
	along, inverse := d.scratchFloats(y.Rows), d.scratchFloats(y.Rows)
	d.launch("slots_along", along, inverse, dy.Address, y.Address, share.Address, starts.Address, none, starts.Len()-1, y.Rows, y.Cols)
	d.launch("slots_backward", dx.Address, dy.Address, share.Address, along, inverse, starts.Address, none, starts.Len()-1, y.Cols, dx.Add)
}
