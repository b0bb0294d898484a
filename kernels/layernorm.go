package kernels

import "math"

type layerNormOps interface {
	// LayerNorm computes y = (x − mean) / sqrt(var + eps) · gain + bias, a row at a time: x, y [n,
	// w], gain, bias [1, w]. y may be half-only. stats [n, 2], or none, keeps mean and 1/sqrt(var +
	// eps).
	LayerNorm(y, stats, x, gain, bias Tensor, eps float64)
	// LayerNormBackward computes gradients from dy [n, w]; each may be none.
	LayerNormBackward(dx, dgain, dbias Grad, dy, x, gain, stats Tensor)
}

// LayerNorm normalises the rows of x [n, w] (Ba, Kiros and Hinton 2016), with
// gain and bias [1, w].
func (t *Tape) LayerNorm(x, gain, bias *Var, eps float64) *Var {
	return t.layerNorm(t.newResult(x.Value.Rows, x.Value.Cols, x, gain, bias), x, gain, bias, eps)
}

// HalfLayerNorm is LayerNorm with a result that only linear layers read.
func (t *Tape) HalfLayerNorm(x, gain, bias *Var, eps float64) *Var {
	return t.layerNorm(t.newHalfResult(x.Value.Rows, x.Value.Cols, x, gain, bias), x, gain, bias, eps)
}

func (t *Tape) layerNorm(y, x, gain, bias *Var, eps float64) *Var {
	n, w := x.Value.Rows, x.Value.Cols
	checkShape(gain.Value.Len() == w && bias.Value.Len() == w, "a layer norm's gain or bias does not fit its input")
	r := record{backward: layerNormBackward, in: [4]*Var{x, gain, bias}, out: y}
	r.saved[0] = t.newSaved(y, n, 2)
	t.Device.LayerNorm(y.Value, r.saved[0], x.Value, gain.Value, bias.Value, eps)
	return t.addRecord(r)
}

func layerNormBackward(t *Tape, r *record) {
	x, gain, bias := r.in[0], r.in[1], r.in[2]
	t.Device.LayerNormBackward(t.gradOf(x), t.gradOf(gain), t.gradOf(bias), r.out.Grad, x.Value, gain.Value, r.saved[0])
}

// LayerNorm implements Device.
func (*Reference) LayerNorm(y, stats, x, gain, bias Tensor, eps float64) {
	for i := range x.Rows {
		row, out := x.row(i), y.row(i)
		var mean, variance float64
		for _, v := range row {
			mean += v
		}
		mean /= float64(x.Cols)
		for _, v := range row {
			variance += (v - mean) * (v - mean)
		}
		inverse := 1 / math.Sqrt(variance/float64(x.Cols)+eps)
		for k, v := range row {
			out[k] = (v-mean)*inverse*gain.F64[k] + bias.F64[k]
		}
		if !stats.IsNone() {
			stats.F64[2*i], stats.F64[2*i+1] = mean, inverse
		}
	}
}

// LayerNormBackward implements Device.
func (*Reference) LayerNormBackward(dx, dgain, dbias Grad, dy, x, gain, stats Tensor) {
	w := float64(x.Cols)
	for i := range x.Rows {
		mean, inverse := stats.F64[2*i], stats.F64[2*i+1]
		row, d := x.row(i), dy.row(i)
		var sum, along float64 // of the gradient of the normalised row; along: its inner product with that row
		for k, v := range row {
			g := d[k] * gain.F64[k]
			sum += g
			along += g * (v - mean) * inverse
		}
		for k, v := range row {
			if !dx.IsNone() {
				dx.store(i*x.Cols+k, inverse*(d[k]*gain.F64[k]-sum/w-(v-mean)*inverse*along/w))
			}
		}
	}
	for k := range x.Cols {
		var g, b float64
		for i := range x.Rows {
			d := dy.F64[i*x.Cols+k]
			g += d * (x.F64[i*x.Cols+k] - stats.F64[2*i]) * stats.F64[2*i+1]
			b += d
		}
		if !dgain.IsNone() {
			dgain.store(k, g)
		}
		if !dbias.IsNone() {
			dbias.store(k, b)
		}
	}
}
