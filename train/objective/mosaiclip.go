package objective

import (
	"capgraph/kernels"
	"capgraph/train/loader"
)

// MosaiCLIP compares each image with many texts: the sub-graph texts drawn for all images, and their hard negatives
// (MosaiCLIP §3.5, eqs. 2 to 4, with means in place of sums). A positive of another image that is also true of this
// image is a positive of this image too. A negative that is true of an image is not in its denominator.
type MosaiCLIP struct {
	options   MosaiCLIPOptions
	columns   textColumns
	mask      []byte
	own       firstRows
	n, m      int
	positives columnIndex[int64]
	negatives columnIndex[int64]
	// stated and denied are the positives and the negatives of the batch with their parts.
	stated, denied statements
	cache          earlierTexts
	margins        margins
	weights        weights
}

// MosaiCLIPOptions are the options of MosaiCLIP. The zero value is the paper's fine-tuning.
type MosaiCLIPOptions struct {
	// Swap adds NegCLIP's negative of each caption, as in the paper's pre-training (App. H.1).
	Swap bool
	// TextCache is the number of texts of a batch: smaller batches are filled up with texts of earlier ones, as in the
	// paper's pre-training. If it is 0, none are.
	TextCache int
	// Compete is how the positives of an image compete. "" stands for Together.
	Compete Compete
	// Entailed says that a text is also true of an image if the image's captions state all its parts. Otherwise it is
	// true only if it equals one of the image's texts.
	Entailed bool
	// Margin is the largest margin of a hard negative, in logits. If it is above 0, positives are weighted by their
	// Confidence, which needs Together.
	Margin float64
}

// Compete is how the positives of an image compete.
type Compete string

// Together: all positives are in one softmax, as in the paper (kernels.Tape.Contrastive). Apart: each has a softmax of
// its own, with the negatives (PairContrastive). Sigmoid: there is no softmax; each pair of an image and a text is a
// classification of its own, with a learned bias (SigmoidContrastive).
const (
	Together Compete = "together"
	Apart    Compete = "apart"
	Sigmoid  Compete = "sigmoid"
)

// NewMosaiCLIP returns the objective.
func NewMosaiCLIP(o MosaiCLIPOptions) *MosaiCLIP {
	return &MosaiCLIP{options: o, cache: earlierTexts{size: o.TextCache}, margins: margins{most: o.Margin}}
}

// Name implements Objective.
func (*MosaiCLIP) Name() string { return "mosaiclip" }

// Prepare implements Objective.
func (c *MosaiCLIP) Prepare(b *Batch) {
	c.n = b.N
	c.columns.rows, c.weights.ofTexts = c.columns.rows[:0], c.weights.ofTexts[:0]
	c.positives.reset()
	c.negatives.reset()
	c.stated.reset()
	c.denied.reset()
	for i, s := range b.Images[:b.N] {
		for k, p := range s.Positives {
			c.positives.add(p.ID, len(c.columns.rows))
			if k > 0 { // the caption (k = 0) states more than its parts
				c.stated.add(len(c.columns.rows), i, p.Parts)
			}
			c.columns.rows = append(c.columns.rows, b.textRow(p.Text))
			c.cache.keepText(p.Text, p.ID)
			c.weights.ofTexts = append(c.weights.ofTexts, max(float64(p.Confidence), leastWeight))
		}
	}
	c.m = len(c.columns.rows)
	negative := func(text string, id int64) {
		c.negatives.add(id, len(c.columns.rows))
		c.columns.rows = append(c.columns.rows, b.textRow(text))
	}
	for i, s := range b.Images[:b.N] {
		for _, g := range s.Negatives {
			c.denied.add(len(c.columns.rows), i, g.Parts)
			negative(g.Text, g.ID)
			c.cache.keepText(g.Text, g.ID)
		}
		for _, g := range s.CaptionNegatives {
			if c.options.Swap {
				c.denied.add(len(c.columns.rows), i, g.Parts)
				negative(g.Text, g.ID)
				c.cache.keepText(g.Text, g.ID)
			}
		}
	}
	for _, old := range c.cache.latestTexts(len(c.columns.rows)) {
		negative(old.Text, old.ID)
	}
	all := len(c.columns.rows)
	c.mask = zeroMask(c.mask, c.n*all)
	c.margins.reset(c.n, all)
	c.setMargins(b.Images[:b.N])
	for i, s := range b.Images[:b.N] {
		row := c.mask[i*all : (i+1)*all]
		markKnown(&c.positives, row, s.Known, kernels.MaskPositive)
		markKnown(&c.negatives, row, s.Known, kernels.MaskIgnored)
		if c.options.Entailed {
			c.stated.markEntailed(row, i, s.KnownParts, kernels.MaskPositive)
			c.denied.markEntailed(row, i, s.KnownParts, kernels.MaskIgnored)
		}
	}
	if c.options.Margin > 0 {
		c.weights.prepare(c.mask, c.columns.rows, c.n, all)
	}
}

// leastWeight is the minimum weight of a positive, so that sums of weights are not 0.
const leastWeight = 0.01

// setMargins sets the margins of each image's negatives, in the order of their columns.
func (c *MosaiCLIP) setMargins(samples []*loader.Sample) {
	column := c.m
	for i, s := range samples {
		for _, g := range s.Negatives {
			c.margins.set(i, column, g.Margin)
			column++
		}
		if !c.options.Swap {
			continue
		}
		for _, g := range s.CaptionNegatives {
			c.margins.set(i, column, g.Margin)
			column++
		}
	}
}

// Loss implements Objective. The similarities of n images with m positives and r negatives are [n, m + r].
func (c *MosaiCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	images := c.own.takeRows(t, e.Image, c.n)
	plain := t.Similarity(images, c.columns.features(t, e.Text), e.LogScale)
	s := c.margins.add(t, plain)
	mask, ofImage, ofText := t.Device.Bytes(c.mask), 0.5/float64(c.n), 0.5/float64(c.m)
	switch {
	case c.options.Margin > 0:
		return c.weights.weightedContrast(t, plain, s, images, e.Text, e.LogScale, mask)
	case c.options.Compete == Apart:
		return t.PairContrastive(s, mask, c.m, ofImage, ofText)
	case c.options.Compete == Sigmoid:
		return t.SigmoidContrastive(s, e.LogitBias, mask, 1/float64(c.n))
	default:
		return t.Contrastive(s, mask, c.m, ofImage, ofText)
	}
}

// Metrics implements Objective: there is only the loss.
func (*MosaiCLIP) Metrics() []Metric { return nil }

// AfterStep implements Objective.
func (c *MosaiCLIP) AfterStep(kernels.Device) { c.cache.commit() }

// State implements Objective.
func (c *MosaiCLIP) State() State { return c.cache.state() }

// Restore implements Objective.
func (c *MosaiCLIP) Restore(s State) error { return c.cache.restore(s) }
