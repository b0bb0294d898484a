package kernels

import "math"

type normOps interface {
	// SquareSum adds Σ x² to y [1, 1], or sets it without add.
	SquareSum(y, x Tensor, add bool)
	// ClipFactor is y [1, 1] = min(1, most / (√squares + 1e-6)), the factor that limits the norm of
	// gradients to most. It is 1 if most is 0, and NaN if squares is not finite.
	ClipFactor(y, squares Tensor, most float64)
}

// clipEpsilon keeps the factor of clipping finite, as in PyTorch's clip_grad_norm_.
const clipEpsilon = 1e-6

// SquareSum implements Device.
func (*Reference) SquareSum(y, x Tensor, add bool) {
	s := dot(x.F64, x.F64)
	if add {
		s += y.F64[0]
	}
	y.F64[0] = s
}

// ClipFactor implements Device.
func (*Reference) ClipFactor(y, squares Tensor, most float64) {
	y.F64[0] = 1 + 0*squares.F64[0]
	if most > 0 && y.F64[0] == 1 {
		y.F64[0] = min(1, most/(math.Sqrt(squares.F64[0])+clipEpsilon))
	}
}
