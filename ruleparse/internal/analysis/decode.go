package analysis

import (
	"capgraph/ruleparse/internal/convnet"
	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/tokens"
)

// Analysis is what the model makes of the tokens of a text: nodes, which
// attribute is of which object, and which candidate relates which objects.
type Analysis struct {
	Nodes      []Node
	InNode     []bool // by token
	Links      []Link
	Edges      []Relation
	Score      float32 // logarithm of its probability
	LabelScore float32 // the part of the labels
	value      float32 // what analyses are chosen by
}

// Link says that an attribute is of an object, both as indices of nodes.
type Link struct{ Attribute, Object int32 }

// Relation is the candidate that relates two objects.
type Relation struct {
	A, B      int32 // nodes, a before b in the text
	Candidate Candidate
}

// Decoder is the memory of one analysis.
type Decoder struct {
	beams      []hypothesis // beamWidth a token
	sizes      []int32
	labels     []uint8
	features   []uint32
	candidates []Candidate
	score      []float32
	Proposals  []Analysis
	used       []bool
	options    []option
	rivals     []rival
	base       [][LabelCount]int32 // what the linear model makes of each token
	inputs     []convnet.Input
	network    convnet.Memory
}

// proposalMargin is how much less likely than the best a labelling may be to be
// considered with its relations, and maxProposals how many are.
const (
	proposalMargin = 2.3
	maxProposals   = 4
)

// Analyse finds the best analysis of ts among those of the likeliest labellings.
func (p *Analyst) Analyse(d *Decoder, ts []tokens.Token) *Analysis {
	n := p.Propose(d, ts)
	best := 0
	for k := range n {
		x := &d.Proposals[k]
		if n > 1 && len(p.whole.Data) > 0 {
			d.features = AppendWhole(ts, x, d.Room(len(ts)), d.features[:0])
			x.value = float32(p.labelTrust*x.LabelScore) + float32(p.pairTrust*(x.Score-x.LabelScore)) + p.whole.Sum(d.features)
		} else {
			x.value = x.Score
		}
		if x.value > d.Proposals[best].value {
			best = k
		}
	}
	return &d.Proposals[best]
}

// maxWhole is how many tokens a text may have for its analyses to be compared as
// a whole.
const maxWhole = 200

// Propose fills d.Proposals with analyses of the likeliest labellings and
// returns how many.
func (p *Analyst) Propose(d *Decoder, ts []tokens.Token) int {
	p.label(d, ts)
	last := int(d.sizes[len(ts)])
	start := len(d.beams) - last
	last = min(last, maxProposals)
	if len(ts) > maxWhole {
		last = 1
	}
	for len(d.Proposals) < last {
		d.Proposals = append(d.Proposals, Analysis{})
	}
	for k := range last {
		if d.beams[start+k].score < d.beams[start].score-proposalMargin {
			return k
		}
		d.labelling(len(ts), k)
		x := &d.Proposals[k]
		x.reset(ts, d.labels, d.beams[start+k].score)
		p.relate(d, ts, x)
	}
	return last
}

// Room is a list of n booleans.
func (d *Decoder) Room(n int) []bool {
	if cap(d.used) < n {
		d.used = make([]bool, 2*n)
	}
	return d.used[:n]
}

func (x *Analysis) reset(ts []tokens.Token, labels []uint8, score float32) {
	unite(ts, labels)
	labelPronouns(ts, labels)
	x.Nodes = AppendNodes(x.Nodes[:0], ts, labels)
	x.InNode = x.InNode[:0]
	for _, l := range labels {
		x.InNode = append(x.InNode, l != Outside)
	}
	x.Links, x.Edges, x.Score, x.LabelScore = x.Links[:0], x.Edges[:0], score, score
}

// relate decides on the attributes and the relations of each node of x.
func (p *Analyst) relate(d *Decoder, ts []tokens.Token, x *Analysis) {
	for b := range x.Nodes {
		if x.Nodes[b].Attribute {
			p.own(d, ts, x, b)
			continue
		}
		d.options, d.rivals = d.options[:0], d.rivals[:0]
		for a := b - 1; a >= 0; a-- {
			if b-a > MaxNeighbour || x.Nodes[b].From-x.Nodes[a].To > MaxPair || stops(ts, int(x.Nodes[a].To), int(x.Nodes[a+1].From)) {
				break
			}
			if !x.Nodes[a].Attribute {
				p.weigh(d, ts, x, a, b)
			}
		}
		p.relateTo(d, ts, x, b)
	}
}

