package kernels

import "math"

// AdamW has the settings of one step of the optimiser AdamW (Loshchilov and Hutter 2019, alg. 2).
type AdamW struct {
	LearningRate, Beta1, Beta2, Epsilon, WeightDecay float64
	// Step is the number of this step, from 1.
	Step int
}

// AdamWUpdate has what a step reads and writes of one parameter: value, gradient and two moments,
// all of the same length.
type AdamWUpdate struct {
	P, G, M, V Tensor
	AdamW
}

type adamwOps interface {
	// AdamW updates parameters by their gradients, which are first multiplied by factor [1, 1], see
	// ClipFactor. Nothing is done if factor is not finite.
	AdamW(moves []AdamWUpdate, factor Tensor)
	// Clamp limits the elements of x to the range from least to most.
	Clamp(x Tensor, least, most float64)
}

// BiasCorrections returns the divisors of the two moments at this step, 1 − β₁^t and 1 − β₂^t.
func (o AdamW) BiasCorrections() (first, second float64) {
	return 1 - math.Pow(o.Beta1, float64(o.Step)), 1 - math.Pow(o.Beta2, float64(o.Step))
}

// AdamW implements Device.
func (*Reference) AdamW(moves []AdamWUpdate, factor Tensor) {
	f := factor.F64[0]
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return
	}
	for _, o := range moves {
		first, second := o.BiasCorrections()
		p, m, v := o.P.F64, o.M.F64, o.V.F64
		for i := range p {
			d := o.G.F64[i] * f
			m[i] = o.Beta1*m[i] + (1-o.Beta1)*d
			v[i] = o.Beta2*v[i] + (1-o.Beta2)*d*d
			p[i] -= o.LearningRate * o.WeightDecay * p[i]
			p[i] -= o.LearningRate * (m[i] / first) / (math.Sqrt(v[i]/second) + o.Epsilon)
		}
	}
}

// Clamp implements Device.
func (*Reference) Clamp(x Tensor, least, most float64) {
	for i, v := range x.F64 {
		x.F64[i] = min(max(v, least), most)
	}
}
