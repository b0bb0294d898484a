package model

import "capgraph/kernels"

// memory is what the parameters of a model lie in: their values, the gradients of those
// that are learned, halves of the matrices, which linear layers read, where the device
// halves, and the running averages, which are no parameters.
type memory struct{ values, grads, halves, averages kernels.Memory }

// place is where a parameter lies in each, in elements: -1 where it does not.
type place struct{ value, grad, half, average int }

// apart is what the parameters' places are multiples of, in elements.
const apart = 32

// spread is how many elements a parameter of n takes.
func spread(n int) int { return (n + apart - 1) / apart * apart }

// take puts a parameter behind all before it, whose sizes are all.
func (all *place) take(s Spec, learned, halved bool) place {
	p := place{-1, -1, -1, -1}
	for _, t := range []struct {
		to, at *int
		n      int
		has    bool
	}{
		{&p.average, &all.average, spread(s.Len()), s.Running},
		{&p.value, &all.value, spread(s.Len()), !s.Running},
		{&p.grad, &all.grad, spread(s.Len()), learned},
		{&p.half, &all.half, spread(s.Len()) / 2, halved},
	} {
		if t.has {
			*t.to = *t.at
			*t.at += t.n
		}
	}
	return p
}

// variable is the matrix at a place.
func (m *memory) variable(d kernels.Device, p place, rows, cols int) *kernels.Var {
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

// joints are matrices that a file has apart and the tape reads as one, rows under rows or
// numbers behind numbers: queries, keys and values. Their parts lie one after another.
func (m *memory) joints(d kernels.Device, specs []Spec, places []place, named map[string]*kernels.Var) {
	for i := 0; i < len(specs); {
		first, rows, cols := i, specs[i].Rows, specs[i].Cols
		for i++; i < len(specs) && specs[i].joint != "" && specs[i].joint == specs[first].joint; i++ {
			if specs[i].Rows > 1 {
				rows += specs[i].Rows
			} else {
				cols += specs[i].Cols
			}
		}
		if name := specs[first].joint; name != "" {
			named[name] = m.variable(d, places[first], rows, cols)
		}
	}
}
