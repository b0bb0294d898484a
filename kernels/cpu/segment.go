package cpu

import (
	"math"

	"capgraph/kernels"
)

// SegmentLSE implements kernels.Device.
func (d *Device) SegmentLSE(lse, s kernels.Tensor, starts kernels.Ints) {
	for g := range starts.Len() - 1 {
		lse.F32[g] = float32(d.logSumExp(s.F32[starts.Host[g]:starts.Host[g+1]]))
	}
}

// logSumExp returns log Σ exp s, or 0 if s is empty.
func (d *Device) logSumExp(s []float32) float64 {
	if len(s) == 0 {
		return 0
	}
	most := d.set.Max(s)
	total := d.set.Exp(d.pool.workers[0].floats(len(s)), s, 1, -most)
	return float64(most) + math.Log(float64(total))
}

// SegmentLSEBackward implements kernels.Device.
func (d *Device) SegmentLSEBackward(ds kernels.Grad, dlse, lse, s kernels.Tensor, starts kernels.Ints) {
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
		d.set.Scale(to, to, dlse.F32[g])
		if ds.Add {
			d.set.Add(ds.F32[first:end], to)
		}
	}
}
