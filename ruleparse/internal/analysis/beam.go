package analysis

import (
	"capgraph/ruleparse/internal/convnet"
	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/tokens"
)

// beamWidth is how many labellings are kept at each token, and considered with
// their relations at the end.
const beamWidth = 6

// hypothesis is a labelling of the tokens so far.
type hypothesis struct {
	score    float32
	one, two uint8
	back     int32 // index into the beam before
}

// label fills the beams for ts: by the linear model, and where no labelling is likely enough
// to it, by the network too.
func (p *Analyst) label(d *Decoder, ts []tokens.Token) {
	d.context(&p.labels, ts)
	d.search(&p.labels, ts, p.labels.Unit, 0)
	if p.network == nil || d.beams[len(d.beams)-int(d.sizes[len(ts)])].score > sure {
		return
	}
	p.network.scores(d, ts)
	d.search(&p.labels, ts, float32((1-p.network.share)*p.labels.Unit), float32(p.network.share/convnet.ScoreUnit))
}

// sure is the logarithm of how probable the likeliest labelling is at least to the linear
// model where the network is not asked.
const sure = -0.2

// context fills d.base with what the linear model makes of each token of ts, whatever the
// labels before it.
func (d *Decoder) context(m *linear.Weights, ts []tokens.Token) {
	d.base = d.base[:0]
	for i := range ts {
		d.features = LabelContext(ts, i, d.features[:0])
		var sum [LabelCount]int32
		m.AddFive(d.features, &sum)
		d.base = append(d.base, sum)
	}
}

// search fills the beams for ts. A unit of the linear model's sums is worth sumUnit, one of
// the network's scores scoreUnit, 0 where there are none.
func (d *Decoder) search(m *linear.Weights, ts []tokens.Token, sumUnit, scoreUnit float32) {
	d.beams = append(d.beams[:0], hypothesis{})
	d.sizes = append(d.sizes[:0], 1)
	var next [beamWidth * LabelCount]hypothesis
	start := 0
	for i := range ts {
		var network [LabelCount]float32
		if scoreUnit > 0 {
			for l, x := range d.network.Scores[i] {
				network[l] = float32(float32(x) * scoreUnit)
			}
		}
		n := 0
		size := int(d.sizes[i])
		for k := range size {
			from := d.beams[start+k]
			sum := d.base[i]
			d.features = LabelHistory(ts, i, uint32(from.one), uint32(from.two), d.features[:0])
			m.AddFive(d.features, &sum)
			var x [LabelCount]float32
			for l := range x {
				x[l] = float32(float32(sum[l])*sumUnit) + network[l]
			}
			norm := linear.LogSum(x[:])
			for l := range x {
				if Allowed(l, int(from.one)) && (ts[i].Kind != tokens.Mark || l != BeginObject) {
					next[n] = hypothesis{from.score + x[l] - norm, uint8(l), from.one, int32(k)}
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

// topHypotheses moves the best to the front, best first, and returns how many
// are worth keeping.
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

// labelMargin is how much less likely (in natural logarithm) than the best a
// labelling may be to be considered.
const labelMargin = 3

// labelling reads the labels of hypothesis k of the last beam.
func (d *Decoder) labelling(n, k int) {
	for len(d.labels) < n {
		d.labels = append(d.labels, 0)
	}
	d.labels = d.labels[:n]
	start := len(d.beams)
	for i := n; i > 0; i-- {
		start -= int(d.sizes[i])
		h := d.beams[start+k]
		d.labels[i-1] = h.one
		k = int(h.back)
	}
}
