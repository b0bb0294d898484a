package kernels

type layerScaleOps interface {
	// LayerScale computes y = x⊙gain + residual, row by row: x, residual and y [n, w], gain [1, w].
	LayerScale(y, x, gain, residual Tensor)
	// LayerScaleBackward computes the gradients of x and gain from dy [n, w]. Each may be none.
	LayerScaleBackward(dx, dgain Grad, dy, x, gain Tensor)
}

// LayerScale returns x⊙gain + residual, where each column of x [n, w] is multiplied by its gain [1,
// w], as in the blocks of DINOv2 (Touvron et al. 2021, eq. 4).
func (t *Tape) LayerScale(x, gain, residual *Var) *Var {
	n, w := x.Value.Rows, x.Value.Cols
	checkShape(gain.Value.Len() == w, "a layer's scale is not one gain a column")
	checkShape(residual.Value.Rows == n && residual.Value.Cols == w, "what is scaled does not fit its residual")
	y := t.newResult(n, w, x, gain, residual)
	t.Device.LayerScale(y.Value, x.Value, gain.Value, residual.Value)
	return t.addRecord(record{backward: layerScaleBackward, in: [4]*Var{x, gain, residual}, out: y})
}

func layerScaleBackward(t *Tape, r *record) {
	x, gain := r.in[0], r.in[1]
	t.Device.LayerScaleBackward(t.gradOf(x), t.gradOf(gain), r.out.Grad, x.Value, gain.Value)
	t.passGrad(r.out, r.in[2])
}

// LayerScale implements Device.
func (*Reference) LayerScale(y, x, gain, residual Tensor) {
	for i, v := range x.F64 {
		y.F64[i] = v*gain.F64[i%x.Cols] + residual.F64[i]
	}
}

// LayerScaleBackward implements Device.
func (*Reference) LayerScaleBackward(dx, dgain Grad, dy, x, gain Tensor) {
	if !dgain.IsNone() && !dgain.Add {
		clear(dgain.F64)
	}
	for i, v := range dy.F64 {
		if !dx.IsNone() {
			dx.store(i, v*gain.F64[i%x.Cols])
		}
		if !dgain.IsNone() {
			dgain.F64[i%x.Cols] += v * x.F64[i]
		}
	}
}
