package kernels

// Plan is a device that computes nothing: a step done on it tells, before any
// memory is taken, how much of it and how many operations the step needs.
type Plan struct {
	// Element is the size of an element in bytes.
	Element int
	// Half is what Halves says.
	Half bool
	// Flops counts the multiplications and additions of matrix products, two for a
	// pair, those of attention over whole sequences included.
	Flops float64

	allocated uint64
}

// NewPlanArena returns an arena of a plan, which has no bound: its Top says what
// the tensors taken need.
func NewPlanArena(p *Plan) *Arena { return NewArena(p, 1<<62) }

// Name implements Device.
func (*Plan) Name() string { return "plan" }

// ElementBytes implements Device.
func (p *Plan) ElementBytes() int { return p.Element }

// Halves implements Device.
func (p *Plan) Halves() bool { return p.Half }

// Alloc implements Device.
func (p *Plan) Alloc(int) Memory {
	p.allocated++
	return Memory{Address: p.allocated << 48} // apart, so that it can be told which memory is which
}

// Slice implements Device.
func (p *Plan) Slice(m Memory, offset, n int) Memory {
	return Memory{Address: m.Address + uint64(offset*p.Element)}
}

// Free implements Device.
func (*Plan) Free(Memory) {}

// Zero implements Device.
func (*Plan) Zero(Tensor) {}

// Write implements Device.
func (*Plan) Write(Tensor, []float64) {}

// Read implements Device.
func (*Plan) Read([]float64, Tensor) {}

// Ints implements Device.
func (*Plan) Ints(from []int32) Ints { return Ints{Host: from} }

// Bytes implements Device.
func (*Plan) Bytes(from []byte) Bytes { return Bytes{Host: from} }

// Reset implements Device.
func (*Plan) Reset() {}

// Err implements Device.
func (*Plan) Err() error { return nil }

// Close implements Device.
func (*Plan) Close() error { return nil }

// product counts one product of matrices [n, k] and [k, m].
func (p *Plan) product(n, k, m int) { p.Flops += 2 * float64(n) * float64(k) * float64(m) }

// Fill implements Device.
func (*Plan) Fill(Tensor, float64) {}

// Copy implements Device.
func (*Plan) Copy(Tensor, Tensor) {}

// AddScaled implements Device.
func (*Plan) AddScaled(Tensor, Tensor, float64) {}

// Linear implements Device.
func (p *Plan) Linear(y, pre, x, w, b, residual Tensor, act Activation) {
	p.product(x.Rows, x.Cols, w.Rows)
}

// LinearBackward implements Device.
func (p *Plan) LinearBackward(dx, dw, db Grad, dy, pre, x, w Tensor, act Activation) {
	for _, g := range []Grad{dx, dw} {
		if !g.None() {
			p.product(x.Rows, x.Cols, w.Rows)
		}
	}
}

// LayerNorm implements Device.
func (*Plan) LayerNorm(y, stats, x, gain, bias Tensor, eps float64) {}

// LayerNormBackward implements Device.
func (*Plan) LayerNormBackward(dx, dgain, dbias Grad, dy, x, gain, stats Tensor) {}

// LayerScale implements Device.
func (*Plan) LayerScale(y, x, gain, residual Tensor) {}

// LayerScaleBackward implements Device.
func (*Plan) LayerScaleBackward(dx, dgain Grad, dy, x, gain Tensor) {}

// Moments implements Device.
func (*Plan) Moments(mean, variance, x Tensor) {}

// MoveMoments implements Device.
func (*Plan) MoveMoments(mean, variance, batchMean, batchVariance Tensor, n int, momentum float64) {}

// BatchNorm implements Device.
func (*Plan) BatchNorm(y, x, mean, variance, gain, bias, residual Tensor, eps float64, rectified bool) {
}

// BatchNormBackward implements Device.
func (*Plan) BatchNormBackward(dx, dgain, dbias Grad, dy, y, x, mean, variance, gain Tensor, eps float64, rectified bool) {
}

// AveragePool implements Device.
func (*Plan) AveragePool(y, x Tensor, w Window) {}

// AveragePoolBackward implements Device.
func (*Plan) AveragePoolBackward(dx Grad, dy Tensor, w Window) {}

// Unfold implements Device.
func (*Plan) Unfold(y, x Tensor, w Window) {}

// Fold implements Device.
func (*Plan) Fold(dx Grad, dy Tensor, w Window) {}

// attention counts products of attention: two forward, five backward.
func (p *Plan) attention(starts Ints, w, products int) {
	for s := range starts.Len() - 1 {
		n := int(starts.Host[s+1] - starts.Host[s])
		p.Flops += float64(products) * 2 * float64(n) * float64(n) * float64(w)
	}
}

// Attention implements Device.
func (p *Plan) Attention(y, lse, qkv Tensor, starts Ints, heads int, causal bool) {
	p.attention(starts, y.Cols, 2)
}

