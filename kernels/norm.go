package kernels

import "math"

type normOps interface {
	// SquareSum adds Σ x² to y [1, 1] if add is true, and sets y to it otherwise.
	SquareSum(y, x Tensor, add bool)
	// ClipFactor sets y [1, 1] to the factor that limits the norm of gradients to most: min(1, most
	// / (√squares + 1e-6)). It is 1 if most is 0, and NaN if squares is not finite.
	ClipFactor(y, squares Tensor, most float64)
}

// clipEpsilon is added to the norm so that ClipFactor does not divide by 0, as in PyTorch's
// clip_grad_norm_.
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
