package rules

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// PartKind is the kind of a part of a graph: object, attribute or relation.
type PartKind int

// The kinds of parts.
const (
	ObjectPart PartKind = iota
	AttributePart
	RelationPart
	PartKinds
)

// PartNames are the names of the kinds.
var PartNames = [PartKinds]string{"object", "attribute", "relation"}

// partFeatures are the names of the features of each kind of part. A logistic regression over them gives the
// confidence.
var partFeatures = [PartKinds][]string{
	ObjectPart:    {"label", "end", "labels", "graph", "related", "unknown", "capital", "capitals", "words", "tokens", "determined", "plain"},
	AttributePart: {"label", "link", "labels", "graph", "after", "unknown", "capital", "capitals", "words", "object"},
	RelationPart:  {"decision", "added", "labels", "graph", "implied", "words", "capitals", "tokens", "subject", "object", "gap"},
}

// PartWeights are the weights of the regressions: for each kind the bias, then a weight for each feature.
type PartWeights [PartKinds][]float64

//go:embed confidence.tsv
var ownPartWeights string

// ReadPartWeights reads lines of kind, feature and weight, separated by tabs.
func ReadPartWeights(s string) (*PartWeights, error) {
	var w PartWeights
	for k := range w {
		w[k] = make([]float64, 1+len(partFeatures[k]))
	}
	for n, line := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("confidence: line %d: %q: want kind, feature and weight", n+1, line)
		}
		kind := slices.Index(PartNames[:], f[0])
		v, err := strconv.ParseFloat(f[2], 64)
		if kind < 0 || err != nil {
			return nil, fmt.Errorf("confidence: line %d: %q: want kind, feature and weight", n+1, line)
		}
		at := 1 + slices.Index(partFeatures[kind], f[1])
		if at == 0 && f[1] != "bias" {
			return nil, fmt.Errorf("confidence: line %d: %s has no feature %q", n+1, f[0], f[1])
		}
		w[kind][at] = v
	}
	return &w, nil
}

// Write returns the weights as ReadPartWeights reads them.
func (w *PartWeights) Write() string {
	var b strings.Builder
	for k, name := range PartNames {
		for i, v := range w[k] {
			feature := "bias"
			if i > 0 {
				feature = partFeatures[k][i-1]
			}
			fmt.Fprintf(&b, "%s\t%s\t%s\n", name, feature, strconv.FormatFloat(v, 'g', 5, 64))
		}
	}
	return b.String()
}

// logOdds returns the log odds that a part of a kind with features f is right.
func (w *PartWeights) logOdds(kind PartKind, f []float64) float64 {
	z := w[kind][0]
	for i, x := range f {
		z += w[kind][i+1] * x
	}
	return z
}

// Part is a part of a graph with the features of its confidence.
type Part struct {
	Kind PartKind
	// Index is the index of the object or relation. For an attribute it is its object's, and Attribute is the
	// attribute's own.
	Index, Attribute int
	Features         []float64
}

// rater computes the confidence of each part of a graph.
type rater struct {
	weights *PartWeights
	ts      []tokens.Token
	x       *Reading
	g       *schemas.SceneGraph
	visit   func(*Part) // may be nil

	labels, graph, capitals, size float64 // of the caption
	objects                       []float64
	related                       []bool             // by object: whether it has a relation
	links                         []link             // by token: the link of its attribute
	decisions                     map[int64]decision // by pair of objects
	part                          Part
}

