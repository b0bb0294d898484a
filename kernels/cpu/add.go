package cpu

import "capgraph/kernels"

// elementwise is an operation on the elements of y and x one by one.
type elementwise struct {
	rowParts
	op   int
	d    *Device
	y, x []float32
	a, b float32
}

// The kinds of elementwise operations.
const (
	opFill = iota
	opCopy
	opScale
	opAddScaled
	opClamp
)

// Zero implements kernels.Device.
func (d *Device) Zero(t kernels.Tensor) { d.runElementwise(opFill, t.F32, nil, 0, 0) }

// Fill implements kernels.Device.
func (d *Device) Fill(y kernels.Tensor, a float64) {
	d.runElementwise(opFill, y.F32, nil, float32(a), 0)
}

// Copy implements kernels.Device.
func (d *Device) Copy(y, x kernels.Tensor) { d.runElementwise(opCopy, y.F32, x.F32, 0, 0) }

// AddScaled implements kernels.Device.
func (d *Device) AddScaled(y, x kernels.Tensor, a float64) {
	d.runElementwise(opAddScaled, y.F32, x.F32, float32(a), 0)
}

// Clamp implements kernels.Device.
func (d *Device) Clamp(x kernels.Tensor, least, most float64) {
	d.runElementwise(opClamp, x.F32, nil, float32(least), float32(most))
}

// runElementwise runs an operation of this kind on all elements.
func (d *Device) runElementwise(kind int, y, x []float32, a, b float32) {
	d.elementwise = elementwise{rowPartsOf(len(y), 1), kind, d, y, x, a, b}
	d.pool.run(d.elementwise.count(), &d.elementwise)
}

func (e *elementwise) runPart(_ *worker, i int) {
	first, end := e.bounds(i)
	y := e.y[first:end]
	switch e.op {
	case opFill:
		if e.a == 0 {
			clear(y)
			return
		}
		for i := range y {
			y[i] = e.a
		}
	case opCopy:
		copy(y, e.x[first:end])
	case opScale:
		e.d.set.Scale(y, e.x[first:end], e.a)
	case opAddScaled:
		e.d.set.AddScaled(y, e.x[first:end], e.a)
	case opClamp:
		for i, v := range y {
			y[i] = min(max(v, e.a), e.b)
		}
	}
}
