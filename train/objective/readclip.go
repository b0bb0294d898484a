package objective

import "capgraph/kernels"

// READCLIP is the sentence-level alignment of READ-CLIP (Kwon et al. 2025, arXiv 2510.16540, §3.3,
// eq. 7): a text should be more similar to its own paraphrase than to paraphrases of other texts.
//
//	mean_k [LSE_l S(T_k, T'_l) − S(T_k, T'_k)]
//
// T_k are the texts of the batch that have a paraphrase T'_k, S is the similarity of two texts
// times τ, the learned scale. The texts are positives of captions; in the paper there is one for
// each whole caption. Pairs k and l of the same meaning are not compared. The paper's token-level
// reconstruction, which needs a language model, is left out.
type READCLIP struct {
	stateless
	texts, paraphrases textColumns
	ids, others        []int64
	mask               []byte // [pairs, pairs]
	pairs              int
}

// Name implements Objective.
func (*READCLIP) Name() string { return "readclip" }

// Prepare implements Objective.
func (c *READCLIP) Prepare(b *Batch) {
	c.texts.rows, c.paraphrases.rows, c.ids, c.others = c.texts.rows[:0], c.paraphrases.rows[:0], c.ids[:0], c.others[:0]
	for _, s := range b.Images[:b.N] {
		for _, p := range s.Paraphrases {
			c.texts.rows, c.ids = append(c.texts.rows, b.textRow(p[0].Text)), append(c.ids, p[0].ID)
			c.paraphrases.rows, c.others = append(c.paraphrases.rows, b.textRow(p[1].Text)), append(c.others, p[1].ID)
		}
	}
	c.pairs = len(c.ids)
	if c.pairs == 0 { // a similarity that is in no term, so that the loss is 0
		row := b.textRow(b.Images[0].Caption.Text)
		c.texts.rows, c.paraphrases.rows = append(c.texts.rows, row), append(c.paraphrases.rows, row)
		c.mask = append(c.mask[:0], kernels.MaskIgnored)
		return
	}
	c.mask = zeroMask(c.mask, c.pairs*c.pairs)
	for k := range c.pairs {
		row := c.mask[k*c.pairs : (k+1)*c.pairs]
		for l := range row {
			if c.ids[l] == c.ids[k] || c.others[l] == c.others[k] || c.ids[l] == c.others[k] || c.others[l] == c.ids[k] {
				row[l] = kernels.MaskIgnored
			}
		}
		row[k] = kernels.MaskPositive
	}
}

// Loss implements Objective.
func (c *READCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	s := t.Similarity(c.texts.features(t, e.Text), c.paraphrases.features(t, e.Text), e.LogScale)
	return t.Contrastive(s, t.Device.Bytes(c.mask), 0, 1/float64(max(c.pairs, 1)), 0)
}