// RateParts sets the confidence of every part of g. It calls visit, unless that is nil, for each.
func (s *Set) RateParts(ts []tokens.Token, x *Reading, g *schemas.SceneGraph, visit func(*Part)) {
	r := &x.rater
	r.weights, r.ts, r.x, r.g, r.visit = s.weights, ts, x, g, visit
	r.computeCaptionFeatures()
	r.indexDecisions()
	r.objects = r.objects[:0]
	for i := range g.Objects {
		o := &g.Objects[i]
		z := r.rateObject(i, o)
		r.objects = append(r.objects, z)
		o.Confidence = toProbability(z)
		for k := range o.Attributes {
			a := &o.Attributes[k]
			a.Confidence = toProbability(r.rateAttribute(i, k, o)) * r.ownerProbability(a)
		}
	}
	for i := range g.Relations {
		e := &g.Relations[i]
		e.Confidence = toProbability(r.rateRelation(i))
		if d := r.decisions[objectPair(e.Subject, e.Object)]; d.sure > 0 {
			e.Confidence *= d.sure
		}
	}
	r.ts, r.g, r.visit = nil, nil, nil // keeps nothing of the caller's
}

// ownerProbability returns the probability that the object of attribute a is the right one, if
// coreference has chosen it, else 1.
func (r *rater) ownerProbability(a *schemas.Attribute) float32 {
	if from, to := r.tokensAt(a.Begin, a.End); from < to && r.links[from].sure > 0 {
		return r.links[from].sure
	}
	return 1
}

func toProbability(z float64) float32 { return float32(1 / (1 + portable.Exp(-z))) }

// computeCaptionFeatures computes the features that all parts of a caption share.
func (r *rater) computeCaptionFeatures() {
	words, capitals := 0.0, 0.0
	for i := range r.ts {
		if t := &r.ts[i]; t.Kind == tokens.Letters {
			words++
			if t.Capital {
				capitals++
			}
		}
	}
	n := float64(max(1, len(r.ts)))
	r.size = portable.Log(n)
	r.labels = float64(max(r.x.LabelScore, -20)) / portable.Exp(r.size/2)
	r.graph = float64(max(r.x.Score-r.x.LabelScore, -20)) / portable.Exp(r.size/2)
	r.capitals = capitals / max(1, words)
}

// indexDecisions indexes the model's decisions by token and by pair of objects, so that the time for a caption grows
// with its length and not with its square.
func (r *rater) indexDecisions() {
	r.related = slices.Grow(r.related[:0], len(r.g.Objects))[:len(r.g.Objects)]
	clear(r.related)
	for i := range r.g.Relations {
		e := &r.g.Relations[i]
		r.related[e.Subject], r.related[e.Object] = true, true
	}
	r.links = slices.Grow(r.links[:0], len(r.ts))[:len(r.ts)]
	clear(r.links)
	for i := range r.x.Links {
		l := &r.x.Links[i]
		n := &r.x.Nodes[l.Attribute]
		for k := n.From; k < n.To; k++ {
			r.links[k] = link{l.LogOdds, r.x.sure[l.Object]}
		}
	}
	if r.decisions == nil || len(r.decisions) > maxKept {
		r.decisions = make(map[int64]decision)
	}
	clear(r.decisions)
	for i := range r.x.Edges {
		e := &r.x.Edges[i]
		pair := objectPair(r.x.objectOf[e.A], r.x.objectOf[e.B])
		d := r.decisions[pair]
		if d.sure = r.x.sure[e.A] * r.x.sure[e.B]; e.LogOdds != 0 {
			d.logOdds = e.LogOdds
		}
		r.decisions[pair] = d
	}
}

// link has the log odds of an attribute's link to its object, and the probability that coreference has
// chosen the right object.
type link struct{ logOdds, sure float32 }

// decision has the log odds of the last edge between two objects that a model chose, or 0, and the
// probability that coreference has chosen the right objects for the last edge.
type decision struct{ logOdds, sure float32 }

// maxKept is the most entries of a map that is cleared and reused for the next caption: clearing takes time in
// proportion to the largest size so far.
const maxKept = 1000

// objectPair returns a map key for two objects, the same in either order.
func objectPair(a, b int32) int64 { return int64(min(a, b))<<32 | int64(max(a, b)) }

// finishPart returns the log odds that the current part is right, given its features.
func (r *rater) finishPart() float64 {
	if r.visit != nil {
		r.visit(&r.part)
	}
	return r.weights.logOdds(r.part.Kind, r.part.Features)
}

