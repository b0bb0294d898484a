package analysis

import (
	"slices"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// beamWidth is how many labellings of the tokens so far are kept at each token.
const beamWidth = 6

// hypothesis is a labelling of the tokens up to one token.
type hypothesis struct {
	score           float32
	label, previous uint8
	back            int32 // index into the beam before
}

// Prepare labels ts with the linear model. Call [Analyst.Encode] and then [Analyst.Analyse] after it.
func (p *Analyst) Prepare(d *Decoder, ts []tokens.Token) {
	d.isPrepared = true
	d.encoding.reset()
	d.sumContext(&p.labels, ts)
	always := p.EncodeAll || len(ts) > maxWhole
	if always && p.askEncoder(d, ts) {
		return
	}
	d.searchBeams(&p.labels, ts, p.labels.Unit, nil)
	if !always && d.beams[len(d.beams)-int(d.sizes[len(ts)])].score <= sureLogProbability {
		p.askEncoder(d, ts)
	}
}

// askEncoder marks ts for Encode, and reports whether it did: there must be an encoder and a token.
func (p *Analyst) askEncoder(d *Decoder, ts []tokens.Token) bool {
	if p.Encoder == nil {
		return false
	}
	p.Encoder.ask(&d.encoding, ts)
	d.encoding.relates = d.encoding.asked && len(ts) <= maxWhole
	return d.encoding.asked
}

// Encode runs the encoder, on its GPU if it has one, on those prepared texts that Prepare has marked. The error is the
// GPU's.
func (p *Analyst) Encode(prepared []*Decoder) error {
	if p.Encoder == nil {
		return nil
	}
	all := make([]*encoding, len(prepared))
	for i, d := range prepared {
		all[i] = &d.encoding
	}
	if p.Card == nil {
		p.Encoder.encode(all)
	} else if err := p.Encoder.encodeWith(all, p.Card.Encode); err != nil {
		for _, d := range prepared {
			d.isPrepared = false // false for the next text
		}
		return err
	}
	for _, d := range prepared {
		p.scoreLabels(d)
	}
	return nil
}

// scoreLabels sets d.encoderScores for a text that the encoder has read.
func (p *Analyst) scoreLabels(d *Decoder) {
	if d.encoding.asked {
		d.encoderScores = p.Encoder.appendLabelScores(&d.encoding, d.encoderScores[:0])
	}
}

// labelTokens fills the beams of d with the best labellings of ts.
func (p *Analyst) labelTokens(d *Decoder, ts []tokens.Token) {
	if !d.isPrepared {
		p.Prepare(d, ts)
		if d.encoding.asked { // a single text is faster on the CPU
			p.Encoder.encode([]*encoding{&d.encoding})
			p.scoreLabels(d)
		}
	}
	d.isPrepared = false
	if d.encoding.asked {
		d.searchBeams(&p.labels, ts, float32((1-encoderLabelShare)*p.labels.Unit), d.encoderScores)
	}
}

// sureLogProbability is the log probability of the best labelling above which the encoder is not used.
const sureLogProbability = -0.2

// sumContext sets d.labelSums to each token's sums of the linear model over all features but the labels of earlier
// tokens.
func (d *Decoder) sumContext(m *linear.Weights, ts []tokens.Token) {
	d.labelSums = d.labelSums[:0]
	for i := range ts {
		d.features = AppendLabelContext(ts, i, d.features[:0])
		var sum [LabelCount]int32
		m.AddFive(d.features, &sum)
		d.labelSums = append(d.labelSums, sum)
	}
}

// searchBeams fills the beams of d with the best labellings of ts. sumUnit is the value of one unit of the linear
// model's integer sums. scores are the encoder's label scores for each token, or nil.
func (d *Decoder) searchBeams(m *linear.Weights, ts []tokens.Token, sumUnit float32, scores [][LabelCount]float32) {
	d.beams = append(d.beams[:0], hypothesis{})
	d.sizes = append(d.sizes[:0], 1)
	var next [beamWidth * LabelCount]hypothesis
	start, denied := 0, false
	for i := range ts {
		var encoder [LabelCount]float32
		unit := sumUnit
		if denied = isDenied(ts, i, denied); denied {
			unit = m.Unit
		} else if scores != nil {
			encoder = scores[i]
		}
		n := 0
		size := int(d.sizes[i])
		var scored [LabelCount * LabelCount]labelScores // by the last two labels, since many hypotheses share them
		for k := range size {
			from := d.beams[start+k]
			s := &scored[from.label*LabelCount+from.previous]
			if !s.isSet {
				d.scoreNext(m, ts, i, &from, unit, &encoder, s)
			}
			for l, x := range s.x {
				may := x > forbidden
				if !d.given.asked {
					may = MayFollow(l, int(from.label)) && (l != BeginObject || mayBeginObject(ts, i, from.label)) && (!ts[i].IsFinite || l == Outside)
				}
				if may {
					next[n] = hypothesis{from.score + x - s.norm, uint8(l), from.label, int32(k)}
					n++
				}
			}
		}
		keep := topHypotheses(next[:n])
		start += size
		d.beams = append(d.beams, next[:keep]...)
		d.sizes = append(d.sizes, int32(keep))
	}
}

// labelScores are the scores of a token's labels after two given labels, and the logarithm of the sum of their
// exponentials.
type labelScores struct {
	isSet bool
	x     [LabelCount]float32
	norm  float32
}

// scoreNext sets s to the scores of the labels of token i after the labels of hypothesis from.
func (d *Decoder) scoreNext(m *linear.Weights, ts []tokens.Token, i int, from *hypothesis, unit float32, encoder *[LabelCount]float32, s *labelScores) {
	sum := d.labelSums[i]
	d.features = AppendLabelHistory(ts, i, uint32(from.label), uint32(from.previous), d.features[:0])
	m.AddFive(d.features, &sum)
	for l := range s.x {
		s.x[l] = float32(float32(sum[l])*unit) + encoder[l]
	}
	if d.given.asked {
		d.given.forbid(&s.x, ts, i, int(from.label))
	}
	s.norm, s.isSet = linear.LogSum(s.x[:]), true
}

// mayBeginObject reports whether an object may begin at token i, if before is the label of the token before.
// An adjective right before a noun is no object: "the other man".
func mayBeginObject(ts []tokens.Token, i int, before uint8) bool {
	return ts[i].Kind != tokens.Mark && (before != BeginObject && before != inObject || ts[i-1].Tag != penn.JJ)
}

// isDenied reports whether token i belongs to the phrase after a negation: "no windows or doors", "isn't red". before
// is the result for the token before. Annotators leave out what a caption denies, so an encoder trained on their graphs
// has no label for it.
func isDenied(ts []tokens.Token, i int, before bool) bool {
	if i == 0 {
		return false
	}
	t, last := &ts[i], &ts[i-1]
	if last.IsOneOf(negations) {
		return t.Kind != tokens.Mark
	}
	ends := t.Kind == tokens.Mark || t.Tag == penn.CC && !t.IsOneOf(" or nor ") || penn.IsNoun(last.Tag) && (t.Tag == penn.IN || penn.IsVerb(t.Tag))
	return before && !ends
}

const negations = " lacking missing n't neither never no nor not without "

// topHypotheses sorts the best hypotheses to the front and returns how many are worth keeping.
func topHypotheses(h []hypothesis) int {
	keep := min(len(h), beamWidth)
	for i := range keep {
		best := i
		for j := i + 1; j < len(h); j++ {
			if h[j].score > h[best].score {
				best = j
			}
		}
		h[i], h[best] = h[best], h[i]
		if h[i].score < h[0].score-labelMargin {
			return i
		}
	}
	return keep
}

// labelMargin is how far the log probability of a labelling may be below the best.
const labelMargin = 3

// readLabels sets d.labels and d.labelScores from hypothesis k of the last beam.
func (d *Decoder) readLabels(n, k int) {
	for len(d.labels) < n {
		d.labels = append(d.labels, 0)
	}
	d.labels = d.labels[:n]
	d.labelScores = slices.Grow(d.labelScores[:0], n)[:n]
	start := len(d.beams)
	for i := n; i > 0; i-- {
		start -= int(d.sizes[i])
		h := d.beams[start+k]
		d.labels[i-1] = h.label
		k = int(h.back)
		d.labelScores[i-1] = h.score - d.beams[start-int(d.sizes[i-1])+k].score
	}
}
