// Package optimiser updates the parameters of a model by their gradients, as open_clip does: AdamW
// without weight decay of gains, biases and the logit scale, with a warm-up, gradients clipped by
// their norm, and the scale of similarities kept between 1 and 100.
package optimiser

import (
	"fmt"
	"math"

	"capgraph/kernels"
	"capgraph/train/model"
)

// Rate is the learning rate and decay of a group of parameters.
type Rate struct {
	LearningRate float64
	// Warmup is the number of steps over which the learning rate rises from 0.
	Warmup      int
	WeightDecay float64
}

// Options are the settings of the optimiser.
type Options struct {
	Beta1, Beta2, Epsilon float64
	// ClipNorm is the maximum norm of all gradients together; 0 means no limit.
	ClipNorm float64
	Schedule Schedule
	// Rate is the default rate. RateOf returns the rate of a parameter; if it is nil, all have the
	// default. Weight decay applies only to parameters with Spec.Decay.
	Rate   Rate
	RateOf func(model.Spec) Rate
	// LoRA has the settings of adapters, which are trained in place of matrices; nil if there are
	// none.
	LoRA *LoRA
}

// Optimiser is AdamW for the parameters of a model that have gradients.
type Optimiser struct {
	options Options
	model   *model.Model
	rates   []Rate
	first   []kernels.Tensor // first moments, by parameter; none if it is not updated
	second  []kernels.Tensor
	memory  kernels.Memory
	// adapters are updated in place of their matrices, which have no moments; nil if there are
	// none.
	adapters *adapters
	scratch  kernels.Memory
	squares  kernels.Tensor
	factor   kernels.Tensor
	updates  []kernels.AdamWUpdate // the updates of a step
	steps    int
	norm     [1]float64
}

// alignment is the alignment of moments in memory: their offsets are multiples of this many
// elements.
const alignment = 32

// alignUp rounds n up to a multiple of alignment.
func alignUp(n int) int { return (n + alignment - 1) / alignment * alignment }

// New returns an optimiser for the first step of a training.
func New(m *model.Model, o Options) *Optimiser {
	d := m.Device
	z := &Optimiser{options: o, model: m, scratch: d.Alloc(2 * alignment)}
	z.squares = kernels.Tensor{Rows: 1, Cols: 1, Memory: d.Slice(z.scratch, 0, 1)}
	z.factor = kernels.Tensor{Rows: 1, Cols: 1, Memory: d.Slice(z.scratch, alignment, 1)}
	if o.LoRA != nil {
		z.adapters = newAdapters(m, o)
	}
	n := 0
	for i, s := range m.Specs {
		z.rates = append(z.rates, o.rateOf(s))
		if z.isUpdated(i) {
			n += alignUp(s.Len())
		}
	}
	z.memory = d.Alloc(2 * n)
	z.first, z.second = make([]kernels.Tensor, len(m.Specs)), make([]kernels.Tensor, len(m.Specs))
	at := 0
	for i, s := range m.Specs {
		if z.isUpdated(i) {
			z.first[i] = kernels.Tensor{Rows: s.Rows, Cols: s.Cols, Memory: d.Slice(z.memory, at, s.Len())}
			z.second[i] = kernels.Tensor{Rows: s.Rows, Cols: s.Cols, Memory: d.Slice(z.memory, n+at, s.Len())}
			at += alignUp(s.Len())
		}
	}
	return z
}

// isUpdated reports whether parameter i of the model is updated itself, not through an adapter.
func (z *Optimiser) isUpdated(i int) bool {
	return z.model.Vars[i].NeedsGrad() && z.adapterOf(i) == nil
}

// rateOf returns the rate of a parameter.
func (o Options) rateOf(s model.Spec) Rate {
	rate := o.Rate
	if o.RateOf != nil {
		rate = o.RateOf(s)
	}
	if !s.Decay {
		rate.WeightDecay = 0
	}
	return rate
}

