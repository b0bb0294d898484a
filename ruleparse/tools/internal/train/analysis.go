package train

import (
	"fmt"
	"io"
	"slices"

	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/tools/internal/examples"
)

const (
	labelBits, labelEpochs = 18, 8
	pairBits, pairEpochs   = 21, 8
)

// trainLabels trains the model of the labels of tokens.
func trainLabels(xs []*examples.Example, log io.Writer) *learner {
	common := newFeatureCounts()
	var all [][]uint32
	var gold []uint8
	var soft [][]float32
	for _, x := range xs {
		labels := x.Labels()
		one, two := uint32(analysis.Outside), uint32(analysis.Outside)
		for i := range x.Tokens {
			f := analysis.AppendLabelContext(x.Tokens, i, nil)
			f = analysis.AppendLabelHistory(x.Tokens, i, one, two, f)
			common.countFeatures(f)
			all, gold = append(all, f), append(gold, labels[i])
			if x.SoftLabels == nil {
				soft = append(soft, nil)
			} else {
				soft = append(soft, x.SoftLabels[i][:])
			}
			one, two = uint32(labels[i]), one
		}
	}
	for i := range all {
		all[i] = common.keepFrequent(all[i], 3)
	}
	m := newLearner(labelBits, analysis.LabelCount, 0.05)
	rnd := portable.SplitMix64(12)
	var buf []uint32
	for epoch := range labelEpochs {
		for _, k := range permutation(&rnd, len(all)) {
			buf = dropFeatures(&rnd, all[k], 0.3, buf)
			m.learnRow(buf, int(gold[k]), soft[k], 1<<analysis.LabelCount-1)
		}
		if epoch >= labelEpochs/2 {
			m.addToAverage()
		}
	}
	m.useAverage()
	fmt.Fprintf(log, "labels: %d tokens\n", len(all))
	return m
}

// decision is a training example for a choice: options, each with its features, and the right one.
type decision struct {
	options [][]uint32
	gold    int
}

// appendPairChoices appends the decisions about the object of each attribute and the relations of each
// object, in the order of the decoder.
func appendPairChoices(x *examples.Example, out []decision) []decision {
	done := &analysis.Analysis{Nodes: x.Nodes, InNode: x.InNode}
	for b := range x.Nodes {
		if !x.Nodes[b].IsAttribute {
			out = appendRelationChoices(x, done, b, out)
		}
	}
	for _, l := range x.Links {
		var d decision
		for o := range x.Nodes {
			if x.Nodes[o].IsAttribute || !analysis.MayBeLinked(x.Tokens, x.Nodes, l[0], o) {
				continue
			}
			if o == l[1] {
				d.gold = len(d.options)
			}
			d.options = append(d.options, analysis.AppendLink(x.Tokens, x.Nodes, l[0], o, nil))
		}
		if len(d.options) > 1 {
			out = append(out, d)
		}
	}
	return out
}

// appendRelationChoices appends the decisions about the relations of nodes[b] to earlier objects. It adds
// the gold relations to done.
func appendRelationChoices(x *examples.Example, done *analysis.Analysis, b int, out []decision) []decision {
	gold := map[int]analysis.Candidate{}
	parent := -1 // the nearest earlier object that nodes[b] is related to
	for _, e := range x.Edges {
		if e.B == b {
			gold[e.A], parent = e.Candidate, max(parent, e.A)
		}
	}
	if len(gold) == 0 && !x.KnowsAllRelations(b) {
		return out
	}
	var contexts []analysis.PairContext
	var objects []int
	var found [][]analysis.Candidate
	var lists [][][]uint32
	first := decision{options: [][]uint32{analysis.AppendUnrelated(x.Tokens, done, b, nil)}}
	for a := b - 1; a >= 0; a-- {
		if x.Nodes[a].IsAttribute || !analysis.MayBeRelated(x.Tokens, x.Nodes, a, b) {
			continue
		}
		var c analysis.PairContext
		c.Collect(x.Tokens, done, a, b)
		ks := analysis.AppendCandidates(x.Tokens, x.InNode, x.Nodes, a, b, nil)
		list := [][]uint32{c.AppendNoRelation(nil)}
		ks = slices.DeleteFunc(ks, func(k analysis.Candidate) bool {
			return k != gold[a] && analysis.IsRuledOut(x.Tokens, &x.Nodes[a], &x.Nodes[b], &k)
		})
		for i := range ks {
			f := c.AppendCandidate(x.Tokens, x.Nodes, a, b, &ks[i], nil)
			list = append(list, f)
			first.options = append(first.options, slices.Clone(f))
			if a == parent && ks[i] == gold[a] {
				first.gold = len(first.options) - 1
			}
		}
		contexts, objects, found, lists = append(contexts, c), append(objects, a), append(found, ks), append(lists, list)
	}
	if len(objects) == 0 {
		return out
	}
	out = append(out, first)
	if parent < 0 {
		return out
	}
	done.Edges = append(done.Edges, analysis.Relation{A: int32(parent), B: int32(b), Candidate: gold[parent]})
	for i, a := range objects {
		g, isGold := gold[a]
		if a == parent || !isGold && !x.KnowsAllRelations(b) {
			continue
		}
		c := &contexts[i]
		c.History.Summarise(x.Tokens, done.Edges, int32(a), int32(b))
		again := decision{options: [][]uint32{c.AppendFurther(x.Tokens, x.Nodes, a, b, nil, lists[i][0])}}
		for k := range found[i] {
			again.options = append(again.options, c.AppendFurther(x.Tokens, x.Nodes, a, b, &found[i][k], lists[i][k+1]))
			if isGold && found[i][k] == g {
				again.gold = k + 1
			}
		}
		out = append(out, again)
		if isGold {
			done.Edges = append(done.Edges, analysis.Relation{A: int32(a), B: int32(b), Candidate: g})
		}
	}
	return out
}

// trainPairs trains the model that chooses objects of attributes and candidates for relations.
func trainPairs(xs []*examples.Example, log io.Writer) *learner {
	var all []decision
	for _, x := range xs {
		all = appendPairChoices(x, all)
	}
	common := newFeatureCounts()
	options := 0
	for _, c := range all {
		for _, o := range c.options {
			common.countFeatures(o)
			options++
		}
	}
	for _, c := range all {
		for i := range c.options {
			c.options[i] = common.keepFrequent(c.options[i], 2)
		}
	}
	fmt.Fprintf(log, "pairs: %d choices among %.1f\n", len(all), float64(options)/float64(len(all)))
	m := newLearner(pairBits, 1, 0.03)
	rnd := portable.SplitMix64(3)
	var score []float32
	var kept [][]uint32
	for epoch := range pairEpochs {
		for _, k := range permutation(&rnd, len(all)) {
			c := &all[k]
			for len(kept) < len(c.options) {
				kept = append(kept, nil)
			}
			for i, o := range c.options {
				kept[i] = dropFeatures(&rnd, o, 0.3, kept[i])
			}
			if cap(score) < len(c.options) {
				score = make([]float32, 2*len(c.options))
			}
			m.learnChoice(kept[:len(c.options)], c.gold, score)
		}
		if epoch >= pairEpochs/2 {
			m.addToAverage()
		}
	}
	m.useAverage()
	return m
}
