package ruleparse

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/schemas"
)

const rewriteBits, rewriteEpochs = 16, 8

// tally counts what a string became.
type tally map[string]map[string]int

func (t tally) add(from, to string) {
	if t[from] == nil {
		t[from] = map[string]int{}
	}
	t[from][to]++
}

// ranked are the counts of from, largest first.
func (t tally) ranked(from string) []string {
	keys := slices.Collect(maps.Keys(t[from]))
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(t[from][b], t[from][a]), cmp.Compare(a, b))
	})
	return keys
}

// lines are the replacements that hold more often than not.
func (t tally) lines(kind string, least int) string {
	var b strings.Builder
	for _, from := range slices.Sorted(maps.Keys(t)) {
		to := t.ranked(from)[0]
		n := 0
		for _, c := range t[from] {
			n += c
		}
		if to != from && t[from][to] >= least && 2*t[from][to] > n {
			fmt.Fprintf(&b, "%s\t%s\t%s\n", kind, from, to)
		}
	}
	return b.String()
}

// trainRewriter learns the gold's conventions from gold analyses.
func (p *Parser) trainRewriter(xs []*example) []byte {
	names, attributes, quantities := tally{}, tally{}, tally{}
	predicates := tally{}
	type seen struct {
		g    *schemas.SceneGraph
		e    int
		gold rewriting
	}
	var all []seen
	for _, x := range xs {
		a := x.analysis()
		a.govern(x.spans)
		g := new(schemas.SceneGraph)
		p.buildGraph(x.caption, x.low(), x.spans, a, g)
		for i, n := range x.nodes {
			k := slices.IndexFunc(g.Objects, func(o schemas.Object) bool {
				return o.Begin == x.spans[n.from].begin && o.End == x.spans[n.to-1].end
			})
			if n.attribute || k < 0 {
				continue
			}
			names.add(g.Objects[k].Name, x.names[i])
			if q := g.Objects[k].Quantity; q != "" && !x.counted(i) {
				quantities.add(q, "")
			}
		}
		for _, l := range x.links {
			var o schemas.Object
			p.addAttribute(x.low(), x.spans, a, link{int32(l[0]), int32(l[1])}, &o)
			if o.Quantity != "" {
				quantities.add(o.Quantity, x.names[l[0]])
			} else if len(o.Attributes) > 0 {
				attributes.add(o.Attributes[0].Text, x.names[l[0]])
			}
		}
		if len(g.Relations) != len(x.edges) {
			continue // the graph says some of it otherwise
		}
		for i, e := range x.edges {
			r := rewriting{e.triple.Predicate, e.turned}
			all = append(all, seen{g, i, r})
			predicates.add(withoutArticles(g.Relations[i].Lemma), r.key())
		}
	}
	text := names.lines("n", 1) + attributes.lines("a", 2) + quantities.lines("q", 1)
	words := tally{}
	for _, x := range xs {
		for _, t := range x.gold {
			for w := range strings.FieldsSeq(t.Subject + " " + t.Object) {
				words.add("", w)
			}
		}
	}
	for _, w := range words.ranked("") {
		if words[""][w] >= 15 && len(w) >= 4 {
			text += "v\t" + w + "\t\n"
		}
	}
	options := map[string][]rewriting{}
	var b strings.Builder
	for _, lemma := range slices.Sorted(maps.Keys(predicates)) {
		for _, key := range predicates.ranked(lemma) {
			if predicates[lemma][key] < 2 || len(options[lemma]) == 8 {
				break
			}
			r := rewriting{key[1:], key[0] == 't'}
			options[lemma] = append(options[lemma], r)
		}
		if o := options[lemma]; len(o) == 1 && o[0] == (rewriting{text: lemma}) && !strings.HasSuffix(lemma, " by") {
			delete(options, lemma)
		}
		for _, r := range options[lemma] {
			fmt.Fprintf(&b, "%s\t%s\t%s\n", r.key()[:1], lemma, r.text)
		}
	}
	text += b.String()
	m := newLearner(rewriteBits, 1, 0.05)
	rnd := noise(4)
	var score [8]float32
	for epoch := range rewriteEpochs {
		for _, k := range shuffle(&rnd, len(all)) {
			s := &all[k]
			o := options[withoutArticles(s.g.Relations[s.e].Lemma)]
			gold := slices.Index(o, s.gold)
			if len(o) < 2 || gold < 0 {
				continue
			}
			var lists [][]uint32
			for _, r := range o {
				lists = append(lists, drop(&rnd, rewriteFeatures(p.lexicon, s.g, s.e, r, nil), 0.4, nil))
			}
			m.choice(lists, gold, score[:])
		}
		if epoch >= rewriteEpochs/2 {
			m.remember()
		}
	}
	m.average()
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	return appendWeights(append(out, text...), m.w, 1)
}

func (r rewriting) key() string {
	if r.turned {
		return "t" + r.text
	}
	return "p" + r.text
}

func (x *example) low() string {
	s, _ := lower(x.caption, nil)
	return s
}

// analysis is the gold as the parser would find it.
func (x *example) analysis() *analysis {
	a := &analysis{nodes: x.nodes, inNode: x.inNode}
	for _, l := range x.links {
		a.links = append(a.links, link{int32(l[0]), int32(l[1])})
	}
	for _, e := range x.edges {
		a.edges = append(a.edges, relation{int32(e.a), int32(e.b), e.candidate})
	}
	return a
}

// counted reports whether the gold says how many node i is.
func (x *example) counted(i int) bool {
	for _, l := range x.links {
		if n := &x.nodes[l[0]]; l[1] == i && n.from < x.nodes[i].from && isQuantity(x.spans, n.from, n.to) {
			return true
		}
	}
	return false
}
