package cpu

import "capgraph/kernels"

// layerScale adds to a residual, column by column; backward where dy is one.
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
	*l = layerScale{d: d, rowParts: partsOf(x.Rows, x.Cols), y: y, x: x, gain: gain, residual: residual, sums: l.sums}
	d.pool.run(l.count(), l)
}

// LayerScaleBackward implements kernels.Device.
func (d *Device) LayerScaleBackward(dx, dgain kernels.Grad, dy, x, gain kernels.Tensor) {
	l := &d.layerScale
	*l = layerScale{
		d: d, rowParts: partsOf(x.Rows, x.Cols), x: x, gain: gain, dy: dy, dx: dx, sums: l.sums,
		withInput: !dx.None(), withGains: !dgain.None(),
	}
	if l.withGains {
		l.sums.begin(l.count(), x.Cols)
	}
	d.pool.run(l.count(), l)
	l.sums.end(d, dgain, l.count(), 0)
}

// part implements work.
func (l *layerScale) part(_ *worker, i int) {
	first, end := l.bounds(i)
	for r := first; r < end; r++ {
		x, gain := row(l.x, r), l.gain.F32
		gain = gain[:len(x)]
		if !l.y.None() {
			y, residual := row(l.y, r), row(l.residual, r)
			for k, v := range x {
				y[k] = float32(v*gain[k]) + residual[k]
			}
			continue
		}
		dy := row(l.dy, r)
		if l.withGains {
			sums := l.sums.of(i)
			for k, v := range dy {
				sums[k] += float32(v * x[k])
			}
		}
		if !l.withInput {
			continue
		}
		dx := row(l.dx.Tensor, r)
		for k, v := range dy {
			if l.dx.Add {
				dx[k] += float32(v * gain[k])
			} else {
				dx[k] = v * gain[k]
			}
		}
	}
}
