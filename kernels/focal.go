package kernels

import "math"

type focalOps interface {
	// SegmentFocal is loss [1, 1] = weight·Σ_g Σ_{k in g} y_k·(1−p_k)^γ·(−log p_k): s [1, n],
	// segment g is starts[g] to starts[g+1]-1, p is the softmax of its K values. y_k is 1−ε+ε/K for
	// the first and ε/K for the others, where ε is the smoothing. kept [segments, 2] keeps for each
	// segment its log-sum-exp and the sum of the derivatives of its terms by log p.
	SegmentFocal(loss, kept, s Tensor, starts Ints, weight, gamma, smoothing float64)
	// SegmentFocalBackward computes the gradient of s from dloss [1, 1].
	SegmentFocalBackward(ds Grad, dloss, kept, s Tensor, starts Ints, weight, gamma, smoothing float64)
}

// SegmentFocal returns the focal loss with label smoothing of segments of s [1, n] (FSC-CLIP, Oh et
// al. 2024). The first value of a segment is the logit of the true class. With gamma and smoothing
// 0 it is the cross-entropy. gamma is 0 or at least 1, smoothing at least 0 and below 1. An empty
// segment adds nothing.
func (t *Tape) SegmentFocal(s *Var, starts Ints, weight, gamma, smoothing float64) *Var {
	checkShape(s.Value.Rows == 1 && starts.covers(s.Value.Len()), "the focal segments are not the values")
	checkShape(gamma == 0 || gamma >= 1, "a focal exponent has no finite slope")
	checkShape(smoothing >= 0 && smoothing < 1, "a smoothing is no share")
	loss := t.newResult(1, 1, s)
	kept := t.Arena.Tensor(starts.Len()-1, 2)
	t.Device.SegmentFocal(loss.Value, kept, s.Value, starts, weight, gamma, smoothing)
	return t.addRecord(record{
		backward: segmentFocalBackward, in: [4]*Var{s}, out: loss, saved: [2]Tensor{kept},
		ints: [5]Ints{starts}, factor: [3]float64{weight, gamma, smoothing},
	})
}

func segmentFocalBackward(t *Tape, r *record) {
	s := r.in[0]
	t.Device.SegmentFocalBackward(t.gradOf(s), r.out.Grad, r.saved[0], s.Value, r.ints[0], r.factor[0], r.factor[1], r.factor[2])
}

// FocalSegment has what the terms of one segment's focal loss share.
type FocalSegment struct {
	LSE              float64 // log-sum-exp of the segment
	Slopes           float64 // sum of the slopes of its terms
	Length           int     // at least 1
	Gamma, Smoothing float64
}

// Term returns the term of value k of the segment, s, and its slope: the derivative by log p.
func (f *FocalSegment) Term(s float64, k int) (term, slope float64) {
	logP, y := min(0, s-f.LSE), f.Smoothing/float64(f.Length)
	if k == 0 {
		y += 1 - f.Smoothing
	}
	if f.Gamma == 0 {
		return -y * logP, -y
	}
	q := -math.Expm1(logP) // 1 − p
	power := math.Pow(q, f.Gamma)
	return -y * power * logP, y * (f.Gamma*math.Pow(q, f.Gamma-1)*math.Exp(logP)*logP - power)
}

// Derivative returns the derivative of the sum of all terms by value k of the segment, s.
func (f *FocalSegment) Derivative(s float64, k int) float64 {
	_, slope := f.Term(s, k)
	logP := min(0, s-f.LSE)
	// Equal to slope − p·Slopes, but more exact where p is about 1.
	return -slope*math.Expm1(logP) - math.Exp(logP)*(f.Slopes-slope)
}

// SegmentFocal implements Device.
func (*Reference) SegmentFocal(loss, kept, s Tensor, starts Ints, weight, gamma, smoothing float64) {
	var sum float64
	for g := range starts.Len() - 1 {
		segment := s.F64[starts.Host[g]:starts.Host[g+1]]
		f := FocalSegment{LSE: logSumExp(segment), Length: len(segment), Gamma: gamma, Smoothing: smoothing}
		for k, v := range segment {
			term, slope := f.Term(v, k)
			sum += term
			f.Slopes += slope
		}
		kept.F64[2*g], kept.F64[2*g+1] = f.LSE, f.Slopes
	}
	loss.F64[0] = weight * sum
}

// SegmentFocalBackward implements Device.
func (*Reference) SegmentFocalBackward(ds Grad, dloss, kept, s Tensor, starts Ints, weight, gamma, smoothing float64) {
	for g := range starts.Len() - 1 {
		first, end := int(starts.Host[g]), int(starts.Host[g+1])
		f := FocalSegment{LSE: kept.F64[2*g], Slopes: kept.F64[2*g+1], Length: end - first, Gamma: gamma, Smoothing: smoothing}
		for k := first; k < end; k++ {
			ds.store(k, weight*dloss.F64[0]*f.Derivative(s.F64[k], k-first))
		}
	}
}
