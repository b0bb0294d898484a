package objective

import (
	"fmt"

	"capgraph/kernels"
)

// CEOptions are the settings of CE-CLIP.
type CEOptions struct {
	// IMC and CMR are α and β of eq. 8: the weights of the intra-modal contrast and of
	// the cross-modal rank loss.
	IMC, CMR float64
	// Most is u, the upper bound of the thresholds, in logits.
	Most float64
	// Anchored sets another caption of the image against the negatives in the
	// intra-modal contrast (ours); without it the contrast is eq. 3 as printed.
	Anchored bool
	// Relation adds the paper's −S(T, T_rel) to the cross-modal rank loss.
	Relation bool
}

// kinds are CE-CLIP's kinds of negatives; relation, the first, swaps two nouns.
const kinds = 4

const relationKind = 0

// CECLIP is the loss of CE-CLIP (§3.2, eq. 8): images choose among captions and
// the hard negatives of the batch; captions are set against their own negatives;
// a negative has to be less similar to its image than the caption is, by a
// threshold for its kind that follows the training.
type CECLIP struct {
	options    CEOptions
	thresholds [kinds]float64

	texts      columns
	mask       []byte
	own        first
	n          int
	rows, kind []int32 // of each negative: its image and its kind
	negatives  []int32 // its column
	contrast   contrast
	relation   contrast
	threshold  [kinds]float64
	gap        kernels.Tensor
	gaps       []float64
	terms      []Term
}

// contrast are pairs of texts, in segments, whose similarities are taken together.
type contrast struct {
	a, b           []int32 // rows of the batch's texts
	starts         []int32
	groupA, groupB kernels.Grouper
	segments       int // that are not empty
}

// NewCECLIP returns the objective.
func NewCECLIP(o CEOptions) *CECLIP { return &CECLIP{options: o} }

// Name implements Objective.
func (*CECLIP) Name() string { return "ceclip" }

// Lay implements Objective.
func (c *CECLIP) Lay(b *Batch) {
	c.n = b.N
	c.texts.rows, c.rows, c.kind, c.negatives = c.texts.rows[:0], c.rows[:0], c.kind[:0], c.negatives[:0]
	c.contrast.begin()
	c.relation.begin()
	for _, s := range b.Images[:b.N] {
		c.texts.rows = append(c.texts.rows, b.place(s.Caption.Text))
	}
	for i, s := range b.Images[:b.N] {
		own := c.texts.rows[i]
		contrasted := len(s.CaptionNegatives) > 0 && (!c.options.Anchored || s.Sibling.Text != "")
		if contrasted && c.options.Anchored {
			c.contrast.add(own, b.place(s.Sibling.Text))
		}
		for _, g := range s.CaptionNegatives {
			c.rows, c.kind = append(c.rows, int32(i)), append(c.kind, int32(g.Class))
			c.negatives = append(c.negatives, int32(len(c.texts.rows)))
			place := b.place(g.Text)
			c.texts.rows = append(c.texts.rows, place)
			if contrasted {
				c.contrast.add(own, place)
			}
			if g.Class == relationKind {
				c.relation.add(own, place)
				c.relation.end()
			}
		}
		c.contrast.end()
	}
	m := len(c.texts.rows)
	c.mask = resize(c.mask, c.n*m)
	for i := range c.n {
		c.mask[i*m+i] = kernels.MaskPositive
	}
}

// Loss implements Objective.
func (c *CECLIP) Loss(t *kernels.Tape, e Encoded) *kernels.Var {
	d := t.Device
	s := t.Similarity(c.own.of(t, e.Image, c.n), c.texts.features(t, e.Text), e.LogScale)
	weight := 0.5 / float64(c.n)
	itc := t.Contrastive(s, d.Bytes(c.mask), c.n, weight, weight)
	c.gap = kernels.Tensor{}
	c.terms = append(c.terms[:0], Term{"ceclip/itc", itc.Value})
	terms := append(make([]*kernels.Var, 0, 4), itc)
	weights := append(make([]float64, 0, 4), 1)
	if c.contrast.segments > 0 {
		imc := c.contrast.loss(t, e.Text, e.LogScale, 1, c.options.Anchored)
		c.terms = append(c.terms, Term{"ceclip/imc", imc.Value})
		terms, weights = append(terms, imc), append(weights, c.options.IMC)
	}
	if r := len(c.negatives); r > 0 {
		thresholds := t.Arena.Tensor(1, kinds)
		c.threshold = c.thresholds
		d.Write(thresholds, c.threshold[:])
		positives := d.Ints(c.rows) // the caption of image i is column i
		cmr, gap := t.Hinge(s, thresholds, d.Ints(c.rows), positives, d.Ints(c.negatives), d.Ints(c.kind), 1/float64(r))
		c.gap = gap
		c.terms = append(c.terms, Term{"ceclip/cmr", cmr.Value})
		terms, weights = append(terms, cmr), append(weights, c.options.CMR)
	}
	if c.options.Relation && c.relation.segments > 0 {
		// A segment of one pair is that pair's similarity.
		relation := c.relation.loss(t, e.Text, e.LogScale, -1, false)
		c.terms = append(c.terms, Term{"ceclip/relation", relation.Value})
		terms, weights = append(terms, relation), append(weights, c.options.CMR)
	}
	return t.Sum(terms, weights)
}

// Terms implements Objective.
func (c *CECLIP) Terms() []Term { return c.terms }

// Learned moves each threshold to the mean gap between captions and negatives of
// its kind in this step, between 0 and the bound (eqs. 5 and 7); where there was
// none, it stays.
func (c *CECLIP) Learned(d kernels.Device) {
	if c.gap.IsNone() {
		return
	}
	c.gaps = append(c.gaps[:0], make([]float64, c.gap.Len())...)
	d.Read(c.gaps, c.gap)
	var sum, count [kinds]float64
	for p, k := range c.kind {
		sum[k] -= c.gaps[p]
		count[k]++
	}
	for k := range kinds {
		if count[k] > 0 {
			c.thresholds[k] = min(max(sum[k]/count[k], 0), c.options.Most)
		}
	}
}

// State implements Objective.
func (c *CECLIP) State() State {
	return State{Thresholds: append([]float64(nil), c.thresholds[:]...)}
}

// Restore implements Objective.
func (c *CECLIP) Restore(s State) error {
	if len(s.Thresholds) != kinds {
		return fmt.Errorf("a checkpoint has %d thresholds of CE-CLIP, not %d", len(s.Thresholds), kinds)
	}
	copy(c.thresholds[:], s.Thresholds)
	return nil
}

func (c *contrast) begin() {
	c.a, c.b, c.starts, c.segments = c.a[:0], c.b[:0], append(c.starts[:0], 0), 0
}

func (c *contrast) add(a, b int32) { c.a, c.b = append(c.a, a), append(c.b, b) }

func (c *contrast) end() {
	if n := int32(len(c.a)); n > c.starts[len(c.starts)-1] {
		c.starts = append(c.starts, n)
		c.segments++
	}
}

// loss is sign times the mean over segments of the log-sum-exps of the similarities.
func (c *contrast) loss(t *kernels.Tape, text, logScale *kernels.Var, sign float64, anchored bool) *kernels.Var {
	a, b := gather(t, text, c.a, &c.groupA), gather(t, text, c.b, &c.groupB)
	return t.SegmentLSE(t.RowDot(a, b, logScale), t.Device.Ints(c.starts), sign/float64(c.segments), anchored)
}