// beginPart starts the features of a part.
func (r *rater) beginPart(kind PartKind, index, attribute int) {
	r.part.Kind, r.part.Index, r.part.Attribute, r.part.Features = kind, index, attribute, r.part.Features[:0]
}

func (r *rater) addFeatures(f ...float64) { r.part.Features = append(r.part.Features, f...) }

// tokensAt returns the tokens [from, to) that overlap the bytes [begin, end).
func (r *rater) tokensAt(begin, end int32) (from, to int) {
	if begin == schemas.NoOffset {
		return 0, 0
	}
	from, _ = slices.BinarySearchFunc(r.ts, begin, func(t tokens.Token, at int32) int { return int(t.End - 1 - at) })
	for to = from; to < len(r.ts) && r.ts[to].Begin < end; to++ {
	}
	return from, to
}

// labelOdds returns the log odds of the least certain label among tokens [from, to).
func (r *rater) labelOdds(from, to int) float64 {
	least := float32(0)
	for i := max(0, from); i < min(to, len(r.x.TokenScores)); i++ {
		least = min(least, r.x.TokenScores[i])
	}
	p := portable.Exp(float64(least))
	return max(-4, min(6, portable.Log(p/max(1e-6, 1-p))))
}

func boolToFloat(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (r *rater) rateObject(i int, o *schemas.Object) float64 {
	from, to := r.tokensAt(o.Begin, o.End)
	r.beginPart(ObjectPart, i, 0)
	if from >= to {
		r.addFeatures(make([]float64, len(partFeatures[ObjectPart]))...)
		return r.finishPart()
	}
	last := &r.ts[to-1]
	begin := from
	for begin > 0 && r.x.InNode[begin-1] {
		begin--
	}
	before := tokens.AtOrBorder(r.ts, int32(begin-1))
	determined := before.Tag == penn.DT || before.Tag == penn.PRPS || before.Tag == penn.CD
	r.addFeatures(r.labelOdds(from, to), r.labelOdds(to, to+1), r.labels, r.graph, boolToFloat(r.related[i]), boolToFloat(last.Entry < 0), boolToFloat(last.Capital), r.capitals,
		float64(min(4, to-from)), r.size, boolToFloat(determined), boolToFloat(last.Class != 0))
	return r.finishPart()
}

func (r *rater) rateAttribute(i, k int, o *schemas.Object) float64 {
	a := &o.Attributes[k]
	r.beginPart(AttributePart, i, k)
	from, to := r.tokensAt(a.Begin, a.End)
	if from >= to {
		r.addFeatures(make([]float64, len(partFeatures[AttributePart]))...)
		return r.finishPart()
	}
	link := float64(min(6, r.links[from].logOdds))
	last := &r.ts[to-1]
	r.addFeatures(r.labelOdds(from, to), link, r.labels, r.graph, boolToFloat(a.Form == schemas.Post), boolToFloat(last.Entry < 0), boolToFloat(last.Capital), r.capitals,
		float64(min(4, to-from)), r.objects[i])
	return r.finishPart()
}

func (r *rater) rateRelation(i int) float64 {
	e := &r.g.Relations[i]
	r.beginPart(RelationPart, i, 0)
	decision, added := 0.0, 1.0
	if d := r.decisions[objectPair(e.Subject, e.Object)]; d.logOdds != 0 {
		decision, added = float64(d.logOdds), 0
	}
	s, o := &r.g.Objects[e.Subject], &r.g.Objects[e.Object]
	gap := 0
	if s.Begin >= 0 && o.Begin >= 0 {
		_, from := r.tokensAt(min(s.Begin, o.Begin), min(s.End, o.End))
		to, _ := r.tokensAt(max(s.Begin, o.Begin), max(s.End, o.End))
		gap = max(0, min(12, to-from))
	}
	r.addFeatures(decision, added, r.labels, r.graph, boolToFloat(e.Begin == schemas.NoOffset), float64(strings.Count(e.Predicate, " ")), r.capitals, r.size,
		r.objects[e.Subject], r.objects[e.Object], float64(gap))
	return r.finishPart()
}
