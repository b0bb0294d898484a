package objective

import "capgraph/kernels"

// OCCLIP is the loss of OC-CLIP (§3.3, eqs. 4 to 6) over structured scores of images with the scene
// graphs of captions: symmetric InfoNCE, plus a contrast of a caption's graph with the same graph
// after one relation is altered. Unlike in the paper, scores are multiplied by a learned scale, and
// sums are means.
type OCCLIP struct {
	stateless
	relation float64 // weight of the contrast with altered graphs

	n       int
	mask    []byte
	starts  []int32
	metrics []Metric
}

// NewOCCLIP returns the objective. relation is the weight of the contrast with altered graphs, 1 in
// the paper; if it is 0, no altered graphs are scored.
func NewOCCLIP(relation float64) *OCCLIP { return &OCCLIP{relation: relation} }

// Name implements Objective.
func (*OCCLIP) Name() string { return "occlip" }

// Prepare implements Objective.
func (c *OCCLIP) Prepare(b *Batch) {
	b.addGraphs(c.relation > 0)
	c.n = b.N
	c.mask = zeroMask(c.mask, c.n*c.n)
	for i := range c.n {
		c.mask[i*c.n+i] = kernels.MaskPositive
	}
	c.starts = append(c.starts[:0], 0)
	for _, altered := range b.Graphs.Altered {
		if n := int32(len(altered)); n > 0 {
			c.starts = append(c.starts, c.starts[len(c.starts)-1]+n)
		}
	}
}

// Loss implements Objective.
func (c *OCCLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	weight := 1 / float64(c.n)
	itc := t.Contrastive(e.Scores, t.Device.Bytes(c.mask), c.n, weight, weight)
	c.metrics = append(c.metrics[:0], Metric{"occlip/itc", itc.Value})
	if len(c.starts) == 1 {
		return itc
	}
	local := t.SegmentFocal(e.Altered, t.Device.Ints(c.starts), weight, 0, 0)
	c.metrics = append(c.metrics, Metric{"occlip/relation", local.Value})
	return t.Sum([]*kernels.Var{itc, local}, []float64{1, c.relation})
}

// Metrics implements Objective.
func (c *OCCLIP) Metrics() []Metric { return c.metrics }
