package kernels

import "math"

type batchNormOps interface {
	// Moments are the mean and the variance Σ(x − mean)²/n of each column of x [n, w]:
	// mean and variance [1, w], 0 of no rows.
	Moments(mean, variance, x Tensor)
	// MoveMoments moves running averages [1, w] to what the moments of n rows are:
	// mean += momentum·(batchMean − mean), and variance so towards batchVariance·n/(n−1).
	MoveMoments(mean, variance, batchMean, batchVariance Tensor, n int, momentum float64)
	// BatchNorm is y = (x − mean) / sqrt(variance + eps) · gain + bias + residual, a
	// column at a time: x, residual and y [n, w], all others [1, w]. residual may be none.
	// Where rectified is set, what is below 0 is 0.
	BatchNorm(y, x, mean, variance, gain, bias, residual Tensor, eps float64, rectified bool)
	// BatchNormBackward takes dy [n, w] back, of moments that are those of x; each gradient
	// may be none. Where rectified is set, dy becomes the gradient of what was rectified,
	// and so of the residual.
	BatchNormBackward(dx, dgain, dbias Grad, dy, y, x, mean, variance, gain Tensor, eps float64, rectified bool)
}

// Normalisation is what batch norms have besides gains and biases.
type Normalisation struct {
	// Mean and Variance [1, w] are running averages of batches.
	Mean, Variance Tensor
	// Momentum is how far they move towards a batch.
	Momentum float64
	// Eps is added to variances.
	Eps float64
	// Rectified says that what is below 0 becomes 0 afterwards.
	Rectified bool
}

// BatchNorm normalises the columns of x [n, w] by their mean and variance (Ioffe and
// Szegedy 2015, alg. 1), with gain and bias [1, w], and adds a residual [n, w] or nil.
// The running averages move as PyTorch's do, but on a tape that does it Again.
func (t *Tape) BatchNorm(x, gain, bias, residual *Var, z Normalisation) *Var {
	y := t.normalised(x, gain, bias, residual, z)
	w := x.Value.Cols
	mean, variance := t.Arena.Tensor(1, w), t.Arena.Tensor(1, w)
	t.Device.Moments(mean, variance, x.Value)
	if !t.Again {
		t.Device.MoveMoments(z.Mean, z.Variance, mean, variance, x.Value.Rows, z.Momentum)
	}
	t.Device.BatchNorm(y.Value, x.Value, mean, variance, gain.Value, bias.Value, tensorOf(residual), z.Eps, z.Rectified)
	r := record{backward: batchNormBackward, in: [4]*Var{x, gain, bias, residual}, out: y, saved: [2]Tensor{mean, variance}, factor: [2]float64{z.Eps}}
	if z.Rectified {
		r.number[0] = 1
	}
	return t.push(r)
}

// RunningNorm is BatchNorm by the running averages, for what is not learned from.
func (t *Tape) RunningNorm(x, gain, bias, residual *Var, z Normalisation) *Var {
	y := t.normalised(x, gain, bias, residual, z)
	check(!y.needs, "a norm by running averages has no gradient")
	t.Device.BatchNorm(y.Value, x.Value, z.Mean, z.Variance, gain.Value, bias.Value, tensorOf(residual), z.Eps, z.Rectified)
	return y
}

// normalised is room for the result of a batch norm.
func (t *Tape) normalised(x, gain, bias, residual *Var, z Normalisation) *Var {
	n, w := x.Value.Rows, x.Value.Cols
	check(gain.Value.Len() == w && bias.Value.Len() == w, "a batch norm's gain or bias does not fit its input")
	check(z.Mean.Len() == w && z.Variance.Len() == w, "a batch norm's averages do not fit its input")
	check(residual == nil || residual.Value.Rows == n && residual.Value.Cols == w, "a residual does not fit")
	return t.halved(t.result(n, w, x, gain, bias, residual))
}

func batchNormBackward(t *Tape, r *record) {
	x, gain, bias := r.in[0], r.in[1], r.in[2]
	t.Device.BatchNormBackward(t.grad(x), t.grad(gain), t.grad(bias), r.out.Grad, r.out.Value, x.Value, r.saved[0], r.saved[1], gain.Value, r.factor[0], r.number[0] == 1)
	if r.in[3] != nil {
		t.pass(r.out, r.in[3])
	}
}

// Moments implements Device.
func (*Reference) Moments(mean, variance, x Tensor) {
	n := max(float64(x.Rows), 1)
	for k := range x.Cols {
		var sum, squares float64
		for i := range x.Rows {
			sum += x.F64[i*x.Cols+k]
		}
		sum /= n
		for i := range x.Rows {
			d := x.F64[i*x.Cols+k] - sum
			squares += d * d
		}
		mean.F64[k], variance.F64[k] = sum, squares/n
	}
}

// MoveMoments implements Device.
func (*Reference) MoveMoments(mean, variance, batchMean, batchVariance Tensor, n int, momentum float64) {
	unbiased := float64(n) / max(float64(n-1), 1)
	for k := range mean.F64 {
		mean.F64[k] += momentum * (batchMean.F64[k] - mean.F64[k])
		variance.F64[k] += momentum * (batchVariance.F64[k]*unbiased - variance.F64[k])
	}
}

// BatchNorm implements Device.
func (*Reference) BatchNorm(y, x, mean, variance, gain, bias, residual Tensor, eps float64, rectified bool) {
	for i, v := range x.F64 {
		k := i % x.Cols
		v = (v-mean.F64[k])/math.Sqrt(variance.F64[k]+eps)*gain.F64[k] + bias.F64[k]
		if !residual.None() {
			v += residual.F64[i]
		}
		if rectified && v < 0 {
			v = 0
		}
		y.F64[i] = v
	}
}

// BatchNormBackward implements Device.
func (*Reference) BatchNormBackward(dx, dgain, dbias Grad, dy, y, x, mean, variance, gain Tensor, eps float64, rectified bool) {
	if rectified {
		for i, v := range y.F64 {
			if v == 0 {
				dy.F64[i] = 0
			}
		}
	}
	n := float64(x.Rows)
	for k := range x.Cols {
		inverse := 1 / math.Sqrt(variance.F64[k]+eps)
		normal := func(i int) float64 { return (x.F64[i*x.Cols+k] - mean.F64[k]) * inverse }
		var sum, along float64 // of the gradient, and with the normalised column
		for i := range x.Rows {
			sum += dy.F64[i*x.Cols+k]
			along += dy.F64[i*x.Cols+k] * normal(i)
		}
		if !dx.None() {
			for i := range x.Rows {
				dx.put(i*x.Cols+k, inverse*gain.F64[k]*(dy.F64[i*x.Cols+k]-sum/n-normal(i)*along/n))
			}
		}
		if !dgain.None() {
			dgain.put(k, along)
		}
		if !dbias.None() {
			dbias.put(k, sum)
		}
	}
}
