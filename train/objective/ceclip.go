package objective

import (
	"fmt"

	"capgraph/kernels"
)

// CEOptions are the settings of CE-CLIP.
type CEOptions struct {
	// IMC and CMR are α and β of eq. 8: the weights of the intra-modal contrast and of the
	// cross-modal rank loss.
	IMC, CMR float64
	// Most is the paper's u: the upper bound of the thresholds, in logits.
	Most float64
	// Anchored makes another caption of the image the positive of the intra-modal contrast, which
	// is not in the paper. Otherwise the contrast is eq. 3 as printed, without a positive.
	Anchored bool
	// Relation adds the paper's −S(T, T_rel) to the cross-modal rank loss.
	Relation bool
}

// negativeKinds is the number of CE-CLIP's kinds of negatives; relationKind, the first, swaps two
// nouns.
const negativeKinds = 4

const relationKind = 0

// CECLIP is the loss of CE-CLIP (§3.2, eq. 8). Images are contrasted with all captions and hard
// negatives of the batch, and captions with their own negatives. A negative must be less similar to
// its image than the caption is, by a threshold for its kind that adapts during training.
type CECLIP struct {
	options    CEOptions
	thresholds [negativeKinds]float64

	columns    textColumns
	mask       []byte
	own        firstRows
	n          int
	rows, kind []int32 // for each negative, its image and its kind
	negatives  []int32 // for each negative, its column
	contrast   pairSegments
	relation   pairSegments
	threshold  [negativeKinds]float64
	gap        kernels.Tensor
	gaps       []float64
	metrics    []Metric
}

// pairSegments are pairs of texts in segments: for each segment, one value is computed from its
// similarities.
type pairSegments struct {
	a, b           []int32 // rows of the batch's texts
	starts         []int32
	groupA, groupB kernels.Grouper
	segments       int // number of segments that are not empty
}

// NewCECLIP returns the objective.
func NewCECLIP(o CEOptions) *CECLIP { return &CECLIP{options: o} }

// Name implements Objective.
func (*CECLIP) Name() string { return "ceclip" }

// Prepare implements Objective.
func (c *CECLIP) Prepare(b *Batch) {
	c.n = b.N
	c.columns.rows, c.rows, c.kind, c.negatives = c.columns.rows[:0], c.rows[:0], c.kind[:0], c.negatives[:0]
	c.contrast.reset()
	c.relation.reset()
	for _, s := range b.Images[:b.N] {
		c.columns.rows = append(c.columns.rows, b.textRow(s.Caption.Text))
	}
	for i, s := range b.Images[:b.N] {
		own := c.columns.rows[i]
		contrasted := len(s.CaptionNegatives) > 0 && (!c.options.Anchored || s.Sibling.Text != "")
		if contrasted && c.options.Anchored {
			c.contrast.addPair(own, b.textRow(s.Sibling.Text))
		}
		for _, g := range s.CaptionNegatives {
			c.rows, c.kind = append(c.rows, int32(i)), append(c.kind, int32(g.Class))
			c.negatives = append(c.negatives, int32(len(c.columns.rows)))
			place := b.textRow(g.Text)
			c.columns.rows = append(c.columns.rows, place)
			if contrasted {
				c.contrast.addPair(own, place)
			}
			if g.Class == relationKind {
				c.relation.addPair(own, place)
				c.relation.endSegment()
			}
		}
		c.contrast.endSegment()
	}
	m := len(c.columns.rows)
	c.mask = zeroMask(c.mask, c.n*m)
	for i := range c.n {
		c.mask[i*m+i] = kernels.MaskPositive
	}
}

