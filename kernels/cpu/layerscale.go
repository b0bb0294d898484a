package cpu

import "capgraph/kernels"

// layerScale computes y = x⊙gain + residual if y is set, otherwise the gradients of x and gain.
type layerScale struct {
	rowParts
	d                    *Device
	y, x, gain, residual kernels.Tensor
	dy                   kernels.Tensor
	dx                   kernels.Grad
	sums                 columnSums
	withInput, withGains bool
}

// LayerScale implements kernels.Device.
func (d *Device) LayerScale(y, x, gain, residual kernels.Tensor) {
	l := &d.layerScale
	*l = layerScale{d: d, rowParts: rowPartsOf(x.Rows, x.Cols), y: y, x: x, gain: gain, residual: residual, sums: l.sums}
	d.pool.run(l.count(), l)
}

// LayerScaleBackward implements kernels.Device.
func (d *Device) LayerScaleBackward(dx, dgain kernels.Grad, dy, x, gain kernels.Tensor) {
	l := &d.layerScale
	*l = layerScale{
		d: d, rowParts: rowPartsOf(x.Rows, x.Cols), x: x, gain: gain, dy: dy, dx: dx, sums: l.sums,
		withInput: !dx.IsNone(), withGains: !dgain.IsNone(),
	}
	if l.withGains {
		l.sums.reset(l.count(), x.Cols)
	}
	d.pool.run(l.count(), l)
	l.sums.addTo(d, dgain, l.count(), 0)
}

// runPart implements task.
func (l *layerScale) runPart(_ *worker, i int) {
	first, end := l.bounds(i)
	for r := first; r < end; r++ {
		x, gain := rowOf(l.x, r), l.gain.F32
		gain = gain[:len(x)]
		if !l.y.IsNone() {
			y, residual := rowOf(l.y, r), rowOf(l.residual, r)
			for k, v := range x {
				y[k] = float32(v*gain[k]) + residual[k]
			}
			continue
		}
		dy := rowOf(l.dy, r)
		if l.withGains {
			sums := l.sums.part(i)
			for k, v := range dy {
				sums[k] += float32(v * x[k])
			}
		}
		if !l.withInput {
			continue
		}
		dx := rowOf(l.dx.Tensor, r)
		for k, v := range dy {
			if l.dx.Add {
				dx[k] += float32(v * gain[k])
			} else {
				dx[k] = v * gain[k]
			}
		}
	}
}
