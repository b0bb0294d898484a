package analysis

import (
	"capgraph/internal/linear"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/tokens"
)

// Analysis is one reading of a text: its nodes, the object of each attribute, and the relations between objects.
type Analysis struct {
	Nodes      []Node
	InNode     []bool // by token: it is in a node, or in a noun phrase that was not given as an object
	Links      []Link
	Edges      []Relation
	Score      float32 // log probability of the analysis
	LabelScore float32 // log probability of its labels
	rankScore  float32 // the score by which analyses are ranked

	TokenScores []float32 // by token: the log probability of its label
}

// Link assigns an attribute to its object. Both are indices of nodes.
type Link struct {
	Attribute, Object int32
	LogOdds           float32 // log odds of this object against all others; 0 if a rule chose it
}

// Relation relates two objects by a candidate.
type Relation struct {
	A, B      int32 // nodes, a before b in the text
	Candidate Candidate
	LogOdds   float32 // against all other decisions about B; 0 if no model chose it
}

// Decoder is the memory of an analysis, which later analyses reuse.
type Decoder struct {
	beams       []hypothesis // beamWidth hypotheses per token
	sizes       []int32
	labels      []uint8
	labelScores []float32 // by token: the log probability of its label
	features    []uint32
	candidates  []Candidate
	score       []float32
	Proposals   []Analysis
	usedTokens  []bool
	options     []scoredCandidate
	parents     []parentOption
	labelSums   [][LabelCount]int32 // the linear model's sums for each token

	given         given
	isPrepared    bool
	encoding      encoding
	encoderScores [][LabelCount]float32 // for each token
}

// Several labellings are analysed with their relations: at most maxProposals, whose log probabilities are at most
// proposalMargin below the best.
const (
	proposalMargin = 2.3
	maxProposals   = 4
)

// Analyse returns the best of the analyses that Propose makes.
func (p *Analyst) Analyse(d *Decoder, ts []tokens.Token) *Analysis {
	n := p.Propose(d, ts)
	if p.Encoder != nil {
		p.Encoder.releaseHeads(&d.encoding)
	}
	best := 0
	for k := range n {
		x := &d.Proposals[k]
		if n > 1 && len(p.whole.Data) > 0 {
			d.features = AppendWholeAnalysis(ts, x, d.BoolBuffer(len(ts)), d.features[:0])
			x.rankScore = float32(p.labelTrust*x.LabelScore) + float32(p.pairTrust*(x.Score-x.LabelScore)) + p.whole.Sum(d.features)
		} else {
			x.rankScore = x.Score
		}
		if x.rankScore > d.Proposals[best].rankScore {
			best = k
		}
	}
	return &d.Proposals[best]
}

// maxWhole is the most tokens of a text whose relations the encoder scores too. It labels longer texts always.
const maxWhole = 200

// maxReranked is the most tokens of a text for which several analyses are compared. Those of a longer text differ in a
// word or two: taking the likeliest has the same F1 on DiscoSG and long.jsonl.
const maxReranked = 64

// Propose sets d.Proposals to the analyses of the likeliest labellings, and returns their number.
func (p *Analyst) Propose(d *Decoder, ts []tokens.Token) int {
	p.labelTokens(d, ts)
	last := int(d.sizes[len(ts)])
	start := len(d.beams) - last
	last = min(last, maxProposals)
	if len(ts) > maxReranked {
		last = 1
	}
	for len(d.Proposals) < last {
		d.Proposals = append(d.Proposals, Analysis{})
	}
	for k := range last {
		if d.beams[start+k].score < d.beams[start].score-proposalMargin {
			return k
		}
		d.readLabels(len(ts), k)
		x := &d.Proposals[k]
		x.TokenScores = append(x.TokenScores[:0], d.labelScores...)
		x.applyLabels(ts, d.labels, d.beams[start+k].score, &d.given)
		p.relateNodes(d, ts, x)
	}
	return last
}

