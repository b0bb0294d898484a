package kernels

import "math"

// AdamW are the numbers of one step of AdamW (Loshchilov and Hutter 2019, alg. 2).
type AdamW struct {
	LearningRate, Beta1, Beta2, Epsilon, WeightDecay float64
	// Step is the number of this step, from 1.
	Step int
}

type adamwOps interface {
	// AdamW moves a parameter p by its gradient g times factor [1, 1], with the moments
	// m and v, all of one length. p is kept finite by nobody: see SquareSum.
	AdamW(p, g, m, v, factor Tensor, o AdamW)
	// Clamp keeps the elements of x between least and most.
	Clamp(x Tensor, least, most float64)
}

// Corrections are what the moments are divided by at this step.
func (o AdamW) Corrections() (first, second float64) {
	return 1 - math.Pow(o.Beta1, float64(o.Step)), 1 - math.Pow(o.Beta2, float64(o.Step))
}

// AdamW implements Device.
func (*Reference) AdamW(p, g, m, v, factor Tensor, o AdamW) {
	first, second := o.Corrections()
	for i := range p.F64 {
		d := g.F64[i] * factor.F64[0]
		m.F64[i] = o.Beta1*m.F64[i] + (1-o.Beta1)*d
		v.F64[i] = o.Beta2*v.F64[i] + (1-o.Beta2)*d*d
		p.F64[i] -= o.LearningRate * o.WeightDecay * p.F64[i]
		p.F64[i] -= o.LearningRate * (m.F64[i] / first) / (math.Sqrt(v.F64[i]/second) + o.Epsilon)
	}
}

// Clamp implements Device.
func (*Reference) Clamp(x Tensor, least, most float64) {
	for i, v := range x.F64 {
		x.F64[i] = min(max(v, least), most)
	}
}
