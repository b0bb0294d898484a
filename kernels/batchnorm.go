package kernels

import "math"

type batchNormOps interface {
	// Moments computes the mean and the variance Σ(x − mean)²/n of each column of x [n, w]: mean
	// and variance [1, w], 0 if there are no rows.
	Moments(mean, variance, x Tensor)
	// UpdateAverages moves running averages [1, w] towards the moments of n rows: mean +=
	// momentum·(batchMean − mean), and variance likewise towards batchVariance·n/(n−1).
	UpdateAverages(mean, variance, batchMean, batchVariance Tensor, n int, momentum float64)
	// BatchNorm is y = (x − mean) / sqrt(variance + eps) · gain + bias + residual, a column at a
	// time: x, residual and y [n, w], all others [1, w]. residual may be none. If rectified,
	// negative results become 0.
	BatchNorm(y, x, mean, variance, gain, bias, residual Tensor, eps float64, rectified bool)
	// BatchNormBackward computes gradients from dy [n, w], given the moments of x. Each gradient
	// may be none. If rectified, dy is overwritten with the gradient before the rectifier, which is
	// also the residual's.
	BatchNormBackward(dx, dgain, dbias Grad, dy, y, x, mean, variance, gain Tensor, eps float64, rectified bool)
}

// Normalisation has the settings and running averages of a batch norm.
type Normalisation struct {
	// Mean and Variance [1, w] are running averages over batches.
	Mean, Variance Tensor
	// Momentum is the weight of a new batch in the running averages.
	Momentum float64
	// Eps is added to variances.
	Eps float64
	// Rectified sets negative results to 0 afterwards.
	Rectified bool
}

// BatchNorm normalises the columns of x [n, w] by their mean and variance (Ioffe and Szegedy 2015,
// alg. 1), with gain and bias [1, w], and adds a residual [n, w] or nil. The running averages are
// updated as in PyTorch, unless the tape recomputes.
func (t *Tape) BatchNorm(x, gain, bias, residual *Var, z Normalisation) *Var {
	y := t.newNormResult(x, gain, bias, residual, z)
	w := x.Value.Cols
	mean, variance := t.Arena.Tensor(1, w), t.Arena.Tensor(1, w)
	t.Device.Moments(mean, variance, x.Value)
	if !t.Recompute {
		t.Device.UpdateAverages(z.Mean, z.Variance, mean, variance, x.Value.Rows, z.Momentum)
	}
	t.Device.BatchNorm(y.Value, x.Value, mean, variance, gain.Value, bias.Value, valueOf(residual), z.Eps, z.Rectified)
	r := record{backward: batchNormBackward, in: [4]*Var{x, gain, bias, residual}, out: y, saved: [2]Tensor{mean, variance}, factor: [3]float64{z.Eps}}
	if z.Rectified {
		r.number[0] = 1
	}
	return t.addRecord(r)
}

// InferenceBatchNorm is BatchNorm with the running averages in place of the batch's moments. It has
// no gradient.
func (t *Tape) InferenceBatchNorm(x, gain, bias, residual *Var, z Normalisation) *Var {
	y := t.newNormResult(x, gain, bias, residual, z)
	checkShape(!y.needsGrad, "a norm by running averages has no gradient")
	t.Device.BatchNorm(y.Value, x.Value, z.Mean, z.Variance, gain.Value, bias.Value, valueOf(residual), z.Eps, z.Rectified)
	return y
}

// newNormResult allocates the result of a batch norm.
func (t *Tape) newNormResult(x, gain, bias, residual *Var, z Normalisation) *Var {
	n, w := x.Value.Rows, x.Value.Cols
	checkShape(gain.Value.Len() == w && bias.Value.Len() == w, "a batch norm's gain or bias does not fit its input")
	checkShape(z.Mean.Len() == w && z.Variance.Len() == w, "a batch norm's averages do not fit its input")
	checkShape(residual == nil || residual.Value.Rows == n && residual.Value.Cols == w, "a residual does not fit")
	return t.withHalf(t.newResult(n, w, x, gain, bias, residual))
}

func batchNormBackward(t *Tape, r *record) {
	x, gain, bias := r.in[0], r.in[1], r.in[2]
	t.Device.BatchNormBackward(t.gradOf(x), t.gradOf(gain), t.gradOf(bias), r.out.Grad, r.out.Value, x.Value, r.saved[0], r.saved[1], gain.Value, r.factor[0], r.number[0] == 1)
	if r.in[3] != nil {
		t.passGrad(r.out, r.in[3])
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

// UpdateAverages implements Device.
func (*Reference) UpdateAverages(mean, variance, batchMean, batchVariance Tensor, n int, momentum float64) {
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
		if !residual.IsNone() {
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
		var sum, along float64 // of the gradient; along: its inner product with the normalised column
		for i := range x.Rows {
			sum += dy.F64[i*x.Cols+k]
			along += dy.F64[i*x.Cols+k] * normal(i)
		}
		if !dx.IsNone() {
			for i := range x.Rows {
				dx.store(i*x.Cols+k, inverse*gain.F64[k]*(dy.F64[i*x.Cols+k]-sum/n-normal(i)*along/n))
			}
		}
		if !dgain.IsNone() {
			dgain.store(k, along)
		}
		if !dbias.IsNone() {
			dbias.store(k, sum)
		}
	}
}
