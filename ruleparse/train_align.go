package ruleparse

import (
	"capgraph/internal/annotated"
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"

	"capgraph/scenegraph"
)

// example is a caption of FACTUAL with its gold graph laid upon its tokens.
type example struct {
	caption   string
	gold      []Triple
	spans     []span
	nodes     []node
	names     []string // what the gold calls each node
	inNode    []bool   // by token
	links     [][2]int // attribute node, object node
	edges     []edge
	whole     bool                  // all of the gold was found in the text
	open      []bool                // by node: not all of its relations to nodes before it were found; nil where whole says it
	annotated *annotated.Row        // nil where the gold is FACTUAL's
	soft      [][labelCount]float32 // how likely a teacher holds each label, by token; nil of the annotators' examples
}

// edge is a relation between nodes a and b, a before b in the text: the
// candidate that states it, and what the gold calls it.
type edge struct {
	a, b      int
	candidate candidate
	triple    Triple
	turned    bool // the gold's subject is the graph's object
}

// readFactual reads a CSV of FACTUAL: image_id, region_id, caption, scene_graph.
func readFactual(path string) (captions []string, gold [][]Triple, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, r := range rows[1:] {
		if len(r) != 4 {
			return nil, nil, fmt.Errorf("%s: row %d has %d columns, want 4", path, i+2, len(r))
		}
		g, err := scenegraph.ParseTriples(r[3])
		if err != nil {
			continue
		}
		captions, gold = append(captions, r[2]), append(gold, g)
	}
	return captions, gold, nil
}

// renamed are words that the gold's annotators replaced.
var renamed = map[string][]string{
	"man": {"he", "him", "guy", "gentleman"}, "woman": {"she", "lady", "her"}, "person": {"guy", "someone", "somebody", "he", "she", "they", "i", "you", "people", "rider", "man", "one"},
	"people": {"they", "them", "guys", "persons", "folks"}, "men": {"guys"}, "wooden": {"wood"}, "persons": {"guys"},
	"2": {"two", "couple", "pair", "both"}, "3": {"three"}, "4": {"four"}, "5": {"five"}, "6": {"six"}, "7": {"seven"}, "8": {"eight"}, "9": {"nine"}, "10": {"ten"}, "12": {"twelve"},
	"1": {"one", "single"}, "gray": {"grey"}, "grey": {"gray"}, "tv": {"television"}, "motorcycle": {"motorbike"}, "image": {"picture"}, "picture": {"image", "photo"}, "woolen": {"wool"}, "kid": {"child"}, "child": {"kid"},
	"lots of": {"lot"}, "lot of": {"lot"},
}

