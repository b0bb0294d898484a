package cpu

import "capgraph/kernels"

// elementwise is work on numbers one by one.
type elementwise struct {
	rowParts
	kind int
	d    *Device
	y, x []float32
	a, b float32
}

// The kinds of elementwise.
const (
	fill = iota
	copied
	scaled
	addScaled
	clamp
)

// Zero implements kernels.Device.
func (d *Device) Zero(t kernels.Tensor) { d.elements(fill, t.F32, nil, 0, 0) }

// Fill implements kernels.Device.
func (d *Device) Fill(y kernels.Tensor, a float64) { d.elements(fill, y.F32, nil, float32(a), 0) }

// Copy implements kernels.Device.
func (d *Device) Copy(y, x kernels.Tensor) { d.elements(copied, y.F32, x.F32, 0, 0) }

// AddScaled implements kernels.Device.
func (d *Device) AddScaled(y, x kernels.Tensor, a float64) {
	d.elements(addScaled, y.F32, x.F32, float32(a), 0)
}

// Clamp implements kernels.Device.
func (d *Device) Clamp(x kernels.Tensor, least, most float64) {
	d.elements(clamp, x.F32, nil, float32(least), float32(most))
}

func (d *Device) elements(kind int, y, x []float32, a, b float32) {
	d.elementwise = elementwise{partsOf(len(y), 1), kind, d, y, x, a, b}
	d.pool.run(d.elementwise.count(), &d.elementwise)
}

func (e *elementwise) part(_ *worker, i int) {
	first, end := e.bounds(i)
	y := e.y[first:end]
	switch e.kind {
	case fill:
		if e.a == 0 {
			clear(y)
			return
		}
		for i := range y {
			y[i] = e.a
		}
	case copied:
		copy(y, e.x[first:end])
	case scaled:
		e.d.set.Scale(y, e.x[first:end], e.a)
	case addScaled:
		e.d.set.AddScaled(y, e.x[first:end], e.a)
	case clamp:
		for i, v := range y {
			y[i] = min(max(v, e.a), e.b)
		}
	}
}
