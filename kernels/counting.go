package kernels

// CountingDevice is a device that computes nothing. A step that runs on it shows how much memory
// and how many operations the step needs.
type CountingDevice struct {
	// ElementSize is the size of an element in bytes.
	ElementSize int
	// WithHalf is the result of UsesHalf.
	WithHalf bool
	// Flops counts the multiplications and additions of matrix products, two for each pair of
	// factors. Causal attention counts as attention over whole sequences.
	Flops float64

	uncounted
	allocated uint64
}

// NewCountingArena returns an arena of unlimited size. Its Peak is the number of elements that the
// tensors need.
func NewCountingArena(p *CountingDevice) *Arena { return NewArena(p, 1<<62) }

// Name implements Device.
func (*CountingDevice) Name() string { return "plan" }

// ElementBytes implements Device.
func (p *CountingDevice) ElementBytes() int { return p.ElementSize }

// UsesHalf implements Device.
func (p *CountingDevice) UsesHalf() bool { return p.WithHalf }

// Alloc implements Device.
func (p *CountingDevice) Alloc(int) Memory {
	p.allocated++
	return Memory{Address: p.allocated << 48} // far apart: no two allocations overlap
}

// Slice implements Device.
func (p *CountingDevice) Slice(m Memory, offset, n int) Memory {
	return Memory{Address: m.Address + uint64(offset*p.ElementSize)}
}

// addProduct counts one product of matrices [n, k] and [k, m].
func (p *CountingDevice) addProduct(n, k, m int) { p.Flops += 2 * float64(n) * float64(k) * float64(m) }

// addProducts counts a product [n, k]·[k, m] for each gradient that is not none.
func (p *CountingDevice) addProducts(n, k, m int, wanted ...Grad) {
	for _, g := range wanted {
		if !g.IsNone() {
			p.addProduct(n, k, m)
		}
	}
}

// Linear implements Device.
func (p *CountingDevice) Linear(_, _, x, w, _, _ Tensor, _ Activation) {
	p.addProduct(x.Rows, x.Cols, w.Rows)
}

// LinearBackward implements Device.
func (p *CountingDevice) LinearBackward(dx, dw, _ Grad, _, _, x, w Tensor, _ Activation) {
	p.addProducts(x.Rows, x.Cols, w.Rows, dx, dw)
}

// Product implements Device.
func (p *CountingDevice) Product(_, _, a, b, _ Tensor, _ Activation) {
	p.addProduct(a.Rows, a.Cols, b.Cols)
}

// ProductBackward implements Device.
func (p *CountingDevice) ProductBackward(da, db Grad, _, _, a, b Tensor, _ Activation) {
	p.addProducts(a.Rows, a.Cols, b.Cols, da, db)
}

// Similarity implements Device.
func (p *CountingDevice) Similarity(_, u, v, _ Tensor) { p.addProduct(u.Rows, u.Cols, v.Rows) }

// SimilarityBackward implements Device.
func (p *CountingDevice) SimilarityBackward(du, dv, _ Grad, _, _, u, v, _ Tensor) {
	p.addProducts(u.Rows, u.Cols, v.Rows, du, dv)
}

// BlockProduct implements Device.
func (p *CountingDevice) BlockProduct(y, x, _ Tensor, _ Blocks) { p.addProduct(y.Rows, x.Cols, y.Cols) }

// BlockProductBackward implements Device.
func (p *CountingDevice) BlockProductBackward(dx, dz Grad, dy, x, _ Tensor, _ Blocks) {
	p.addProducts(dy.Rows, x.Cols, dy.Cols, dx, dz)
}

// PooledCosine implements Device.
func (p *CountingDevice) PooledCosine(_, _, s, _ Tensor, _ Ints, _ PatchWeights) {
	p.addProduct(s.Rows, s.Cols, s.Cols)
}

// PooledCosineBackward implements Device.
func (p *CountingDevice) PooledCosineBackward(ds, dg Grad, _, _, _, s, _ Tensor, _ Ints, _ PatchWeights) {
	p.addProducts(s.Rows, s.Cols, s.Cols, ds, dg)
}

// addAttention adds the given number of matrix products of attention to Flops: two forward, five
// backward.
func (p *CountingDevice) addAttention(starts Ints, w, products int) {
	for s := range starts.Len() - 1 {
		n := int(starts.Host[s+1] - starts.Host[s])
		p.Flops += float64(products) * 2 * float64(n) * float64(n) * float64(w)
	}
}

// Attention implements Device.
func (p *CountingDevice) Attention(y, _, _ Tensor, starts Ints, _ int, _ bool) {
	p.addAttention(starts, y.Cols, 2)
}

// AttentionBackward implements Device.
func (p *CountingDevice) AttentionBackward(_ Grad, _, y, _, _ Tensor, starts Ints, _ int, _ bool) {
	p.addAttention(starts, y.Cols, 5)
}

// addWindowAttention does the same for attention within windows.
func (p *CountingDevice) addWindowAttention(y Tensor, w Windows, products int) {
	p.Flops += float64(products) * 2 * float64(y.Len()) * float64(w.area())
}

// WindowAttention implements Device.
func (p *CountingDevice) WindowAttention(y, _, _, _ Tensor, w Windows) {
	p.addWindowAttention(y, w, 2)
}

// WindowAttentionBackward implements Device.
func (p *CountingDevice) WindowAttentionBackward(_, _ Grad, _, y, _, _, _ Tensor, w Windows) {
	p.addWindowAttention(y, w, 5)
}