// Loss implements Objective.
func (c *CECLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	d := t.Device
	s := t.Similarity(c.own.takeRows(t, e.Image, c.n), c.columns.features(t, e.Text), e.LogScale)
	weight := 0.5 / float64(c.n)
	itc := t.Contrastive(s, d.Bytes(c.mask), c.n, weight, weight)
	c.gap = kernels.Tensor{}
	c.metrics = append(c.metrics[:0], Metric{"ceclip/itc", itc.Value})
	terms := append(make([]*kernels.Var, 0, 4), itc)
	weights := append(make([]float64, 0, 4), 1)
	if c.contrast.segments > 0 {
		imc := c.contrastTexts(t, e)
		c.metrics = append(c.metrics, Metric{"ceclip/imc", imc.Value})
		terms, weights = append(terms, imc), append(weights, c.options.IMC)
	}
	if r := len(c.negatives); r > 0 {
		thresholds := t.Arena.Tensor(1, negativeKinds)
		c.threshold = c.thresholds
		d.Write(thresholds, c.threshold[:])
		positives := d.Ints(c.rows) // the caption of image i is column i
		cmr, gap := t.Hinge(s, thresholds, d.Ints(c.rows), positives, d.Ints(c.negatives), d.Ints(c.kind), 1/float64(r))
		c.gap = gap
		c.metrics = append(c.metrics, Metric{"ceclip/cmr", cmr.Value})
		terms, weights = append(terms, cmr), append(weights, c.options.CMR)
	}
	if c.options.Relation && c.relation.segments > 0 {
		// Each segment has one pair, so its log-sum-exp is that pair's similarity.
		relation := c.relation.meanLSE(t, e.Text, e.LogScale, -1)
		c.metrics = append(c.metrics, Metric{"ceclip/relation", relation.Value})
		terms, weights = append(terms, relation), append(weights, c.options.CMR)
	}
	return t.Sum(terms, weights)
}

// contrastTexts returns the intra-modal contrast.
func (c *CECLIP) contrastTexts(t *kernels.Tape, e Features) *kernels.Var {
	if c.options.Anchored {
		return c.contrast.meanCrossEntropy(t, e.Text, e.LogScale)
	}
	return c.contrast.meanLSE(t, e.Text, e.LogScale, 1)
}

// Metrics implements Objective.
func (c *CECLIP) Metrics() []Metric { return c.metrics }

// AfterStep sets each threshold to the mean gap between captions and negatives of its kind in this
// step, limited to the range from 0 to Most (eqs. 5 and 7). A kind without negatives keeps its
// threshold.
func (c *CECLIP) AfterStep(d kernels.Device) {
	if c.gap.IsNone() {
		return
	}
	c.gaps = append(c.gaps[:0], make([]float64, c.gap.Len())...)
	d.Read(c.gaps, c.gap)
	var sum, count [negativeKinds]float64
	for p, k := range c.kind {
		sum[k] -= c.gaps[p]
		count[k]++
	}
	for k := range negativeKinds {
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
	if len(s.Thresholds) != negativeKinds {
		return fmt.Errorf("a checkpoint has %d thresholds of CE-CLIP, not %d", len(s.Thresholds), negativeKinds)
	}
	copy(c.thresholds[:], s.Thresholds)
	return nil
}

func (c *pairSegments) reset() {
	c.a, c.b, c.starts, c.segments = c.a[:0], c.b[:0], append(c.starts[:0], 0), 0
}

func (c *pairSegments) addPair(a, b int32) { c.a, c.b = append(c.a, a), append(c.b, b) }

func (c *pairSegments) endSegment() {
	if n := int32(len(c.a)); n > c.starts[len(c.starts)-1] {
		c.starts = append(c.starts, n)
		c.segments++
	}
}

// comparePairs returns the similarities of all pairs, [1, pairs].
func (c *pairSegments) comparePairs(t *kernels.Tape, text, logScale *kernels.Var) *kernels.Var {
	return t.RowDot(gatherRows(t, text, c.a, &c.groupA), gatherRows(t, text, c.b, &c.groupB), logScale)
}

// meanLSE returns sign times the mean over segments of the log-sum-exps of the similarities.
func (c *pairSegments) meanLSE(t *kernels.Tape, text, logScale *kernels.Var, sign float64) *kernels.Var {
	lse := t.SegmentLSE(c.comparePairs(t, text, logScale), t.Device.Ints(c.starts))
	return t.SumRow(lse, sign/float64(c.segments))
}

// meanCrossEntropy returns the mean over segments of −log of the softmax of the first similarity.
func (c *pairSegments) meanCrossEntropy(t *kernels.Tape, text, logScale *kernels.Var) *kernels.Var {
	return t.SegmentFocal(c.comparePairs(t, text, logScale), t.Device.Ints(c.starts), 1/float64(c.segments), 0, 0)
}
