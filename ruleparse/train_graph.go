package ruleparse

import (
	"fmt"
	"io"
	"slices"
)

const (
	labelBits, labelEpochs = 18, 8
	pairBits, pairEpochs   = 21, 8
)

// trainLabels trains the labels of tokens.
func trainLabels(xs []*example, log io.Writer) *learner {
	common := newFrequent()
	var all [][]uint32
	var gold []uint8
	var soft [][]float32
	for _, x := range xs {
		labels := x.labels()
		one, two := uint32(outside), uint32(outside)
		for i := range x.spans {
			f := labelContext(x.spans, i, nil)
			f = labelHistory(x.spans, i, one, two, f)
			common.count(f)
			all, gold = append(all, f), append(gold, labels[i])
			if x.soft == nil {
				soft = append(soft, nil)
			} else {
				soft = append(soft, x.soft[i][:])
			}
			one, two = uint32(labels[i]), one
		}
	}
	for i := range all {
		all[i] = common.keep(all[i], 3)
	}
	m := newLearner(labelBits, labelCount, 0.05)
	rnd := noise(12)
	var buf []uint32
	for epoch := range labelEpochs {
		for _, k := range shuffle(&rnd, len(all)) {
			buf = drop(&rnd, all[k], 0.3, buf)
			m.rows(buf, int(gold[k]), soft[k], 1<<labelCount-1)
		}
		if epoch >= labelEpochs/2 {
			m.remember()
		}
	}
	m.average()
	fmt.Fprintf(log, "labels: %d tokens\n", len(all))
	return m
}

// labels are the gold labels of the tokens.
func (x *example) labels() []uint8 {
	l := make([]uint8, len(x.spans))
	for _, n := range x.nodes {
		first := uint8(beginObject)
		if n.attribute {
			first = beginAttribute
		}
		for i := n.from; i < n.to; i++ {
			l[i] = first + 1
		}
		l[n.from] = first
	}
	return l
}

// choice is a decision to be learned: options, each a list of features, and
// which is right.
type choice struct {
	options [][]uint32
	gold    int
}

// pairChoices are the decisions on the relations of each object and on the object
// of each attribute, as the decoder takes them.
func pairChoices(x *example, out []choice) []choice {
	done := &analysis{nodes: x.nodes, inNode: x.inNode}
	for b := range x.nodes {
		if !x.nodes[b].attribute {
			out = relationChoices(x, done, b, out)
		}
	}
	for _, l := range x.links {
		var d choice
		for o := range x.nodes {
			if x.nodes[o].attribute || !linkable(x.spans, x.nodes, l[0], o) {
				continue
			}
			if o == l[1] {
				d.gold = len(d.options)
			}
			d.options = append(d.options, appendLink(x.spans, x.nodes, l[0], o, nil))
		}
		if len(d.options) > 1 {
			out = append(out, d)
		}
	}
	return out
}

// relationChoices are the decisions on how nodes[b] is related to the objects
// before it. The gold's relations are added to done.
func relationChoices(x *example, done *analysis, b int, out []choice) []choice {
	gold := map[int]candidate{}
	parent := -1 // the nearest object that nodes[b] is related to
	for _, e := range x.edges {
		if e.b == b {
			gold[e.a], parent = e.candidate, max(parent, e.a)
		}
	}
	if len(gold) == 0 && !x.knows(b) {
		return out
	}
	var contexts []pairContext
	var objects []int
	var found [][]candidate
	var lists [][][]uint32
	first := choice{options: [][]uint32{appendNothing(x.spans, done, b, nil)}}
	for a := b - 1; a >= 0; a-- {
		if x.nodes[a].attribute || !related(x.spans, x.nodes, a, b) {
			continue
		}
		var c pairContext
		c.collect(x.spans, done, a, b)
		ks := candidates(x.spans, x.inNode, &x.nodes[a], &x.nodes[b], leftBound(x.nodes, a), rightBound(x.nodes, b, len(x.spans)), nil)
		list := [][]uint32{c.appendNone(nil)}
		ks = slices.DeleteFunc(ks, func(k candidate) bool { return k != gold[a] && ruledOut(x.spans, &x.nodes[a], &x.nodes[b], &k) })
		for i := range ks {
			f := c.appendCandidate(x.spans, x.nodes, a, b, &ks[i], nil)
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
	done.edges = append(done.edges, relation{int32(parent), int32(b), gold[parent]})
	for i, a := range objects {
		g, isGold := gold[a]
		if a == parent || !isGold && !x.knows(b) {
			continue
		}
		c := &contexts[i]
		c.history.look(x.spans, done.edges, int32(a), int32(b))
		again := choice{options: [][]uint32{c.appendAgain(x.spans, x.nodes, a, b, nil, lists[i][0])}}
		for k := range found[i] {
			again.options = append(again.options, c.appendAgain(x.spans, x.nodes, a, b, &found[i][k], lists[i][k+1]))
			if isGold && found[i][k] == g {
				again.gold = k + 1
			}
		}
		out = append(out, again)
		if isGold {
			done.edges = append(done.edges, relation{int32(a), int32(b), g})
		}
	}
	return out
}

// trainPairs trains the choices among candidates.
func trainPairs(xs []*example, log io.Writer) *learner {
	var all []choice
	for _, x := range xs {
		all = pairChoices(x, all)
	}
	common := newFrequent()
	options := 0
	for _, c := range all {
		for _, o := range c.options {
			common.count(o)
			options++
		}
	}
	for _, c := range all {
		for i := range c.options {
			c.options[i] = common.keep(c.options[i], 2)
		}
	}
	fmt.Fprintf(log, "pairs: %d choices among %.1f\n", len(all), float64(options)/float64(len(all)))
	m := newLearner(pairBits, 1, 0.03)
	rnd := noise(3)
	var score []float32
	var kept [][]uint32
	for epoch := range pairEpochs {
		for _, k := range shuffle(&rnd, len(all)) {
			c := &all[k]
			for len(kept) < len(c.options) {
				kept = append(kept, nil)
			}
			for i, o := range c.options {
				kept[i] = drop(&rnd, o, 0.3, kept[i])
			}
			if cap(score) < len(c.options) {
				score = make([]float32, 2*len(c.options))
			}
			m.choice(kept[:len(c.options)], c.gold, score)
		}
		if epoch >= pairEpochs/2 {
			m.remember()
		}
	}
	m.average()
	return m
}
