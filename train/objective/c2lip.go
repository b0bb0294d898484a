package objective

import "capgraph/kernels"

// C2LIP is the noun phrase loss of C2LIP (CVPR 2026, arXiv 2603.25722, L_npc), beside clip or siglip.
// Phrases are the positives of an image but its caption. Each image and phrase is judged by itself, by
// a sigmoid with a learned bias b:
//
//	1/m · Σ_ij softplus(−z_ij·(S_ij + b)),  z = 1 if phrase j is true of image i, otherwise −1
//
// of n images with the m phrases of the batch. There are no hard negatives. The sum and its mean over
// phrases are those of the authors' repository, SamsungLabs/concept_centric_clip. There a phrase is
// true of its own image alone; here it is of each image of which it is known. L_xac, the same loss of
// patches that phrases attend to, is left out.
type C2LIP struct {
	stateless
	columns textColumns
	ids     columnsBy[int64]
	mask    []byte // [n, m]
	own     firstRows
	n, m    int
}

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
	if c.m == 0 { // a column in no term, so that there is a loss of 0
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
}

// Loss implements Objective. The similarities are [n, m].
func (c *C2LIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	s := t.Similarity(c.own.take(t, e.Image, c.n), c.columns.features(t, e.Text), e.LogScale)
	return t.SigmoidContrastive(s, e.LogitBias, t.Device.Bytes(c.mask), 1/float64(max(c.m, 1)))
}