// closeness is how well a gold word matches a token: 3 the same, 2 the same
// base, 1 a replaced or mistyped word, 0 not.
func closeness(p *lexicon, gold string, t *span, fuzzy bool) int {
	if gold == t.low {
		return 3
	}
	if t.kind == mark {
		return 0
	}
	for pos := range 2 {
		if p.baseOf(gold, p.find(gold, hashString(gold)), pos) == p.baseOf(t.low, t.entry, pos) {
			return 2
		}
	}
	if !fuzzy {
		return 0
	}
	if slices.Contains(renamed[gold], t.low) {
		return 1
	}
	if len(gold) >= 4 && len(t.low) >= 4 && editDistance(gold, t.low) <= 1+min(len(gold), len(t.low))/6 {
		return 1
	}
	return 0
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			c := diagonal
			if a[i] != b[j] {
				c++
			}
			diagonal = row[j+1]
			row[j+1] = min(c, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// occurrence is where a gold name stands in the text.
type occurrence struct{ from, to, quality int }

// occurrences finds name in ts, the best quality only.
func occurrences(p *lexicon, ts []span, name string, free []bool, fuzzy bool) []occurrence {
	words := strings.Fields(name)
	var out []occurrence
	try := func(from, to, quality int) {
		for k := from; k < to; k++ {
			if !free[k] {
				return
			}
		}
		if len(out) > 0 && out[0].quality < quality {
			out = out[:0]
		}
		if len(out) == 0 || out[0].quality == quality {
			out = append(out, occurrence{from, to, quality})
		}
	}
	plain := strings.NewReplacer(" ", "", "-", "").Replace(name)
	for i := range ts {
		if i+len(words) <= len(ts) {
			q := 3
			for k, w := range words {
				q = min(q, closeness(p, w, &ts[i+k], fuzzy))
			}
			if q > 0 {
				try(i, i+len(words), q)
				continue
			}
		}
		joined := ""
		for j := i; j < len(ts) && j < i+4 && len(joined) < len(plain); j++ {
			joined += strings.ReplaceAll(ts[j].low, "-", "")
			if joined == plain {
				try(i, j+1, 2)
			}
		}
	}
	return out
}

func (p *Parser) alignAll(captions []string, gold [][]Triple) []*example {
	xs := make([]*example, len(captions))
	for i := range captions {
		xs[i] = p.align(captions[i], gold[i])
	}
	return xs
}

// align lays a gold graph upon its caption.
func (p *Parser) align(caption string, gold []Triple) *example {
	x := &example{caption: caption, gold: gold, whole: true}
	var w work
	p.read(&w, caption)
	x.spans = w.spans
	ts := x.spans
	x.inNode = make([]bool, len(ts))
	free := make([]bool, len(ts))
	for i := range free {
		free[i] = true
	}
	var names []string
	for _, t := range gold {
		for k, n := range [...]string{t.Subject, t.Object} {
			if (k == 0 || t.Predicate != "is" && n != "") && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(len(strings.Fields(b)), len(strings.Fields(a)))
	})
	take := func(o occurrence, name string, attribute bool) {
		for k := o.from; k < o.to; k++ {
			free[k], x.inNode[k] = false, true
		}
		x.nodes = append(x.nodes, makeNode(ts, o.from, o.to, attribute))
		x.names = append(x.names, name)
	}
	missing := names[:0:0]
	for _, fuzzy := range [...]bool{false, true} {
		for _, n := range names {
			found := occurrences(p.lexicon, ts, n, free, fuzzy)
			for _, o := range found {
				take(o, n, false)
			}
			if len(found) == 0 {
				missing = append(missing, n)
			}
		}
		names, missing = missing, nil
	}
	if len(names) > 0 {
		x.whole = false
	}
	x.alignAttributes(p.lexicon, free)
	x.sort()
	p.alignRelations(x)
	return x
}

// alignAttributes finds the attributes of the gold, each near its object.
func (x *example) alignAttributes(l *lexicon, free []bool) {
	for _, t := range x.gold {
		if t.Predicate != "is" {
			continue
		}
		best, from, to, owner := 1<<30, 0, 0, -1
		spans := x.spans
		was := -1 // an attribute node that stands there already
		for o, n := range x.nodes {
			if n.attribute || x.names[o] != t.Subject {
				continue
			}
			for _, a := range occurrences(l, spans, t.Object, free, true) {
				d := int(n.from) - a.to
				if d < 0 {
					d = 2 * (a.from - int(n.to)) // attributes mostly come before
				}
				if d >= 0 && d < best {
					best, from, to, owner, was = d, a.from, a.to, o, -1
				}
			}
			for k, a := range x.nodes {
				if a.attribute && x.names[k] == t.Object {
					d := max(int(n.from-a.to), 2*int(a.from-n.to))
					if d < best {
						best, owner, was = d, o, k
					}
				}
			}
		}
		if owner < 0 {
			x.whole = false
			continue
		}
		if was < 0 {
			for k := from; k < to; k++ {
				free[k], x.inNode[k] = false, true
			}
			x.nodes = append(x.nodes, makeNode(x.spans, from, to, true))
			x.names = append(x.names, t.Object)
			was = len(x.nodes) - 1
		}
		x.links = append(x.links, [2]int{was, owner})
	}
}

// sort puts the nodes in the order of the text and returns where each went.
func (x *example) sort() []int {
	order := make([]int, len(x.nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x.nodes[a].from, x.nodes[b].from) })
	place := make([]int, len(order))
	nodes, names := make([]node, len(order)), make([]string, len(order))
	for to, from := range order {
		place[from] = to
		nodes[to], names[to] = x.nodes[from], x.names[from]
	}
	x.nodes, x.names = nodes, names
	for i := range x.links {
		x.links[i] = [2]int{place[x.links[i][0]], place[x.links[i][1]]}
	}
	slices.SortFunc(x.links, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return place
}

// alignRelations finds for each relation of the gold the pair of nodes and the
// candidate that state it.
func (p *Parser) alignRelations(x *example) {
	var buf []candidate
	taken := map[[2]int]bool{}
	for _, t := range x.gold {
		if t.Predicate == "" || t.Predicate == "is" {
			continue
		}
		best := 1 << 30
		var e edge
		for s := range x.nodes {
			for o := range x.nodes {
				if s == o || x.nodes[s].attribute || x.nodes[o].attribute || x.names[s] != t.Subject || x.names[o] != t.Object {
					continue
				}
				a, b := min(s, o), max(s, o)
				if taken[[2]int{a, b}] || !related(x.spans, x.nodes, a, b) {
					continue
				}
				buf = candidates(x.spans, x.inNode, &x.nodes[a], &x.nodes[b], leftBound(x.nodes, a), rightBound(x.nodes, b, len(x.spans)), buf[:0])
				c, rank := p.evidence(x.spans, buf, s > o, t.Predicate)
				if rank < 0 {
					continue
				}
				if cost := rank*100 + int(x.nodes[b].from-x.nodes[a].to); cost < best {
					best = cost
					e = edge{a: a, b: b, candidate: c, triple: t, turned: c.reversed != (s > o)}
				}
			}
		}
		if best == 1<<30 {
			x.whole = false
			continue
		}
		taken[[2]int{e.a, e.b}] = true
		x.edges = append(x.edges, e)
	}
}

// evidence chooses the candidate that states predicate, reversed where the gold's
// subject comes second in the text. The rank is the lower the surer, or -1.
func (p *Parser) evidence(ts []span, cs []candidate, reversed bool, predicate string) (candidate, int) {
	words := strings.Fields(predicate)
	var h uint32
	for _, w := range words {
		h = join(h, hashString(w))
	}
	for where := range nowhere {
		for _, c := range cs {
			if c.where == uint8(where) && c.hash == h && c.reversed == reversed && !(reversed && where == between && prepositional(ts, &c)) {
				return c, where
			}
		}
	}
	if reversed { // a passive: the verb of the gold with a preposition more
		first := hashString(words[0])
		for _, c := range cs {
			if c.where == between && !c.reversed && c.n >= 2 && ts[c.words[0]].lemma == first && prepositional(ts, &c) && c.n <= 3 {
				return c, 3
			}
		}
	}
	for _, c := range cs {
		if c.whole && c.n <= 4 && c.reversed == (reversed && !prepositional(ts, &c)) {
			return c, 4
		}
	}
	// the same verb or preposition with other words
	first := hashString(words[0])
	for _, c := range cs {
		if c.implied == 0 && c.reversed == reversed && ts[c.words[0]].lemma == first {
			return c, 5
		}
	}
	last := hashString(words[len(words)-1])
	for _, c := range cs {
		if c.implied == 0 && c.reversed == reversed && c.where == between && ts[c.words[c.n-1]].lemma == last {
			return c, 6
		}
	}
	for _, c := range cs {
		if c.implied != 0 && impliedPredicates[c.implied-1] == predicate && c.reversed == reversed {
			return c, 7
		}
	}
	return candidate{}, -1
}

// prepositional reports whether a candidate ends in a preposition, so that it
// reads from the first object to the second.
func prepositional(ts []span, c *candidate) bool {
	t := &ts[c.words[c.n-1]]
	return c.implied == 0 && (t.tag == tagIN || t.tag == tagTO || t.tag == tagRP)
}
