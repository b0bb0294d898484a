package objective

import "capgraph/kernels"

// NegCLIP is InfoNCE over images with hard-negative images, and captions with a hard negative of each (Yuksekgonul et
// al. 2023, §4). Images are contrasted with all texts, captions with all images. If CE-CLIP is also an objective, the
// negatives are CE-CLIP's.
type NegCLIP struct {
	columns textColumns
	mask    []byte
	n       int
	old     columnIndex[int64] // columns of texts of earlier batches
	cache   earlierTexts
	margins margins
}

// NewNegCLIP returns the objective. textCache is the number of texts of a batch: smaller batches are filled up with
// texts of earlier ones. If it is 0, none are. margin is the largest margin of a hard negative, in logits.
func NewNegCLIP(textCache int, margin float64) *NegCLIP {
	return &NegCLIP{cache: earlierTexts{size: textCache}, margins: margins{most: margin}}
}

// Name implements Objective.
func (*NegCLIP) Name() string { return "negclip" }

// Prepare implements Objective.
func (c *NegCLIP) Prepare(b *Batch) {
	c.n, c.columns.rows = len(b.Images), c.columns.rows[:0]
	c.old.reset()
	for _, s := range b.Images {
		c.columns.rows = append(c.columns.rows, b.textRow(s.Caption.Text))
		c.cache.keepText(s.Caption.Text, s.Caption.ID)
	}
	for _, s := range b.Images {
		for _, g := range s.CaptionNegatives {
			c.columns.rows = append(c.columns.rows, b.textRow(g.Text))
			c.cache.keepText(g.Text, g.ID)
		}
	}
	for _, old := range c.cache.latestTexts(len(c.columns.rows)) {
		c.old.add(old.ID, len(c.columns.rows))
		c.columns.rows = append(c.columns.rows, b.textRow(old.Text))
	}
	m := len(c.columns.rows)
	c.mask = zeroMask(c.mask, c.n*m)
	c.margins.reset(c.n, m)
	column := c.n
	for i, s := range b.Images {
		for _, g := range s.CaptionNegatives {
			c.margins.set(i, column, g.Margin)
			column++
		}
		c.mask[i*m+i] = kernels.MaskPositive
		markKnown(&c.old, c.mask[i*m:(i+1)*m], s.Known, kernels.MaskIgnored)
	}
}

// Loss implements Objective.
func (c *NegCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	s := t.Similarity(e.Image, c.columns.features(t, e.Text), e.LogScale)
	weight := 0.5 / float64(c.n)
	return t.Contrastive(c.margins.add(t, s), t.Device.Bytes(c.mask), c.n, weight, weight)
}

// Metrics implements Objective: there is only the loss.
func (*NegCLIP) Metrics() []Metric { return nil }

// AfterStep implements Objective.
func (c *NegCLIP) AfterStep(kernels.Device) { c.cache.commit() }

// State implements Objective.
func (c *NegCLIP) State() State { return c.cache.state() }

// Restore implements Objective.
func (c *NegCLIP) Restore(s State) error { return c.cache.restore(s) }
