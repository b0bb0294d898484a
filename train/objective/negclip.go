package objective

import "capgraph/kernels"

// NegCLIP is InfoNCE over images and hard-negative images, captions and a hard
// negative of each: images choose among all texts, captions among images
// (Yuksekgonul et al. 2023, §4). Beside CE-CLIP it has that one's negatives.
type NegCLIP struct {
	texts columns
	mask  []byte
	n     int
	old   truths // the texts of earlier batches
	cache cache
}

// NewNegCLIP returns the objective. textCache is the number of texts that each
// batch is filled up to with those of earlier ones; 0 for none.
func NewNegCLIP(textCache int) *NegCLIP { return &NegCLIP{cache: cache{size: textCache}} }

// Name implements Objective.
func (*NegCLIP) Name() string { return "negclip" }

// Lay implements Objective.
func (c *NegCLIP) Lay(b *Batch) {
	c.n, c.texts.rows = len(b.Images), c.texts.rows[:0]
	c.old.begin()
	for _, s := range b.Images {
		c.texts.rows = append(c.texts.rows, b.place(s.Caption.Text))
		c.cache.keep(s.Caption.Text, s.Caption.ID)
	}
	for _, s := range b.Images {
		for _, g := range s.CaptionNegatives {
			c.texts.rows = append(c.texts.rows, b.place(g.Text))
			c.cache.keep(g.Text, g.ID)
		}
	}
	for _, old := range c.cache.fill(len(c.texts.rows)) {
		c.old.add(old.ID, len(c.texts.rows))
		c.texts.rows = append(c.texts.rows, b.place(old.Text))
	}
	m := len(c.texts.rows)
	c.mask = resize(c.mask, c.n*m)
	for i, s := range b.Images {
		c.mask[i*m+i] = kernels.MaskPositive
		c.old.mark(c.mask[i*m:(i+1)*m], s.Known, kernels.MaskIgnored)
	}
}

// Loss implements Objective.
func (c *NegCLIP) Loss(t *kernels.Tape, e Encoded) *kernels.Var {
	s := t.Similarity(e.Image, c.texts.features(t, e.Text), e.LogScale)
	weight := 0.5 / float64(c.n)
	return t.Contrastive(s, t.Device.Bytes(c.mask), c.n, weight, weight)
}

// Terms implements Objective: the loss is all there is.
func (*NegCLIP) Terms() []Term { return nil }

// Learned implements Objective.
func (c *NegCLIP) Learned(kernels.Device) { c.cache.learned() }

// State implements Objective.
func (c *NegCLIP) State() State { return c.cache.state() }

// Restore implements Objective.
func (c *NegCLIP) Restore(s State) error { return c.cache.restore(s) }
