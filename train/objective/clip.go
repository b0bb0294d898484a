package objective

import "capgraph/kernels"

// CLIP is symmetric InfoNCE over the images of a batch and their captions (Radford et al. 2021;
// MosaiCLIP App. A).
type CLIP struct {
	stateless
	captions
}

// Name implements Objective.
func (*CLIP) Name() string { return "clip" }

// Loss implements Objective.
func (c *CLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	weight := 0.5 / float64(c.n)
	return t.Contrastive(c.similarities(t, e), t.Device.Bytes(c.mask), c.n, weight, weight)
}

// captions are the captions of a batch. Each is the only positive of its image.
type captions struct {
	columns textColumns
	mask    []byte // [n, n]
	own     firstRows
	n       int
}

// Prepare implements Objective.
func (c *captions) Prepare(b *Batch) {
	c.n, c.columns.rows = b.N, c.columns.rows[:0]
	for _, s := range b.Images[:b.N] {
		c.columns.rows = append(c.columns.rows, b.textRow(s.Caption.Text))
	}
	c.mask = zeroMask(c.mask, c.n*c.n)
	for i := range c.n {
		c.mask[i*c.n+i] = kernels.MaskPositive
	}
}

// similarities returns the similarities of images and captions, [n, n].
func (c *captions) similarities(t *kernels.Tape, e Features) *kernels.Var {
	return t.Similarity(c.own.takeRows(t, e.Image, c.n), c.columns.features(t, e.Text), e.LogScale)
}

// stateless is embedded in objectives that keep nothing between steps and have no components.
type stateless struct{}

// Metrics implements Objective: there is only the loss.
func (stateless) Metrics() []Metric { return nil }

// AfterStep implements Objective.
func (stateless) AfterStep(kernels.Device) {}

// State implements Objective.
func (stateless) State() State { return State{} }

// Restore implements Objective.
func (stateless) Restore(State) error { return nil }
