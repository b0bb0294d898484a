package ruleparse

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/schemas"
)

// reciprocate adds what objects do to each other: as an attribute where they have
// one name ("two zebras standing next to each other"), as a relation of two ("a cat
// and a dog lying next to each other").
func (b *building) reciprocate() {
	p, low, ts, x, at, g := b.parser, b.low, b.ts, b.x, b.at, b.g
	for i := 1; i < len(ts); i++ {
		end := mutualEnd(ts, i)
		if end < 0 {
			continue
		}
		from := int32(i)
		for from > 0 && !ts[from-1].be && x.predicates(ts, from-1) {
			from--
		}
		subject := from
		for subject > 0 && (ts[subject-1].be || ts[subject-1].tag == tagMD || relates(&ts[subject-1])) {
			subject--
		}
		m := x.nodeAt(subject - 1)
		if m < 0 || x.nodes[m].attribute || at[m] < 0 || from == int32(i) && ts[i].low != "side" {
			continue
		}
		if a := x.conjunct(ts, m); a >= 0 {
			if c := (candidate{where: between}); at[a] >= 0 && from < int32(i) && !areRelated(g, at[a], at[m]) {
				for ; from < int32(i) && c.n < maxPredicate; from++ {
					c.words[c.n] = from
					c.n++
				}
				r := schemas.Relation{Subject: at[a], Object: at[m]}
				p.predicate(low, ts, x, &c, &r)
				g.Relations = append(g.Relations, r)
			}
			continue
		}
		for k := x.into(int32(m)); ts[subject-1].tag != tagNNS && g.Objects[at[m]].Quantity == "" && k >= 0 && at[x.edges[k].a] >= 0; k = x.into(int32(m)) {
			m = int(x.edges[k].a) // "two trucks parked in the grass next to each other"
			subject = x.nodes[m].to
		}
		o := &g.Objects[at[m]]
		if ts[subject-1].tag != tagNNS && o.Quantity == "" && x.nodes[m].class != classGroup { // "two giraffe", "a family"
			continue
		}
		a := schemas.Attribute{Text: phrase(low, ts, from, end), Form: schemas.Post, Begin: ts[from].begin, End: ts[end-1].end}
		o.Attributes = slices.DeleteFunc(o.Attributes, func(part schemas.Attribute) bool { return part.Begin >= a.Begin && part.End <= a.End })
		insertAttribute(o, a)
	}
}

// mutual takes what objects do to each other out of what is said of another object:
// "two zebras standing next to each other in a field".
func (x *analysis) mutual(ts []span) {
	for i := 1; i < len(ts); i++ {
		end := mutualEnd(ts, i)
		if end < 0 {
			continue
		}
		b, _ := slices.BinarySearchFunc(x.nodes, end, func(n node, end int32) int { return cmp.Compare(n.from, end) })
		for b < len(x.nodes) && x.nodes[b].attribute {
			b++
		}
		from := x.edgesFrom(b)
		for k := range x.edges[from:x.edgesFrom(b+1)] {
			c := &x.edges[from+k].candidate
			if c.implied == 0 && c.words[0] < int32(i) && c.words[c.n-1] < x.nodes[b].from {
				c.n = uint8(len(region(ts, x.inNode, int(end), int(x.nodes[b].from), maxPredicate, c.words[:0])))
			}
		}
	}
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return e.candidate.implied == 0 && e.candidate.n == 0 })
}

// mutualEnd is where "each other", "one another" or "side by side" ends that begins
// at token i, or -1.
func mutualEnd(ts []span, i int) int32 {
	next := func(k int) string {
		if i+k < len(ts) {
			return ts[i+k].low
		}
		return ""
	}
	switch {
	case ts[i].low == "each" && next(1) == "other", ts[i].low == "one" && next(1) == "another":
		return int32(i) + 2
	case ts[i].low == "side" && next(1) == "by" && next(2) == "side":
		return int32(i) + 3
	}
	return -1
}

// predicates reports whether token i can be part of a predicate: it is no part of
// an object and a verb or a word that belongs to one.
func (x *analysis) predicates(ts []span, i int32) bool {
	if k := x.nodeAt(i); k >= 0 && !x.nodes[k].attribute {
		return false
	}
	switch ts[i].tag {
	case tagIN, tagTO, tagRP, tagRB, tagJJ:
		return true
	}
	return isVerb(ts[i].tag) || oneOf(parts, ts[i].low) && i > 0 && ts[i-1].tag == tagIN
}

// nodeAt is the node that token i is in, or -1.
func (x *analysis) nodeAt(i int32) int {
	if i < 0 || !x.inNode[i] {
		return -1
	}
	k, _ := slices.BinarySearchFunc(x.nodes, i, func(n node, i int32) int { return cmp.Compare(n.to, i+1) })
	if k == len(x.nodes) || x.nodes[k].from > i {
		return -1
	}
	return k
}

// reciprocal is the predicate of an attribute that reciprocate adds, as FACTUAL writes
// it between the two: "stand next to".
func (p *Parser) reciprocal(attribute string) (predicate string, ok bool) {
	for _, end := range [...]string{" each other", " one another", "side by side"} {
		if predicate, ok = strings.CutSuffix(attribute, end); !ok {
			continue
		}
		if end == "side by side" {
			predicate += "side by side with"
		}
		verb, rest, _ := strings.Cut(predicate, " ")
		predicate = strings.TrimSuffix(p.verb(verb)+" "+rest, " ")
		if o := p.rewriter.predicates[predicate]; len(o) > 0 && !o[0].turned {
			predicate = o[0].text
		}
		return predicate, true
	}
	return "", false
}

// verb is the base form of w where w is a verb.
func (p *Parser) verb(w string) string {
	return p.lexicon.baseOf(w, p.lexicon.find(w, hashString(w)), 1)
}

// one is the name of one of several objects: "zebras", "polar bears".
func (p *Parser) one(name string) string {
	cut := strings.LastIndexByte(name, ' ') + 1
	head := name[cut:]
	return name[:cut] + p.lexicon.baseOf(head, p.lexicon.find(head, hashString(head)), 0)
}
