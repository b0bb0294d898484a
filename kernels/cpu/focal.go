package cpu

import "capgraph/kernels"

// SegmentFocal implements kernels.Device.
func (d *Device) SegmentFocal(loss, kept, s kernels.Tensor, starts kernels.Ints, weight, gamma, smoothing float64) {
	var sum float64
	for g := range starts.Len() - 1 {
		segment := s.F32[starts.Host[g]:starts.Host[g+1]]
		f := kernels.FocalSegment{LSE: d.logSumExp(segment), Length: len(segment), Gamma: gamma, Smoothing: smoothing}
		for k, v := range segment {
			term, slope := f.Term(float64(v), k)
			sum += term
			f.Slopes += slope
		}
		kept.F32[2*g], kept.F32[2*g+1] = float32(f.LSE), float32(f.Slopes)
	}
	loss.F32[0] = float32(weight * sum)
}

// SegmentFocalBackward implements kernels.Device.
func (d *Device) SegmentFocalBackward(ds kernels.Grad, dloss, kept, s kernels.Tensor, starts kernels.Ints, weight, gamma, smoothing float64) {
	slope := weight * float64(dloss.F32[0])
	for g := range starts.Len() - 1 {
		first, end := int(starts.Host[g]), int(starts.Host[g+1])
		f := kernels.FocalSegment{
			LSE: float64(kept.F32[2*g]), Slopes: float64(kept.F32[2*g+1]), Length: end - first, Gamma: gamma, Smoothing: smoothing,
		}
		for k := first; k < end; k++ {
			derivative := float32(slope * f.Derivative(float64(s.F32[k]), k-first))
			if ds.Add {
				derivative += ds.F32[k]
			}
			ds.F32[k] = derivative
		}
	}
}
