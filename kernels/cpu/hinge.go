package cpu

import "capgraph/kernels"

// Hinge implements kernels.Device.
func (d *Device) Hinge(loss, gap, s, thresholds kernels.Tensor, rows, positives, negatives, kinds kernels.Ints, weight float64) {
	var sum float64
	for p, i := range rows.Host {
		line := rowOf(s, int(i))
		gap.F32[p] = line[negatives.Host[p]] - line[positives.Host[p]]
		sum += float64(max(0, gap.F32[p]+thresholds.F32[kinds.Host[p]]))
	}
	loss.F32[0] = float32(weight * sum)
}

// HingeBackward implements kernels.Device.
func (d *Device) HingeBackward(ds kernels.Grad, dloss, gap, thresholds kernels.Tensor, rows, positives, negatives, kinds kernels.Ints, weight float64) {
	if !ds.Add {
		d.Zero(ds.Tensor)
	}
	slope := float32(weight) * dloss.F32[0]
	for p, i := range rows.Host {
		if gap.F32[p]+thresholds.F32[kinds.Host[p]] > 0 {
			line := rowOf(ds.Tensor, int(i))
			line[negatives.Host[p]] += slope
			line[positives.Host[p]] -= slope
		}
	}
}
