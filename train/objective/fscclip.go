package objective

import "capgraph/kernels"

// FSCOptions are the settings of FSC-CLIP.
type FSCOptions struct {
	// Global is the weight of the global term.
	Global float64
	// Focal and Smoothing are γ and ε of the focal loss.
	Focal, Smoothing float64
}

// FSCCLIP is the hard-negative loss of FSC-CLIP (Oh et al. 2024, arXiv 2410.05210), beside clip. Each
// image chooses between its caption and the K−1 hard negatives of its caption, by a focal loss with label
// smoothing:
//
//	mean_i Σ_k y_k · (1 − p_ik)^γ · (−log p_ik),  y_k = 1 − ε + ε/K of the caption, ε/K of the others
//
// i are the images whose caption has a negative, p_i is the softmax of their similarities. This follows
// the authors' repository, ytaek-oh/fsc-clip, but for missing negatives: there each is in the softmax
// with the logit 0.
type FSCCLIP struct {
	stateless
	options FSCOptions
	images  textColumns // of each pair, the row of its image
	texts   textColumns
	starts  []int32 // of the pairs of each image, the caption first
	metrics []Metric
}

// NewFSCCLIP returns the objective.
func NewFSCCLIP(o FSCOptions) *FSCCLIP { return &FSCCLIP{options: o} }

// Name implements Objective.
func (*FSCCLIP) Name() string { return "fscclip" }

// Prepare implements Objective.
func (c *FSCCLIP) Prepare(b *Batch) {
	c.images.rows, c.texts.rows, c.starts = c.images.rows[:0], c.texts.rows[:0], append(c.starts[:0], 0)
	for i, s := range b.Images[:b.N] {
		if len(s.CaptionNegatives) == 0 {
			continue
		}
		c.addPair(b, i, s.Caption.Text)
		for _, g := range s.CaptionNegatives {
			c.addPair(b, i, g.Text)
		}
		c.starts = append(c.starts, int32(len(c.texts.rows)))
	}
	if len(c.texts.rows) == 0 { // a caption without negatives, so that there is a loss of 0
		c.addPair(b, 0, b.Images[0].Caption.Text)
		c.starts = append(c.starts, 1)
	}
}

// addPair adds an image with a text.
func (c *FSCCLIP) addPair(b *Batch, image int, text string) {
	c.images.rows, c.texts.rows = append(c.images.rows, int32(image)), append(c.texts.rows, b.textRow(text))
}

// Loss implements Objective. The similarities are [1, pairs].
func (c *FSCCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	s := t.RowDot(c.images.features(t, e.Image), c.texts.features(t, e.Text), e.LogScale)
	global := t.SegmentFocal(s, t.Device.Ints(c.starts), 1/float64(len(c.starts)-1), c.options.Focal, c.options.Smoothing)
	c.metrics = append(c.metrics[:0], Metric{"fscclip/global", global.Value})
	return t.Sum([]*kernels.Var{global}, []float64{c.options.Global})
}

// Metrics implements Objective.
func (c *FSCCLIP) Metrics() []Metric { return c.metrics }
