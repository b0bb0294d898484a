package ruleparse

import "capgraph/internal/portable"

// analysis is what the model makes of the tokens of a text: nodes, which
// attribute is of which object, and which candidate relates which objects.
type analysis struct {
	nodes      []node
	inNode     []bool // by token
	links      []link
	edges      []relation
	moved      []int32 // what became of each node, while nodes are joined or added
	added      []relation
	told       []bool  // by node
	score      float32 // logarithm of its probability
	labelScore float32 // the part of the labels
	value      float32 // what analyses are chosen by
}

type link struct{ attribute, object int32 }

type relation struct {
	a, b      int32 // nodes, a before b in the text
	candidate candidate
}

// beamWidth is how many labellings are kept at each token, and considered with
// their relations at the end.
const beamWidth = 6

// hypothesis is a labelling of the tokens so far.
type hypothesis struct {
	score    float32
	one, two uint8
	back     int32 // index into the beam before
}

// decoder is the memory of one analysis.
type decoder struct {
	beams      []hypothesis // beamWidth a token
	sizes      []int32
	labels     []uint8
	features   []uint32
	candidates []candidate
	score      []float32
	proposals  []analysis
	used       []bool
	options    []option
	rivals     []rival
}

// label fills the beams for ts.
func (d *decoder) label(m *weights, ts []span) {
	d.beams = append(d.beams[:0], hypothesis{})
	d.sizes = append(d.sizes[:0], 1)
	var next [beamWidth * labelCount]hypothesis
	start := 0
	for i := range ts {
		d.features = labelContext(ts, i, d.features[:0])
		var base [labelCount]int32
		m.addLabels(d.features, &base)
		n := 0
		size := int(d.sizes[i])
		for k := range size {
			from := d.beams[start+k]
			sum := base
			d.features = labelHistory(ts, i, uint32(from.one), uint32(from.two), d.features[:0])
			m.addLabels(d.features, &sum)
			var x [labelCount]float32
			for l := range x {
				x[l] = float32(float32(sum[l]) * m.unit)
			}
			norm := logSum(x[:])
			for l := range x {
				if allowed(l, int(from.one)) && (ts[i].kind != mark || l != beginObject) {
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

// negligible is the logarithm of what adds nothing to a sum that is at least 1.
const negligible = -12

// logSum is the logarithm of the sum of the exponentials of x.
func logSum(x []float32) float32 {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float64
	for _, v := range x {
		if v-top > negligible {
			sum += portable.Exp(float64(v - top))
		}
	}
	return top + float32(portable.Log(sum))
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

// proposalMargin is how much less likely than the best a labelling may be to be
// considered with its relations, and maxProposals how many are.
const (
	proposalMargin = 2.3
	maxProposals   = 4
)

// labelling reads the labels of hypothesis k of the last beam.
func (d *decoder) labelling(n, k int) {
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

// analyse finds the best analysis of ts among those of the likeliest labellings.
func (p *Parser) analyse(d *decoder, ts []span) *analysis {
	n := p.propose(d, ts)
	best := 0
	for k := range n {
		x := &d.proposals[k]
		if n > 1 && len(p.whole.data) > 0 {
			d.features = appendWhole(ts, x, d.room(len(ts)), d.features[:0])
			x.value = float32(p.labelTrust*x.labelScore) + float32(p.pairTrust*(x.score-x.labelScore)) + p.whole.sum(d.features)
		} else {
			x.value = x.score
		}
		if x.value > d.proposals[best].value {
			best = k
		}
	}
	return &d.proposals[best]
}

// maxWhole is how many tokens a text may have for its analyses to be compared as
// a whole.
const maxWhole = 200

// propose fills d.proposals with analyses of the likeliest labellings and
// returns how many.
func (p *Parser) propose(d *decoder, ts []span) int {
	d.label(&p.labels, ts)
	last := int(d.sizes[len(ts)])
	start := len(d.beams) - last
	last = min(last, maxProposals)
	if len(ts) > maxWhole {
		last = 1
	}
	for len(d.proposals) < last {
		d.proposals = append(d.proposals, analysis{})
	}
	for k := range last {
		if d.beams[start+k].score < d.beams[start].score-proposalMargin {
			return k
		}
		d.labelling(len(ts), k)
		x := &d.proposals[k]
		x.reset(ts, d.labels, d.beams[start+k].score)
		p.relate(d, ts, x)
	}
	return last
}

// room is a list of n booleans.
func (d *decoder) room(n int) []bool {
	if cap(d.used) < n {
		d.used = make([]bool, 2*n)
	}
	return d.used[:n]
}

func (x *analysis) reset(ts []span, labels []uint8, score float32) {
	unite(ts, labels)
	labelPronouns(ts, labels)
	x.nodes = appendNodes(x.nodes[:0], ts, labels)
	x.inNode = x.inNode[:0]
	for _, l := range labels {
		x.inNode = append(x.inNode, l != outside)
	}
	x.links, x.edges, x.score, x.labelScore = x.links[:0], x.edges[:0], score, score
}

// relate decides on the attributes and the relations of each node of x.
func (p *Parser) relate(d *decoder, ts []span, x *analysis) {
	for b := range x.nodes {
		if x.nodes[b].attribute {
			p.own(d, ts, x, b)
			continue
		}
		d.options, d.rivals = d.options[:0], d.rivals[:0]
		for a := b - 1; a >= 0; a-- {
			if b-a > maxNeighbour || x.nodes[b].from-x.nodes[a].to > maxPair || stops(ts, int(x.nodes[a].to), int(x.nodes[a+1].from)) {
				break
			}
			if !x.nodes[a].attribute {
				p.weigh(d, ts, x, a, b)
			}
		}
		p.relateTo(d, ts, x, b)
	}
}

// own gives attribute k to the likeliest of the objects near it.
func (p *Parser) own(d *decoder, ts []span, x *analysis, k int) {
	d.score = d.score[:0]
	best, owner := 0, 0
	for o := max(0, k-maxNeighbour); o <= min(len(x.nodes)-1, k+maxNeighbour); o++ {
		if x.nodes[o].attribute || !linkable(ts, x.nodes, k, o) || beyond(ts, x, link{int32(k), int32(o)}) {
			continue
		}
		d.features = appendLink(ts, x.nodes, k, o, d.features[:0])
		s := p.pairs.sum(d.features)
		if len(d.score) == 0 || s > d.score[best] {
			best, owner = len(d.score), o
		}
		d.score = append(d.score, s)
	}
	if len(d.score) > 0 {
		x.links = append(x.links, link{int32(k), int32(owner)})
		x.score += d.score[best] - logSum(d.score)
	}
}

// option is a candidate for a relation of an object and its score.
type option struct {
	candidate candidate
	score     float32
}

// rival is an object to which the one that is decided on may be related.
type rival struct {
	a        int
	context  pairContext
	none     float32 // the score of no relation
	from, to int     // its options
}

// weigh scores what may relate nodes a and b.
func (p *Parser) weigh(d *decoder, ts []span, x *analysis, a, b int) {
	if len(d.rivals) < cap(d.rivals) {
		d.rivals = d.rivals[:len(d.rivals)+1]
	} else {
		d.rivals = append(d.rivals, rival{})
	}
	r := &d.rivals[len(d.rivals)-1]
	r.a, r.from = a, len(d.options)
	r.context.collect(ts, x, a, b)
	d.features = r.context.appendNone(d.features[:0])
	r.none = p.pairs.sum(d.features)
	d.candidates = candidates(ts, x.inNode, &x.nodes[a], &x.nodes[b], leftBound(x.nodes, a), rightBound(x.nodes, b, len(ts)), d.candidates[:0])
	for i := range d.candidates {
		if ruledOut(ts, &x.nodes[a], &x.nodes[b], &d.candidates[i]) {
			continue
		}
		d.features = r.context.appendCandidate(ts, x.nodes, a, b, &d.candidates[i], d.features[:0])
		d.options = append(d.options, option{d.candidates[i], p.pairs.sum(d.features)})
	}
	r.to = len(d.options)
}

// relateTo decides how nodes[b] is related to the objects that were weighed.
func (p *Parser) relateTo(d *decoder, ts []span, x *analysis, b int) {
	if len(d.rivals) == 0 {
		return
	}
	d.features = appendNothing(ts, x, b, d.features[:0])
	d.score = append(d.score[:0], p.pairs.sum(d.features))
	best := 0
	for i := range d.options {
		d.score = append(d.score, d.options[i].score)
		if d.score[i+1] > d.score[best] {
			best = i + 1
		}
	}
	x.score += d.score[best] - logSum(d.score)
	if best == 0 {
		return
	}
	parent := 0
	for d.rivals[parent].to < best {
		parent++
	}
	x.edges = append(x.edges, relation{int32(d.rivals[parent].a), int32(b), d.options[best-1].candidate})
	for i := range d.rivals {
		if i != parent {
			p.relateAgain(d, ts, x, &d.rivals[i], b)
		}
	}
}

// relateAgain decides whether nodes[b] is related to one more object.
func (p *Parser) relateAgain(d *decoder, ts []span, x *analysis, r *rival, b int) {
	c := &r.context
	c.history.look(ts, x.edges, int32(r.a), int32(b))
	d.features = c.appendAgain(ts, x.nodes, r.a, b, nil, d.features[:0])
	d.score = append(d.score[:0], r.none+p.pairs.sum(d.features))
	options := d.options[r.from:r.to]
	best := 0
	for i := range options {
		d.features = c.appendAgain(ts, x.nodes, r.a, b, &options[i].candidate, d.features[:0])
		d.score = append(d.score, options[i].score+p.pairs.sum(d.features))
		if d.score[i+1] > d.score[best] {
			best = i + 1
		}
	}
	x.score += d.score[best] - logSum(d.score)
	if best > 0 {
		x.edges = append(x.edges, relation{int32(r.a), int32(b), options[best-1].candidate})
	}
}
