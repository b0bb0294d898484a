package objective

import "capgraph/kernels"

// FSCOptions are the settings of FSC-CLIP.
type FSCOptions struct {
	// Global and Local are the weights of the terms. If Local is 0, no features of patches are needed.
	Global, Local float64
	// Focal and Smoothing are γ and ε of the focal loss.
	Focal, Smoothing float64
	// Margin is the largest margin of a hard negative, in logits.
	Margin float64
}

// FSCCLIP is the hard-negative losses of FSC-CLIP (Oh et al. 2024, arXiv 2410.05210), beside clip. Each
// image chooses between its caption and the K−1 hard negatives of its caption, by a focal loss with label
// smoothing:
//
//	mean_i Σ_k y_k · (1 − p_ik)^γ · (−log p_ik),  y_k = 1 − ε + ε/K of the caption, ε/K of the others
//
// i are the images whose caption has a negative. p_i is the softmax of the similarities of image i with its texts: in
// the global term those of whole images and texts, in the local term
//
//	L_ik = log Σ_t exp(τ · cos(v_t, Σ_p a_tp·x_ip)),  a_tp ∝ v_t·x_ip − min_p v_t·x_ip
//
// where t are the tokens of text k except the start mark, v_t their features, x_ip the patches of image i, and τ is the
// learned scale of similarities. a_t sums to 1 and is a constant for the gradient.
//
// This follows the authors' repository, ytaek-oh/fsc-clip, except that there each missing negative is in the softmax
// with the logit 0.
type FSCCLIP struct {
	stateless
	options FSCOptions
	n       int
	margins []float64   // for each pair, in logits
	images  textColumns // for each pair, the row of its image
	texts   textColumns
	starts  []int32 // the first pair of each image, which is its caption
	metrics []Metric

	blocks      patchBlocks
	tokens      textColumns // rows of tokens, one text after another
	tokenStarts []int32
}

// NewFSCCLIP returns the objective.
func NewFSCCLIP(o FSCOptions) *FSCCLIP { return &FSCCLIP{options: o} }

// Name implements Objective.
func (*FSCCLIP) Name() string { return "fscclip" }

// ReadsPatches implements PatchReader.
func (c *FSCCLIP) ReadsPatches() bool { return c.options.Local > 0 }

// ReadsTokens implements PatchReader.
func (c *FSCCLIP) ReadsTokens() bool { return c.options.Local > 0 }

// Prepare implements Objective.
func (c *FSCCLIP) Prepare(b *Batch) {
	c.n = b.N
	c.images.rows, c.texts.rows, c.margins, c.starts = c.images.rows[:0], c.texts.rows[:0], c.margins[:0], append(c.starts[:0], 0)
	for i, s := range b.Images[:b.N] {
		if len(s.CaptionNegatives) == 0 {
			continue
		}
		c.addPair(b, i, s.Caption.Text, 0)
		for _, g := range s.CaptionNegatives {
			c.addPair(b, i, g.Text, g.Margin)
		}
		c.starts = append(c.starts, int32(len(c.texts.rows)))
	}
	if len(c.texts.rows) == 0 { // a caption without negatives, so that the loss is 0
		c.addPair(b, 0, b.Images[0].Caption.Text, 0)
		c.starts = append(c.starts, 1)
	}
}

// addPair adds a pair of an image and a text, whose margin is a share of the largest one.
func (c *FSCCLIP) addPair(b *Batch, image int, text string, share float32) {
	c.margins = append(c.margins, c.options.Margin*float64(share))
	c.images.rows, c.texts.rows = append(c.images.rows, int32(image)), append(c.texts.rows, b.textRow(text))
}

// Loss implements Objective. The similarities are [1, pairs].
func (c *FSCCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	starts := t.Device.Ints(c.starts)
	choose := func(s *kernels.Var) *kernels.Var {
		if c.options.Margin > 0 {
			s = t.Sum([]*kernels.Var{s, constant(t, 1, len(c.margins), c.margins)}, []float64{1, 1})
		}
		return t.SegmentFocal(s, starts, 1/float64(len(c.starts)-1), c.options.Focal, c.options.Smoothing)
	}
	global := choose(t.RowDot(c.images.features(t, e.Image), c.texts.features(t, e.Text), e.LogScale))
	c.metrics = append(c.metrics[:0], Metric{"fscclip/global", global.Value})
	if c.options.Local == 0 {
		return t.Sum([]*kernels.Var{global}, []float64{c.options.Global})
	}
	local := choose(c.localSimilarities(t, e))
	c.metrics = append(c.metrics, Metric{"fscclip/local", local.Value})
	return t.Sum([]*kernels.Var{global, local}, []float64{c.options.Global, c.options.Local})
}

// localSimilarities returns L_ik for each pair of an image and a text, [1, pairs].
func (c *FSCCLIP) localSimilarities(t *kernels.Tape, e Features) *kernels.Var {
	c.tokens.rows, c.tokenStarts = c.tokens.rows[:0], append(c.tokenStarts[:0], 0)
	c.blocks.removeImages()
	pair := 0
	for i := range c.n {
		first := len(c.tokens.rows)
		for ; pair < len(c.images.rows) && int(c.images.rows[pair]) == i; pair++ {
			text := c.texts.rows[pair]
			for k := e.TokenStarts[text] + 1; k < e.TokenStarts[text+1]; k++ {
				c.tokens.rows = append(c.tokens.rows, int32(k))
			}
			c.tokenStarts = append(c.tokenStarts, int32(len(c.tokens.rows)))
		}
		c.blocks.addImage(first, len(c.tokens.rows)-first)
	}
	tokens := t.Normalize(c.tokens.features(t, e.Tokens))
	s := c.blocks.compareTexts(t, tokens, e.Patches, e.patchCount(), kernels.MinMaxWeights, e.LogScale)
	return t.SegmentLSE(s, t.Device.Ints(c.tokenStarts))
}

// Metrics implements Objective.
func (c *FSCCLIP) Metrics() []Metric { return c.metrics }
