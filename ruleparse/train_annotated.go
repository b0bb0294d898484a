package ruleparse

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"capgraph/internal/annotated"
)

// annotated are the annotated graphs to train on, and those to measure with while the
// parser is made.
func (p *Parser) annotated(data string) (train, development []*example, err error) {
	path := filepath.Join(data, "written", "graphs.jsonl")
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	for row, err := range annotated.Read(f, path) {
		if err != nil {
			return nil, nil, err
		}
		if x := p.lay(&row); annotated.Development(row.Text) {
			development = append(development, x)
		} else {
			train = append(train, x)
		}
	}
	return train, development, nil
}

// knows reports whether all relations of node b to nodes before it were found.
func (x *example) knows(b int) bool { return x.whole && (x.open == nil || !x.open[b]) }

// lay lays an annotated graph upon the tokens of its caption.
func (p *Parser) lay(g *annotated.Row) *example {
	x := &example{caption: g.Text, annotated: g, whole: true}
	var w work
	p.read(&w, g.Text)
	x.spans, x.inNode = w.spans, make([]bool, len(w.spans))
	objects := make([]int, len(g.Objects)) // its place among the nodes, by object
	for i, o := range g.Objects {
		from, to := tokensOf(x.spans, o.Begin, o.End)
		for to-from > 1 && x.spans[to-1].kind == clitic {
			to-- // "Dak's"
		}
		objects[i] = x.take(from, to, false)
	}
	for i, o := range g.Objects {
		if objects[i] < 0 {
			continue
		}
		for _, a := range o.Attributes {
			from, to := tokensOf(x.spans, a.Begin, a.End)
			if k := x.take(from, to, true); k >= 0 {
				x.links = append(x.links, [2]int{k, objects[i]})
			}
		}
		if o.Quantity.Text != "" {
			if from, to := counting(x.spans, o.Quantity); from < to {
				if k := x.take(from, to, true); k >= 0 {
					x.links = append(x.links, [2]int{k, objects[i]})
				}
			}
		}
	}
	for i := range objects {
		if objects[i] < 0 {
			x.whole = false
		}
	}
	place := x.sort()
	for _, r := range g.Relations {
		if s, o := objects[r.Subject], objects[r.Object]; s >= 0 && o >= 0 && s != o {
			x.tie(place[s], place[o], &r)
		}
	}
	slices.SortStableFunc(x.edges, func(a, b edge) int { return cmp.Compare(a.b, b.b) })
	return x
}

// tokensOf are the tokens that bytes [begin, end) touch.
func tokensOf(ts []span, begin, end int) (from, to int) {
	for from < len(ts) && int(ts[from].end) <= begin {
		from++
	}
	for to = from; to < len(ts) && int(ts[to].begin) < end; to++ {
	}
	return from, to
}

// counting are the tokens of a quantity that the labels hold: "two" and "group of"
// of "a large group of".
func counting(ts []span, q annotated.Quantity) (from, to int) {
	from, to = tokensOf(ts, q.Begin, q.End)
	for n := 1; n <= 2 && to-n >= from; n++ {
		if isQuantity(ts, int32(to-n), int32(to)) {
			return to - n, to
		}
	}
	return to, to
}

// take makes a node of tokens [from, to) and returns its index: that of the node that
// stands there already, or -1 where there is none and part of another is in the way.
func (x *example) take(from, to int, attribute bool) int {
	if from >= to {
		return -1
	}
	for k, n := range x.nodes {
		if int(n.from) == from && int(n.to) == to && n.attribute == attribute {
			return k
		}
	}
	if slices.Contains(x.inNode[from:to], true) {
		return -1
	}
	for i := from; i < to; i++ {
		x.inNode[i] = true
	}
	x.nodes = append(x.nodes, makeNode(x.spans, from, to, attribute))
	x.names = append(x.names, strings.ToLower(x.caption[x.spans[from].begin:x.spans[to-1].end]))
	return len(x.nodes) - 1
}

// tie finds the candidate that states r of nodes s and o.
func (x *example) tie(s, o int, r *annotated.Relation) {
	a, b := min(s, o), max(s, o)
	if x.open == nil {
		x.open = make([]bool, len(x.nodes))
	}
	for _, e := range x.edges {
		if e.a == a && e.b == b {
			return // one relation a pair is learned
		}
	}
	if !related(x.spans, x.nodes, a, b) {
		return
	}
	words := x.said(r)
	best, least := candidate{}, 1<<30
	for _, c := range x.between(a, b) {
		if c.reversed != (s > o) {
			continue
		}
		if d := c.apart(words); d < least {
			best, least = c, d
		}
	}
	if least > 1 {
		x.open[b] = true
		return
	}
	x.edges = append(x.edges, edge{a: a, b: b, candidate: best})
}

// said are the tokens of r that a predicate may be made of; none where it is implied.
func (x *example) said(r *annotated.Relation) []int32 {
	var out []int32
	for _, w := range r.Words {
		i, _ := tokensOf(x.spans, w, w+1)
		if i < len(x.spans) && !silent(&x.spans[i]) && !slices.Contains(out, int32(i)) {
			out = append(out, int32(i))
		}
	}
	return out
}

// apart is how many words c has too many or lacks; a predicate that no word states is
// "have" or nothing.
func (c *candidate) apart(words []int32) int {
	if c.implied != 0 {
		if len(words) == 0 && impliedPredicates[c.implied-1] == "have" {
			return 0
		}
		return 1 << 20
	}
	shared := 0
	for _, w := range c.words[:c.n] {
		if slices.Contains(words, w) {
			shared++
		}
	}
	if shared == 0 {
		return 1 << 20
	}
	return int(c.n) + len(words) - 2*shared
}
