package cpu

import (
	"capgraph/kernels"
	"capgraph/kernels/cpu/simd"
)

// adamw is a step of AdamW, split by elements.
type adamw struct {
	rowParts
	d          *Device
	p, g, m, v []float32
	numbers    simd.AdamW
}

// AdamW implements kernels.Device.
func (d *Device) AdamW(moves []kernels.AdamWUpdate, factor kernels.Tensor) {
	if f := factor.F32[0]; f-f != 0 {
		return
	}
	for _, o := range moves {
		d.updateParameter(o.P, o.G, o.M, o.V, factor, o.AdamW)
	}
}

// updateParameter updates one parameter p and its moments m and v by the gradient g.
func (d *Device) updateParameter(p, g, m, v, factor kernels.Tensor, o kernels.AdamW) {
	first, second := o.BiasCorrections()
	d.adamw = adamw{rowParts: rowParts{p.Len(), partElements}, d: d, p: p.F32, g: g.F32, m: m.F32, v: v.F32, numbers: simd.AdamW{
		factor.F32[0],
		float32(o.Beta1), float32(1 - o.Beta1), float32(o.Beta2), float32(1 - o.Beta2),
		float32(1 - o.LearningRate*o.WeightDecay), float32(o.LearningRate / first), float32(1 / second), float32(o.Epsilon),
	}}
	d.pool.run(d.adamw.count(), &d.adamw)
}

// runPart implements task.
func (a *adamw) runPart(_ *worker, i int) {
	first, end := a.bounds(i)
	a.d.set.AdamW(a.p[first:end], a.g[first:end], a.m[first:end], a.v[first:end], &a.numbers)
}
