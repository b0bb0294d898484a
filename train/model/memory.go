package model

import "capgraph/kernels"

// memory is the memory of a model's parameters: their values; the gradients of those that are
// trained; bf16 copies of the matrices that linear layers read, if the device uses them; and the
// running averages, which are not parameters.
type memory struct{ values, grads, halves, averages kernels.Memory }

// placement has the offset of a parameter in each memory, in elements, or -1 if it is not there.
type placement struct{ value, grad, half, average int }

// alignment is the alignment of parameters in a memory: their offsets are multiples of this many
// elements.
const alignment = 32

// alignUp rounds n up to a multiple of alignment.
func alignUp(n int) int { return (n + alignment - 1) / alignment * alignment }

// allocate returns the placement of a parameter after all previous ones, whose end is all, and
// advances all.
func (all *placement) allocate(s Spec, learned, halved bool) placement {
	p := placement{-1, -1, -1, -1}
	for _, t := range []struct {
		to, at *int
		n      int
		has    bool
	}{
		{&p.average, &all.average, alignUp(s.Len()), s.Running},
		{&p.value, &all.value, alignUp(s.Len()), !s.Running},
		{&p.grad, &all.grad, alignUp(s.Len()), learned},
		{&p.half, &all.half, alignUp(s.Len()) / 2, halved},
	} {
		if t.has {
			*t.to = *t.at
			*t.at += t.n
		}
	}
	return p
}

// newVar returns the parameter [rows, cols] at a placement.
func (m *memory) newVar(d kernels.Device, p placement, rows, cols int) *kernels.Var {
	tensor := func(of kernels.Memory, at int) kernels.Tensor {
		if at < 0 {
			return kernels.Tensor{}
		}
		return kernels.Tensor{Rows: rows, Cols: cols, Memory: d.Slice(of, at, rows*cols)}
	}
	value := tensor(m.values, p.value)
	if p.average >= 0 {
		value = tensor(m.averages, p.average)
	}
	if p.half >= 0 {
		value.Half = d.Slice(m.halves, p.half, rows*cols/2).Address
	}
	return kernels.NewParameter(value, tensor(m.grads, p.grad))
}

// addJoined adds to named the matrices and vectors that consist of several parameters, such as
// those of queries, keys and values, which the tape reads as one. The parameters are adjacent in
// memory.
func (m *memory) addJoined(d kernels.Device, specs []Spec, places []placement, named map[string]*kernels.Var) {
	for i := 0; i < len(specs); {
		first, rows, cols := i, specs[i].Rows, specs[i].Cols
		for i++; i < len(specs) && specs[i].joined != "" && specs[i].joined == specs[first].joined; i++ {
			if specs[i].Rows > 1 {
				rows += specs[i].Rows
			} else {
				cols += specs[i].Cols
			}
		}
		if name := specs[first].joined; name != "" {
			named[name] = m.newVar(d, places[first], rows, cols)
		}
	}
}
