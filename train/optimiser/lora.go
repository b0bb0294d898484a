package optimiser

import (
	"iter"

	"capgraph/kernels"
	"capgraph/train/model"
)

// LoRA says which matrices of a model have low-rank adapters (Hu et al. 2022). Such a matrix is W + s·B·A with s =
// Alpha/Rank, where W is frozen and the optimiser updates A and B.
//
// The model always contains the sum, so that towers and files are the same as without adapters. The gradients of A and
// B are s·Bᵀ·G and s·G·Aᵀ, where G is the gradient of the sum.
type LoRA struct {
	Rank  int
	Alpha float64
	// Seed determines the initial values of A.
	Seed uint64
	// Adapts reports whether a parameter has an adapter, if it has a gradient.
	Adapts func(model.Spec) bool
}

// adapters has the adapters of all adapted matrices.
type adapters struct {
	LoRA
	model    *model.Model
	list     []adapter
	memory   kernels.Memory
	gradient kernels.Tensor // the gradients of all A and B as one vector
	scaledB  kernels.Memory // memory for s·B of one adapter
	product  kernels.Memory // memory for G·Aᵀ of one adapter
}

// adapter is the adapter of one matrix. Its arrays have A, then B.
type adapter struct {
	of                               int // index of the matrix among the parameters of the model
	specs                            [2]model.Spec
	rates                            [2]Rate
	base                             kernels.Tensor // W
	values, gradients, first, second [2]kernels.Tensor
}

// newAdapters returns adapters whose values are not set yet: Start or a checkpoint sets them.
func newAdapters(m *model.Model, o Options) *adapters {
	z := &adapters{LoRA: *o.LoRA, model: m}
	elements, gradients, largest := 0, 0, 0
	for i, s := range m.Specs {
		if !m.Vars[i].NeedsGrad() || !z.Adapts(s) {
			continue
		}
		a := adapter{of: i}
		a.specs[0], a.specs[1] = s.Adapters(z.Rank)
		elements += alignUp(s.Len())
		for k, part := range a.specs {
			a.rates[k] = o.rateOf(part)
			elements += 3 * alignUp(part.Len())
			gradients += alignUp(part.Len())
		}
		largest = max(largest, a.specs[1].Len())
		z.list = append(z.list, a)
	}
	d := m.Device
	z.memory, z.scaledB, z.product = d.Alloc(gradients+elements), d.Alloc(largest), d.Alloc(largest)
	z.gradient = kernels.Tensor{Rows: 1, Cols: gradients, Memory: d.Slice(z.memory, 0, gradients)}
	at, gradientAt := gradients, 0
	take := func(at *int, s model.Spec) kernels.Tensor {
		t := kernels.Tensor{Rows: s.Rows, Cols: s.Cols, Memory: d.Slice(z.memory, *at, s.Len())}
		*at += alignUp(s.Len())
		return t
	}
	for i := range z.list {
		a := &z.list[i]
		a.base = take(&at, m.Specs[a.of])
		for k, part := range a.specs {
			a.values[k], a.first[k], a.second[k] = take(&at, part), take(&at, part), take(&at, part)
			a.gradients[k] = take(&gradientAt, part)
		}
	}
	return z
}

// setInitialValues sets each W to the model's matrix, and A and B to their initial values.
func (z *adapters) setInitialValues() {
	for i := range z.list {
		a := &z.list[i]
		z.model.Device.Copy(a.base, z.model.Vars[a.of].Value)
		for k, part := range a.specs {
			x := make([]float64, part.Len())
			part.Initialise(z.Seed, x)
			z.model.Device.Write(a.values[k], x)
		}
	}
}

// scaleB returns s·B, valid until the next call.
func (z *adapters) scaleB(a *adapter) kernels.Tensor {
	d := z.model.Device
	b := kernels.Tensor{Rows: a.specs[1].Rows, Cols: z.Rank, Memory: d.Slice(z.scaledB, 0, a.specs[1].Len())}
	d.Zero(b)
	d.AddScaled(b, a.values[1], z.Alpha/float64(z.Rank))
	return b
}

// computeGradients computes the gradients of A and B from the gradients of the model.
func (z *adapters) computeGradients() {
	d := z.model.Device
	for i := range z.list {
		a := &z.list[i]
		product := kernels.Tensor{Rows: a.specs[1].Rows, Cols: z.Rank, Memory: d.Slice(z.product, 0, a.specs[1].Len())}
		d.ProductBackward(kernels.Grad{Tensor: product}, kernels.Grad{Tensor: a.gradients[0]}, z.model.Vars[a.of].Grad, kernels.Tensor{},
			z.scaleB(a), a.values[0], kernels.NoActivation)
		d.Zero(a.gradients[1])
		d.AddScaled(a.gradients[1], product, z.Alpha/float64(z.Rank))
	}
}

// mergeAll writes W + s·B·A to the model.
func (z *adapters) mergeAll() {
	for i := range z.list {
		a := &z.list[i]
		z.model.Device.Product(z.model.Vars[a.of].Value, kernels.Tensor{}, z.scaleB(a), a.values[0], a.base, kernels.NoActivation)
	}
}

// freeMemory frees the memory of all adapters.
func (z *adapters) freeMemory() {
	for _, of := range []kernels.Memory{z.memory, z.scaledB, z.product} {
		z.model.Device.Free(of)
	}
}

// adapterOf returns the adapter of parameter i of the model; nil if it has none.
func (z *Optimiser) adapterOf(i int) *adapter {
	if z.adapters == nil {
		return nil
	}
	for k := range z.adapters.list {
		if a := &z.adapters.list[k]; a.of == i {
			return a
		}
	}
	return nil
}

// Start begins a training with adapters: the model's current matrices become the W to which they are added. Without
// adapters it does nothing.
func (z *Optimiser) Start() {
	if z.adapters != nil {
		z.adapters.setInitialValues()
	}
}

// AdapterState yields the tensors of adapters that a checkpoint must keep, each with its name: W, A and B, and their
// moments.
func (z *Optimiser) AdapterState() iter.Seq2[string, kernels.Tensor] {
	return func(yield func(string, kernels.Tensor) bool) {
		if z.adapters == nil {
			return
		}
		for i := range z.adapters.list {
			a := &z.adapters.list[i]
			if !yield("base."+z.model.Specs[a.of].Name, a.base) {
				return
			}
			for k, part := range a.specs {
				if !yield(part.Name, a.values[k]) || !yield("first."+part.Name, a.first[k]) || !yield("second."+part.Name, a.second[k]) {
					return
				}
			}
		}
	}
}
