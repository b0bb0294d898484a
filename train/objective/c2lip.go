package objective

import "capgraph/kernels"

// C2LIP is the noun phrase losses of C2LIP (CVPR 2026, arXiv 2603.25722), beside clip or siglip. Phrases are the
// positives of an image except its caption. Each pair of an image and a phrase is a classification of its own, by a
// sigmoid with a learned bias b:
//
//	L_npc = 1/m · Σ_ij softplus(−z_ij·(S_ij + b)),  z = 1 if phrase j is true of image i, otherwise −1
//
// for the n images and m phrases of the batch. There are no hard negatives. L_xac is the same, but image i is replaced
// by the mean of its patches x_ip, Σ_p a_p·x_ip scaled to length 1. The patches have length 1, and a is the softmax of
// their cosines with the phrase. The loss is L_npc + attention·L_xac.
//
// The sum, its mean over phrases and the softmax without a temperature are as in the authors' repository,
// SamsungLabs/concept_centric_clip. There a phrase is positive for its own image alone; here for each image of which it
// is known to be true.
type C2LIP struct {
	stateless
	attention float64 // weight of L_xac
	columns   textColumns
	ids       columnIndex[int64]
	mask      []byte // [n, m]
	own       firstRows
	n, m      int
	blocks    patchBlocks
	metrics   []Metric
}

// NewC2LIP returns the objective. attention is the weight of L_xac; if it is 0, no features of patches are needed.
func NewC2LIP(attention float64) *C2LIP { return &C2LIP{attention: attention} }

// ReadsPatches implements PatchReader.
func (c *C2LIP) ReadsPatches() bool { return c.attention > 0 }

// ReadsTokens implements PatchReader.
func (*C2LIP) ReadsTokens() bool { return false }

// Name implements Objective.
func (*C2LIP) Name() string { return "c2lip" }

// Prepare implements Objective.
func (c *C2LIP) Prepare(b *Batch) {
	c.n, c.columns.rows = b.N, c.columns.rows[:0]
	c.ids.reset()
	for _, s := range b.Images[:b.N] {
		for k := 1; k < len(s.Positives); k++ {
			c.ids.add(s.Positives[k].ID, len(c.columns.rows))
			c.columns.rows = append(c.columns.rows, b.textRow(s.Positives[k].Text))
		}
	}
	c.m = len(c.columns.rows)
	if c.m == 0 { // a column that is in no term, so that the loss is 0
		c.columns.rows = append(c.columns.rows, b.textRow(b.Images[0].Caption.Text))
	}
	columns := len(c.columns.rows)
	c.mask = zeroMask(c.mask, c.n*columns)
	for i, s := range b.Images[:b.N] {
		row := c.mask[i*columns : (i+1)*columns]
		if c.m == 0 {
			row[0] = kernels.MaskIgnored
		}
		markKnown(&c.ids, row, s.Known, kernels.MaskPositive)
	}
	c.blocks.removeImages()
	for range c.n {
		c.blocks.addImage(0, columns)
	}
}

// Loss implements Objective. The similarities are [n, m].
func (c *C2LIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	phrases, mask, weight := c.columns.features(t, e.Text), t.Device.Bytes(c.mask), 1/float64(max(c.m, 1))
	whole := t.SigmoidContrastive(t.Similarity(c.own.takeRows(t, e.Image, c.n), phrases, e.LogScale), e.LogitBias, mask, weight)
	c.metrics = c.metrics[:0]
	if c.attention == 0 {
		return whole
	}
	s := c.blocks.compareTexts(t, phrases, t.Normalize(e.Patches), e.patchCount(), kernels.SoftmaxWeights, e.LogScale)
	attended := t.SigmoidContrastive(t.Reshape(s, phrases.Value.Rows), e.LogitBias, mask, weight)
	c.metrics = append(c.metrics, Metric{"c2lip/npc", whole.Value}, Metric{"c2lip/xac", attended.Value})
	return t.Sum([]*kernels.Var{whole, attended}, []float64{1, c.attention})
}

// Metrics implements Objective.
func (c *C2LIP) Metrics() []Metric { return c.metrics }