// own gives attribute k to the likeliest of the objects near it.
func (p *Analyst) own(d *Decoder, ts []tokens.Token, x *Analysis, k int) {
	d.score = d.score[:0]
	best, owner := 0, 0
	for o := max(0, k-MaxNeighbour); o <= min(len(x.Nodes)-1, k+MaxNeighbour); o++ {
		if x.Nodes[o].Attribute || !Linkable(ts, x.Nodes, k, o) || beyond(ts, x, Link{int32(k), int32(o)}) {
			continue
		}
		d.features = AppendLink(ts, x.Nodes, k, o, d.features[:0])
		s := p.pairs.Sum(d.features)
		if len(d.score) == 0 || s > d.score[best] {
			best, owner = len(d.score), o
		}
		d.score = append(d.score, s)
	}
	if len(d.score) > 0 {
		x.Links = append(x.Links, Link{int32(k), int32(owner)})
		x.Score += d.score[best] - linear.LogSum(d.score)
	}
}

// option is a candidate for a relation of an object and its score.
type option struct {
	candidate Candidate
	score     float32
}

// rival is an object to which the one that is decided on may be related.
type rival struct {
	a        int
	context  PairContext
	none     float32 // the score of no relation
	from, to int     // its options
}

// weigh scores what may relate nodes a and b.
func (p *Analyst) weigh(d *Decoder, ts []tokens.Token, x *Analysis, a, b int) {
	if len(d.rivals) < cap(d.rivals) {
		d.rivals = d.rivals[:len(d.rivals)+1]
	} else {
		d.rivals = append(d.rivals, rival{})
	}
	r := &d.rivals[len(d.rivals)-1]
	r.a, r.from = a, len(d.options)
	r.context.Collect(ts, x, a, b)
	d.features = r.context.AppendNone(d.features[:0])
	r.none = p.pairs.Sum(d.features)
	d.candidates = Candidates(ts, x.InNode, x.Nodes, a, b, d.candidates[:0])
	for i := range d.candidates {
		if RuledOut(ts, &x.Nodes[a], &x.Nodes[b], &d.candidates[i]) {
			continue
		}
		d.features = r.context.AppendCandidate(ts, x.Nodes, a, b, &d.candidates[i], d.features[:0])
		d.options = append(d.options, option{d.candidates[i], p.pairs.Sum(d.features)})
	}
	r.to = len(d.options)
}

// relateTo decides how nodes[b] is related to the objects that were weighed.
func (p *Analyst) relateTo(d *Decoder, ts []tokens.Token, x *Analysis, b int) {
	if len(d.rivals) == 0 {
		return
	}
	d.features = AppendNothing(ts, x, b, d.features[:0])
	d.score = append(d.score[:0], p.pairs.Sum(d.features))
	best := 0
	for i := range d.options {
		d.score = append(d.score, d.options[i].score)
		if d.score[i+1] > d.score[best] {
			best = i + 1
		}
	}
	x.Score += d.score[best] - linear.LogSum(d.score)
	if best == 0 {
		return
	}
	parent := 0
	for d.rivals[parent].to < best {
		parent++
	}
	x.Edges = append(x.Edges, Relation{int32(d.rivals[parent].a), int32(b), d.options[best-1].candidate})
	for i := range d.rivals {
		if i != parent {
			p.relateAgain(d, ts, x, &d.rivals[i], b)
		}
	}
}

// relateAgain decides whether nodes[b] is related to one more object.
func (p *Analyst) relateAgain(d *Decoder, ts []tokens.Token, x *Analysis, r *rival, b int) {
	c := &r.context
	c.History.Look(ts, x.Edges, int32(r.a), int32(b))
	d.features = c.AppendAgain(ts, x.Nodes, r.a, b, nil, d.features[:0])
	d.score = append(d.score[:0], r.none+p.pairs.Sum(d.features))
	options := d.options[r.from:r.to]
	best := 0
	for i := range options {
		d.features = c.AppendAgain(ts, x.Nodes, r.a, b, &options[i].candidate, d.features[:0])
		d.score = append(d.score, options[i].score+p.pairs.Sum(d.features))
		if d.score[i+1] > d.score[best] {
			best = i + 1
		}
	}
	x.Score += d.score[best] - linear.LogSum(d.score)
	if best > 0 {
		x.Edges = append(x.Edges, Relation{int32(r.a), int32(b), options[best-1].candidate})
	}
}