// NotFiniteError is the error of a step in which the norm of the gradients is not finite.
type NotFiniteError struct {
	// Parameter is the first parameter whose gradient is not finite.
	Parameter string
}

// Error implements error.
func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("the gradient of %s is not finite", e.Parameter)
}

// GradientNorm returns the norm of all gradients together, before they are clipped. For a matrix
// with an adapter, the gradients of the adapter count. If the norm is not finite, the error is a
// *NotFiniteError and Step should not be called.
func (z *Optimiser) GradientNorm() (float64, error) {
	d := z.model.Device
	if z.adapters == nil {
		d.SquareSum(z.squares, z.model.Gradients(), false)
	} else {
		z.adapters.computeGradients()
		d.SquareSum(z.squares, z.adapters.gradient, false)
		for i, v := range z.model.Vars {
			if z.isUpdated(i) {
				d.SquareSum(z.squares, v.Grad, true)
			}
		}
	}
	d.Read(z.norm[:], z.squares)
	norm := math.Sqrt(z.norm[0])
	if !math.IsNaN(norm) && !math.IsInf(norm, 0) {
		return norm, nil
	}
	for i, s := range z.model.Specs {
		if g := z.model.Vars[i].Grad; !g.IsNone() {
			d.SquareSum(z.squares, g, false)
			d.Read(z.norm[:], z.squares)
			if math.IsNaN(z.norm[0]) || math.IsInf(z.norm[0], 0) {
				return norm, &NotFiniteError{s.Name}
			}
		}
	}
	return norm, &NotFiniteError{"all parameters together"}
}

// Step updates the parameters by their gradients, and sets the gradients to 0. GradientNorm must be
// called before.
func (z *Optimiser) Step() {
	d := z.model.Device
	d.ClipFactor(z.factor, z.squares, z.options.ClipNorm)
	z.updates = z.updates[:0]
	update := func(p, g, first, second kernels.Tensor, r Rate) {
		z.updates = append(z.updates, kernels.AdamWUpdate{P: p, G: g, M: first, V: second, AdamW: kernels.AdamW{
			LearningRate: z.options.Schedule.At(z.steps, r.LearningRate, r.Warmup),
			Beta1:        z.options.Beta1, Beta2: z.options.Beta2, Epsilon: z.options.Epsilon,
			WeightDecay: r.WeightDecay, Step: z.steps + 1,
		}})
	}
	for i, v := range z.model.Vars {
		if a := z.adapterOf(i); a != nil {
			for k, r := range a.rates {
				update(a.values[k], a.gradients[k], a.first[k], a.second[k], r)
			}
		} else if v.NeedsGrad() {
			update(v.Value, v.Grad, z.first[i], z.second[i], z.rates[i])
		}
	}
	d.AdamW(z.updates, z.factor)
	if z.adapters != nil {
		z.adapters.mergeAll()
	}
	for _, scale := range []*kernels.Var{z.model.LogScale(), z.model.BindingScale()} {
		if scale.NeedsGrad() {
			d.Clamp(scale.Value, 0, math.Log(100))
		}
	}
	d.Zero(z.model.Gradients())
	z.steps++
}

// LearningRate returns the learning rate of the next step for parameters with the default Rate.
func (z *Optimiser) LearningRate() float64 {
	return z.options.Schedule.At(z.steps, z.options.Rate.LearningRate, z.options.Rate.Warmup)
}

// Steps returns the number of finished steps.
func (z *Optimiser) Steps() int { return z.steps }

// Moments returns the moments of parameter i of the model; none if it is frozen or has an adapter.
func (z *Optimiser) Moments(i int) (first, second kernels.Tensor) { return z.first[i], z.second[i] }

// SetSteps sets the number of finished steps of a resumed training. The caller also writes the
// moments.
func (z *Optimiser) SetSteps(steps int) { z.steps = steps }

// Free frees the memory of the optimiser.
func (z *Optimiser) Free() {
	z.model.Device.Free(z.memory)
	z.model.Device.Free(z.scratch)
	if z.adapters != nil {
		z.adapters.freeMemory()
	}
}
