package objective

import "capgraph/kernels"

// CLIP is symmetric InfoNCE over the images of a batch and their captions
// (Radford et al. 2021; MosaiCLIP App. A).
type CLIP struct {
	stateless
	texts columns
	mask  []byte
	own   first
	n     int
}

// Name implements Objective.
func (*CLIP) Name() string { return "clip" }

// Lay implements Objective.
func (c *CLIP) Lay(b *Batch) {
	c.n, c.texts.rows = b.N, c.texts.rows[:0]
	for _, s := range b.Images[:b.N] {
		c.texts.rows = append(c.texts.rows, b.place(s.Caption.Text))
	}
	c.mask = resize(c.mask, c.n*c.n)
	for i := range c.n {
		c.mask[i*c.n+i] = kernels.MaskPositive
	}
}

// Loss implements Objective.
func (c *CLIP) Loss(t *kernels.Tape, e Encoded) *kernels.Var {
	s := t.Similarity(c.own.of(t, e.Image, c.n), c.texts.features(t, e.Text), e.LogScale)
	weight := 0.5 / float64(c.n)
	return t.Contrastive(s, t.Device.Bytes(c.mask), c.n, weight, weight)
}

// stateless are objectives that keep nothing from step to step.
type stateless struct{}

// Terms implements Objective: the loss is all there is.
func (stateless) Terms() []Term { return nil }

// Learned implements Objective.
func (stateless) Learned(kernels.Device) {}

// State implements Objective.
func (stateless) State() State { return State{} }

// Restore implements Objective.
func (stateless) Restore(State) error { return nil }