// BoolBuffer returns a slice of n booleans from d's memory.
func (d *Decoder) BoolBuffer(n int) []bool {
	if cap(d.usedTokens) < n {
		d.usedTokens = make([]bool, 2*n)
	}
	return d.usedTokens[:n]
}

func (x *Analysis) applyLabels(ts []tokens.Token, labels []uint8, score float32, g *given) {
	if !g.asked {
		unifyNameLabels(ts, labels)
	}
	labelPronouns(ts, labels)
	x.Nodes = AppendNodes(x.Nodes[:0], ts, labels)
	if g.asked {
		g.markNodes(x.Nodes)
	}
	x.InNode = x.InNode[:0]
	for i, l := range labels {
		x.InNode = append(x.InNode, l != Outside || g.asked && g.others[i])
	}
	x.Links, x.Edges, x.Score, x.LabelScore = x.Links[:0], x.Edges[:0], score, score
}

// relateNodes chooses the object of each attribute and the relations of each object of x.
func (p *Analyst) relateNodes(d *Decoder, ts []tokens.Token, x *Analysis) {
	for b := range x.Nodes {
		if x.Nodes[b].IsAttribute {
			p.linkAttribute(d, ts, x, b)
			continue
		}
		d.options, d.parents = d.options[:0], d.parents[:0]
		for a := b - 1; a >= 0; a-- {
			if b-a > MaxNeighbour || x.Nodes[b].From-x.Nodes[a].To > MaxPair || hasBoundary(ts, int(x.Nodes[a].To), int(x.Nodes[a+1].From)) {
				break
			}
			if !x.Nodes[a].IsAttribute {
				p.scorePair(d, ts, x, a, b)
			}
		}
		p.chooseRelation(d, ts, x, b)
	}
}

// linkAttribute links attribute k to the likeliest of the objects near it.
func (p *Analyst) linkAttribute(d *Decoder, ts []tokens.Token, x *Analysis, k int) {
	d.score = d.score[:0]
	best, owner := 0, 0
	asks := d.encoding.asked
	for o := max(0, k-MaxNeighbour); o <= min(len(x.Nodes)-1, k+MaxNeighbour); o++ {
		if x.Nodes[o].IsAttribute || !MayBeLinked(ts, x.Nodes, k, o) || skipsObject(ts, x, Link{Attribute: int32(k), Object: int32(o)}) {
			continue
		}
		d.features = AppendLink(ts, x.Nodes, k, o, d.features[:0])
		s := p.pairs.Sum(d.features)
		if asks {
			s = float32(s*(1-encoderOwnerShare)) + float32(p.Encoder.scoreOwner(&d.encoding, x.Nodes, k, o)*encoderOwnerShare)
		}
		if len(d.score) == 0 || s > d.score[best] {
			best, owner = len(d.score), o
		}
		d.score = append(d.score, s)
	}
	if len(d.score) > 0 {
		p := d.score[best] - linear.LogSum(d.score)
		x.Links = append(x.Links, Link{int32(k), int32(owner), logOdds(p)})
		x.Score += p
	}
}

// scoredCandidate is a candidate for a relation of an object and its score.
type scoredCandidate struct {
	candidate Candidate
	score     float32
}

// parentOption is an earlier object to which the current object may be related.
type parentOption struct {
	a         int
	context   PairContext
	noneScore float32 // the score of no relation
	from, to  int     // its options
}

// scorePair appends the scores of the candidates for nodes a and b.
func (p *Analyst) scorePair(d *Decoder, ts []tokens.Token, x *Analysis, a, b int) {
	if len(d.parents) < cap(d.parents) {
		d.parents = d.parents[:len(d.parents)+1]
	} else {
		d.parents = append(d.parents, parentOption{})
	}
	r := &d.parents[len(d.parents)-1]
	r.a, r.from = a, len(d.options)
	r.context.Collect(ts, x, a, b)
	d.features = r.context.AppendNoRelation(d.features[:0])
	r.noneScore = p.pairs.Sum(d.features)
	d.candidates = AppendCandidates(ts, x.InNode, x.Nodes, a, b, d.candidates[:0])
	for i := range d.candidates {
		if IsRuledOut(ts, &x.Nodes[a], &x.Nodes[b], &d.candidates[i]) {
			continue
		}
		d.features = r.context.AppendCandidate(ts, x.Nodes, a, b, &d.candidates[i], d.features[:0])
		d.options = append(d.options, scoredCandidate{d.candidates[i], p.pairs.Sum(d.features)})
	}
	r.to = len(d.options)
}

