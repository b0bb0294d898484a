package optimiser

import (
	"capgraph/kernels"
	"capgraph/train/model"
)

// EMA is an exponential moving average of the trained parameters, and of the image tower's running
// averages if that tower is trained.
type EMA struct {
	decay    float64
	model    *model.Model
	memory   kernels.Memory
	averages []kernels.Tensor // by parameter; none for frozen ones
}

// NewEMA returns an average whose values are not set yet: Start or a checkpoint sets them.
func NewEMA(m *model.Model, decay float64) *EMA {
	e := &EMA{decay: decay, model: m, averages: make([]kernels.Tensor, len(m.Specs))}
	changes := func(i int) bool {
		s := m.Specs[i]
		return m.Vars[i].NeedsGrad() || s.Running && m.IsTrainable(s.Tower)
	}
	n := 0
	for i, s := range m.Specs {
		if changes(i) {
			n += alignUp(s.Len())
		}
	}
	e.memory = m.Device.Alloc(n)
	at := 0
	for i, s := range m.Specs {
		if changes(i) {
			e.averages[i] = kernels.Tensor{Rows: s.Rows, Cols: s.Cols, Memory: m.Device.Slice(e.memory, at, s.Len())}
			at += alignUp(s.Len())
		}
	}
	return e
}

// Start sets the average to the current parameters.
func (e *EMA) Start() {
	for i, average := range e.averages {
		if !average.IsNone() {
			e.model.Device.Copy(average, e.model.Vars[i].Value)
		}
	}
}

// Update updates the average after a step: it becomes d·average + (1 − d)·parameter with d =
// min(decay, (1 + t)/(10 + t)), where t is the number of steps before this one.
func (e *EMA) Update(t int) {
	d := min(e.decay, float64(1+t)/float64(10+t))
	for i, average := range e.averages {
		if !average.IsNone() {
			e.model.Device.AddScaled(average, average, d-1)
			e.model.Device.AddScaled(average, e.model.Vars[i].Value, 1-d)
		}
	}
}

// Average returns the average of parameter i of the model; none if it is frozen.
func (e *EMA) Average(i int) kernels.Tensor { return e.averages[i] }

// Free frees the memory of the average.
func (e *EMA) Free() { e.model.Device.Free(e.memory) }