// AttentionBackward implements Device.
func (p *Plan) AttentionBackward(dqkv Grad, dy, y, lse, qkv Tensor, starts Ints, heads int, causal bool) {
	p.attention(starts, y.Cols, 5)
}

// windowAttention counts products of attention within windows.
func (p *Plan) windowAttention(y Tensor, w Windows, products int) {
	p.Flops += float64(products) * 2 * float64(y.Len()) * float64(w.area())
}

// WindowAttention implements Device.
func (p *Plan) WindowAttention(y, lse, qkv, table Tensor, w Windows) { p.windowAttention(y, w, 2) }

// WindowAttentionBackward implements Device.
func (p *Plan) WindowAttentionBackward(dqkv, dtable Grad, dy, y, lse, qkv, table Tensor, w Windows) {
	p.windowAttention(y, w, 5)
}

// Gather implements Device.
func (*Plan) Gather(y, x Tensor, rows Ints) {}

// GatherBackward implements Device.
func (*Plan) GatherBackward(dx Grad, dy Tensor, by Groups) {}

// Tokens implements Device.
func (*Plan) Tokens(y, table, positions Tensor, ids, starts Ints) {}

// TokensBackward implements Device.
func (*Plan) TokensBackward(dtable, dpositions Grad, dy Tensor, starts Ints, by Groups) {}

// Vision implements Device.
func (*Plan) Vision(y, patches, class, positions Tensor) {}

// VisionBackward implements Device.
func (*Plan) VisionBackward(dpatches, dclass, dpositions Grad, dy Tensor, length int) {}

// Patchify implements Device.
func (*Plan) Patchify(y Tensor, images Bytes, side, patch int, mean, std [3]float64) {}

// Normalize implements Device.
func (*Plan) Normalize(y, inverse, x Tensor) {}

// NormalizeBackward implements Device.
func (*Plan) NormalizeBackward(dx Grad, dy, y, inverse Tensor) {}

// Similarity implements Device.
func (p *Plan) Similarity(s, u, v, logScale Tensor) { p.product(u.Rows, u.Cols, v.Rows) }

// SimilarityBackward implements Device.
func (p *Plan) SimilarityBackward(du, dv, dlogScale Grad, ds, s, u, v, logScale Tensor) {
	for _, g := range []Grad{du, dv} {
		if !g.None() {
			p.product(u.Rows, u.Cols, v.Rows)
		}
	}
}

// Contrastive implements Device.
func (*Plan) Contrastive(loss, lse, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64) {
}

// ContrastiveBackward implements Device.
func (*Plan) ContrastiveBackward(ds Grad, dloss, lse, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64) {
}

// Hinge implements Device.
func (*Plan) Hinge(loss, gap, s, thresholds Tensor, rows, positives, negatives, kinds Ints, weight float64) {
}

// HingeBackward implements Device.
func (*Plan) HingeBackward(ds Grad, dloss, gap, thresholds Tensor, rows, positives, negatives, kinds Ints, weight float64) {
}

// RowDot implements Device.
func (*Plan) RowDot(s, a, b, logScale Tensor) {}

// RowDotBackward implements Device.
func (*Plan) RowDotBackward(da, db, dlogScale Grad, ds, s, a, b, logScale Tensor) {}

// SegmentLSE implements Device.
func (*Plan) SegmentLSE(loss, lse, s Tensor, starts Ints, weight float64, anchored bool) {}

// SegmentLSEBackward implements Device.
func (*Plan) SegmentLSEBackward(ds Grad, dloss, lse, s Tensor, starts Ints, weight float64, anchored bool) {
}

// Slots implements Device.
func (*Plan) Slots(y, share, x Tensor, starts Ints) {}

// SlotsBackward implements Device.
func (*Plan) SlotsBackward(dx Grad, dy, y, share Tensor, starts Ints) {}

// Product implements Device.
func (p *Plan) Product(y, pre, a, b, c Tensor, act Activation) { p.product(a.Rows, a.Cols, b.Cols) }

// ProductBackward implements Device.
func (p *Plan) ProductBackward(da, db Grad, dy, pre, a, b Tensor, act Activation) {
	for _, g := range []Grad{da, db} {
		if !g.None() {
			p.product(a.Rows, a.Cols, b.Cols)
		}
	}
}

// Score implements Device.
func (*Plan) Score(s, nodes, relations, weights, logScale Tensor, nodeStarts, relationStarts Ints) {}

// ScoreBackward implements Device.
func (*Plan) ScoreBackward(dnodes, drelations, dweights, dlogScale Grad, ds, s, nodes, relations, weights, logScale Tensor, nodeStarts, relationStarts Ints) {
}

// SquareSum implements Device.
func (*Plan) SquareSum(y, x Tensor, add bool) {}

// ClipFactor implements Device.
func (*Plan) ClipFactor(y, squares Tensor, most float64) {}

// AdamW implements Device.
func (*Plan) AdamW([]Move, Tensor) {}

// Clamp implements Device.
func (*Plan) Clamp(x Tensor, least, most float64) {}
