package objective

import "capgraph/kernels"

// MosaiCLIP compares each image with many texts: the sub-graph texts drawn of all
// images, and their hard negatives (MosaiCLIP §3.5, eqs. 2 to 4, with means in
// place of sums). A positive of another image that is true of an image as well
// counts as one of its own, and a negative that is true of it leaves its
// denominator.
type MosaiCLIP struct {
	texts     columns
	mask      []byte
	own       first
	n, m      int
	positives truths
	negatives truths
	swap      bool
	cache     cache
}

// NewMosaiCLIP returns the objective. swap adds NegCLIP's negative of each
// caption, textCache is the number of texts that each batch is filled up to with
// those of earlier ones, 0 for none: both as in pre-training (App. H.1).
func NewMosaiCLIP(swap bool, textCache int) *MosaiCLIP {
	return &MosaiCLIP{swap: swap, cache: cache{size: textCache}}
}

// Name implements Objective.
func (*MosaiCLIP) Name() string { return "mosaiclip" }

// Lay implements Objective.
func (c *MosaiCLIP) Lay(b *Batch) {
	c.n = b.N
	c.texts.rows = c.texts.rows[:0]
	c.positives.begin()
	c.negatives.begin()
	for _, s := range b.Images[:b.N] {
		for _, p := range s.Positives {
			c.positives.add(p.ID, len(c.texts.rows))
			c.texts.rows = append(c.texts.rows, b.place(p.Text))
			c.cache.keep(p.Text, p.ID)
		}
	}
	c.m = len(c.texts.rows)
	negative := func(text string, id int64) {
		c.negatives.add(id, len(c.texts.rows))
		c.texts.rows = append(c.texts.rows, b.place(text))
	}
	for _, s := range b.Images[:b.N] {
		for _, g := range s.Negatives {
			negative(g.Text, g.ID)
			c.cache.keep(g.Text, g.ID)
		}
		for _, g := range s.CaptionNegatives {
			if c.swap {
				negative(g.Text, g.ID)
				c.cache.keep(g.Text, g.ID)
			}
		}
	}
	for _, old := range c.cache.fill(len(c.texts.rows)) {
		negative(old.Text, old.ID)
	}
	all := len(c.texts.rows)
	c.mask = resize(c.mask, c.n*all)
	for i, s := range b.Images[:b.N] {
		row := c.mask[i*all : (i+1)*all]
		c.positives.mark(row, s.Known, kernels.MaskPositive)
		c.negatives.mark(row, s.Known, kernels.MaskIgnored)
	}
}

// Loss implements Objective.
func (c *MosaiCLIP) Loss(t *kernels.Tape, e Encoded) *kernels.Var {
	s := t.Similarity(c.own.of(t, e.Image, c.n), c.texts.features(t, e.Text), e.LogScale)
	return t.Contrastive(s, t.Device.Bytes(c.mask), c.m, 0.5/float64(c.n), 0.5/float64(c.m))
}

// Terms implements Objective: the loss is all there is.
func (*MosaiCLIP) Terms() []Term { return nil }

// Learned implements Objective.
func (c *MosaiCLIP) Learned(kernels.Device) { c.cache.learned() }

// State implements Objective.
func (c *MosaiCLIP) State() State { return c.cache.state() }

// Restore implements Objective.
func (c *MosaiCLIP) Restore(s State) error { return c.cache.restore(s) }