// uncounted implements the methods of Device that are not matrix products. They do nothing.
type uncounted struct{}

func (uncounted) Free(Memory)                                                                  {}
func (uncounted) Zero(Tensor)                                                                  {}
func (uncounted) Write(Tensor, []float64)                                                      {}
func (uncounted) Read([]float64, Tensor)                                                       {}
func (uncounted) Ints(from []int32) Ints                                                       { return Ints{Host: from} }
func (uncounted) Bytes(from []byte) Bytes                                                      { return Bytes{Host: from} }
func (uncounted) Reset()                                                                       {}
func (uncounted) Err() error                                                                   { return nil }
func (uncounted) Close() error                                                                 { return nil }
func (uncounted) Fill(Tensor, float64)                                                         {}
func (uncounted) Copy(_, _ Tensor)                                                             {}
func (uncounted) AddScaled(_, _ Tensor, _ float64)                                             {}
func (uncounted) AdamW([]AdamWUpdate, Tensor)                                                  {}
func (uncounted) Clamp(_ Tensor, _, _ float64)                                                 {}
func (uncounted) SquareSum(_, _ Tensor, _ bool)                                                {}
func (uncounted) ClipFactor(_, _ Tensor, _ float64)                                            {}
func (uncounted) LayerNorm(_, _, _, _, _ Tensor, _ float64)                                    {}
func (uncounted) LayerNormBackward(_, _, _ Grad, _, _, _, _ Tensor)                            {}
func (uncounted) LayerScale(_, _, _, _ Tensor)                                                 {}
func (uncounted) LayerScaleBackward(_, _ Grad, _, _, _ Tensor)                                 {}
func (uncounted) Moments(_, _, _ Tensor)                                                       {}
func (uncounted) UpdateAverages(_, _, _, _ Tensor, _ int, _ float64)                           {}
func (uncounted) BatchNorm(_, _, _, _, _, _, _ Tensor, _ float64, _ bool)                      {}
func (uncounted) BatchNormBackward(_, _, _ Grad, _, _, _, _, _, _ Tensor, _ float64, _ bool)   {}
func (uncounted) AveragePool(_, _ Tensor, _ Window)                                            {}
func (uncounted) AveragePoolBackward(Grad, Tensor, Window)                                     {}
func (uncounted) Unfold(_, _ Tensor, _ Window)                                                 {}
func (uncounted) Fold(Grad, Tensor, Window)                                                    {}
func (uncounted) Gather(_, _ Tensor, _ Ints)                                                   {}
func (uncounted) GatherBackward(Grad, Tensor, Groups)                                          {}
func (uncounted) Tokens(_, _, _ Tensor, _, _ Ints)                                             {}
func (uncounted) TokensBackward(_, _ Grad, _ Tensor, _ Ints, _ Groups)                         {}
func (uncounted) Vision(_, _, _, _ Tensor)                                                     {}
func (uncounted) VisionBackward(_, _, _ Grad, _ Tensor, _ int)                                 {}
func (uncounted) Patchify(_ Tensor, _ Bytes, _, _ int, _, _ [3]float64)                        {}
func (uncounted) Normalize(_, _, _ Tensor)                                                     {}
func (uncounted) NormalizeBackward(_ Grad, _, _, _ Tensor)                                     {}
func (uncounted) Contrastive(_, _, _ Tensor, _ Bytes, _ int, _, _ float64)                     {}
func (uncounted) ContrastiveBackward(_ Grad, _, _, _ Tensor, _ Bytes, _ int, _, _ float64)     {}
func (uncounted) PairContrastive(_, _, _ Tensor, _ Bytes, _ int, _, _ float64)                 {}
func (uncounted) PairContrastiveBackward(_ Grad, _, _, _ Tensor, _ Bytes, _ int, _, _ float64) {}
func (uncounted) SigmoidContrastive(_, _, _ Tensor, _ Bytes, _ float64)                        {}
func (uncounted) SigmoidContrastiveBackward(_, _ Grad, _, _, _ Tensor, _ Bytes, _ float64)     {}
func (uncounted) Hinge(_, _, _, _ Tensor, _, _, _, _ Ints, _ float64)                          {}
func (uncounted) HingeBackward(_ Grad, _, _, _ Tensor, _, _, _, _ Ints, _ float64)             {}
func (uncounted) RowDot(_, _, _, _ Tensor)                                                     {}
func (uncounted) RowDotBackward(_, _, _ Grad, _, _, _, _, _ Tensor)                            {}
func (uncounted) SegmentLSE(_, _ Tensor, _ Ints)                                               {}
func (uncounted) SegmentLSEBackward(_ Grad, _, _, _ Tensor, _ Ints)                            {}
func (uncounted) SegmentFocal(_, _, _ Tensor, _ Ints, _, _, _ float64)                         {}
func (uncounted) SegmentFocalBackward(_ Grad, _, _, _ Tensor, _ Ints, _, _, _ float64)         {}
func (uncounted) Slots(_, _, _ Tensor, _ Ints)                                                 {}
func (uncounted) SlotsBackward(_ Grad, _, _, _ Tensor, _ Ints)                                 {}
func (uncounted) Score(_, _, _, _, _ Tensor, _, _ Ints)                                        {}
func (uncounted) ScoreBackward(_, _, _, _ Grad, _, _, _, _, _, _ Tensor, _, _ Ints)            {}
