package kernels

type sigmoidOps interface {
	// SigmoidContrastive computes loss [1, 1] = weight·Σ over the elements of s [n, m] that the
	// mask does not ignore: ln(1 + e^−(s+b)) for a positive and ln(1 + e^(s+b)) for a negative.
	// bias is b, [1, 1].
	SigmoidContrastive(loss, s, bias Tensor, mask Bytes, weight float64)
	// SigmoidContrastiveBackward computes the gradients of s and bias from dloss [1, 1].
	SigmoidContrastiveBackward(ds, dbias Grad, dloss, s, bias Tensor, mask Bytes, weight float64)
}

// SigmoidContrastive returns a loss in which each pair of an image and a text is a classification
// of its own, with a learned bias b (SigLIP, Zhai et al. 2023, eq. 1). For s [n, m] it is
//
//	weight · Σ_ij softplus(−z_ij·(s_ij + b)),  z = 1 of positives, −1 of negatives
//
// An image may have several positives. SigLIP uses the weight 1/n.
func (t *Tape) SigmoidContrastive(s, bias *Var, mask Bytes, weight float64) *Var {
	checkShape(mask.Len() == s.Value.Len(), "a mask does not fit the similarities")
	checkShape(bias.Value.Len() == 1, "a bias is no single number")
	loss := t.newResult(1, 1, s, bias)
	t.Device.SigmoidContrastive(loss.Value, s.Value, bias.Value, mask, weight)
	return t.addRecord(record{backward: sigmoidContrastiveBackward, in: [4]*Var{s, bias}, out: loss, bytes: mask, factor: [3]float64{weight}})
}

func sigmoidContrastiveBackward(t *Tape, r *record) {
	s, bias := r.in[0], r.in[1]
	t.Device.SigmoidContrastiveBackward(t.gradOf(s), t.gradOf(bias), r.out.Grad, s.Value, bias.Value, r.bytes, r.factor[0])
}

// SigmoidTerm returns the loss of an element x = s + b whose mask is given, and its derivative.
func SigmoidTerm(x float64, mask byte) (y, slope float64) {
	switch mask {
	case MaskPositive:
		y, slope = Softplus(-x)
		return y, -slope
	case MaskNegative:
		return Softplus(x)
	}
	return 0, 0
}

// SigmoidContrastive implements Device.
func (*Reference) SigmoidContrastive(loss, s, bias Tensor, mask Bytes, weight float64) {
	var sum float64
	for k, v := range s.F64[:s.Len()] {
		y, _ := SigmoidTerm(v+bias.F64[0], mask.Host[k])
		sum += y
	}
	loss.F64[0] = weight * sum
}

// SigmoidContrastiveBackward implements Device.
func (*Reference) SigmoidContrastiveBackward(ds, dbias Grad, dloss, s, bias Tensor, mask Bytes, weight float64) {
	var sum float64
	for k, v := range s.F64[:s.Len()] {
		_, slope := SigmoidTerm(v+bias.F64[0], mask.Host[k])
		slope *= weight * dloss.F64[0]
		sum += slope
		if !ds.IsNone() {
			ds.store(k, slope)
		}
	}
	if !dbias.IsNone() {
		dbias.store(0, sum)
	}
}
