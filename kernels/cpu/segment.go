package cpu

import (
	"math"

	"capgraph/kernels"
)

// SegmentLSE implements kernels.Device.
func (d *Device) SegmentLSE(loss, lse, s kernels.Tensor, starts kernels.Ints, weight float64, anchored bool) {
	var sum float64
	for g := range starts.Len() - 1 {
		segment := s.F32[starts.Host[g]:starts.Host[g+1]]
		if len(segment) == 0 {
			continue
		}
		most := d.set.Max(segment)
		total := d.set.Exp(d.pool.workers[0].floats(len(segment)), segment, 1, -most)
		lse.F32[g] = most + float32(math.Log(float64(total)))
		sum += float64(lse.F32[g])
		if anchored {
			sum -= float64(segment[0])
		}
	}
	loss.F32[0] = float32(weight * sum)
}

// SegmentLSEBackward implements kernels.Device.
func (d *Device) SegmentLSEBackward(ds kernels.Grad, dloss, lse, s kernels.Tensor, starts kernels.Ints, weight float64, anchored bool) {
	slope := float32(weight) * dloss.F32[0]
	for g := range starts.Len() - 1 {
		first, end := starts.Host[g], starts.Host[g+1]
		if first == end {
			continue
		}
		to := ds.F32[first:end]
		if ds.Add {
			to = d.pool.workers[0].floats(int(end - first))
		}
		d.set.Exp(to, s.F32[first:end], 1, -lse.F32[g])
		d.set.Scale(to, to, slope)
		if anchored {
			to[0] -= slope
		}
		if ds.Add {
			d.set.Add(ds.F32[first:end], to)
		}
	}
}