// chooseRelation chooses how nodes[b] is related to one of the objects scored before.
func (p *Analyst) chooseRelation(d *Decoder, ts []tokens.Token, x *Analysis, b int) {
	if len(d.parents) == 0 {
		return
	}
	d.features = AppendUnrelated(ts, x, b, d.features[:0])
	d.score = append(d.score[:0], p.pairs.Sum(d.features))
	for i := range d.options {
		d.score = append(d.score, d.options[i].score)
	}
	if e := &d.encoding; e.relates {
		e.options = e.options[:0]
		e.addUnrelated(x.Nodes, b)
		for i := range d.parents {
			r := &d.parents[i]
			for k := r.from; k < r.to; k++ {
				e.addOption(x.Nodes, r.a, b, &d.options[k].candidate, 0, 0)
			}
		}
		p.Encoder.mixRelationScores(e, d.score)
	}
	best := largestScore(d.score)
	probability := d.score[best] - linear.LogSum(d.score)
	x.Score += probability
	if best == 0 {
		return
	}
	parent := 0
	for d.parents[parent].to < best {
		parent++
	}
	x.Edges = append(x.Edges, Relation{int32(d.parents[parent].a), int32(b), d.options[best-1].candidate, logOdds(probability)})
	for i := range d.parents {
		if i != parent {
			p.chooseFurther(d, ts, x, &d.parents[i], b)
		}
	}
}

// chooseFurther chooses whether nodes[b] has a relation to one more object.
func (p *Analyst) chooseFurther(d *Decoder, ts []tokens.Token, x *Analysis, r *parentOption, b int) {
	c := &r.context
	c.History.Summarise(ts, x.Edges, int32(r.a), int32(b))
	d.features = c.AppendFurther(ts, x.Nodes, r.a, b, nil, d.features[:0])
	d.score = append(d.score[:0], r.noneScore+p.pairs.Sum(d.features))
	options := d.options[r.from:r.to]
	for i := range options {
		d.features = c.AppendFurther(ts, x.Nodes, r.a, b, &options[i].candidate, d.features[:0])
		d.score = append(d.score, options[i].score+p.pairs.Sum(d.features))
	}
	if e := &d.encoding; e.relates {
		e.options = e.options[:0]
		e.addOption(x.Nodes, r.a, b, nil, formNoFurther, 0)
		for i := range options {
			k := &options[i].candidate
			e.addOption(x.Nodes, r.a, b, k, formFurther, int(c.History.sharedWords(k, int32(r.a), int32(b))))
		}
		p.Encoder.mixRelationScores(e, d.score)
	}
	best := largestScore(d.score)
	probability := d.score[best] - linear.LogSum(d.score)
	x.Score += probability
	if best > 0 {
		x.Edges = append(x.Edges, Relation{int32(r.a), int32(b), options[best-1].candidate, logOdds(probability)})
	}
}

// largestScore returns the index of the first of the largest scores.
func largestScore(scores []float32) int {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	return best
}

// logOdds returns the log odds of a decision with log probability p, limited to −8 to 8.
func logOdds(p float32) float32 {
	q := 1 - portable.Exp(float64(p))
	if q < 1e-4 {
		return 8
	}
	return max(-8, min(8, p-float32(portable.Log(q))))
}

// subjectAndObject returns the nodes that are subject and object of a relation.
func (r *Relation) subjectAndObject() (subject, object int32) {
	if r.Candidate.Reversed {
		return r.B, r.A
	}
	return r.A, r.B
}
