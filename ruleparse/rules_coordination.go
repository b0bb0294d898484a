package ruleparse

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/schemas"
)

// container is what object a is said to fill, or -1: "a cup of coffee", "a vase filled with
// water".
func (x *analysis) container(ts []span, a int) int {
	i := x.begins(a) - 2
	if i > 0 && oneOf(" filled full ", ts[i].low) {
		i--
	}
	if i < 0 || !oneOf(" of with ", ts[x.begins(a)-1].low) || ts[i+1].low == "with" || !oneOf(containers, ts[i].low) || ts[i].low == "head" && x.nodes[a].alive {
		return -1
	}
	return x.nodeAt(i)
}

// previous is the object before node b, or -1.
func (x *analysis) previous(b int) int {
	for b--; b >= 0 && x.nodes[b].attribute; b-- {
	}
	return b
}

// conjunct is the object that object b is coordinated with by a conjunction, or -1.
func (x *analysis) conjunct(ts []span, b int) int {
	a, conjunction := x.joined(ts, b)
	if !conjunction {
		return -1
	}
	return a
}

// joined is the object before object b that a conjunction or a comma joins it with, and whether
// it is a conjunction; -1 where there is none.
func (x *analysis) joined(ts []span, b int) (a int, conjunction bool) {
	if x.nodes[b].attribute {
		return -1, false
	}
	a = x.previous(b)
	if a < 0 {
		return -1, false
	}
	comma := false
	for i := x.nodes[a].to; i < x.nodes[b].from; i++ {
		switch t := &ts[i]; {
		case t.tag == tagCC:
			conjunction = true
		case t.tag == tagComma:
			comma = true
		case !x.inNode[i] && t.tag != tagDT && t.tag != tagPRPS && !qualifies(t):
			return -1, false
		}
	}
	if !conjunction && !comma {
		return -1, false
	}
	return a, conjunction
}

// acts reports whether a verb follows object n, so that it may begin a clause.
func acts(ts []span, n *node) bool {
	if int(n.to) == len(ts) {
		return false
	}
	t := &ts[n.to]
	return isVerb(t.tag) || t.be || oneOf(postureVerbs, t.low) || animate(t.low)
}

// compoundSubject is a run of coordinated objects that begins a phrase, from the first to the last
// of them: "a man and a woman open boxes".
type compoundSubject struct{ first, last int32 }

// compoundSubject is the run that object a is part of; it has several objects only where nothing
// before is said to be at the first or to do something to it.
func (x *analysis) compoundSubject(ts []span, a int32) (s compoundSubject, several bool) {
	s = compoundSubject{a, a}
	for b := int(a) + 1; b < len(x.nodes); b++ {
		if x.nodes[b].attribute {
			continue
		}
		if m, _ := x.joined(ts, b); m != int(s.last) {
			break
		}
		s.last = int32(b)
	}
	if x.conjunct(ts, int(s.last)) < 0 {
		return s, false
	}
	for m, _ := x.joined(ts, int(a)); m >= 0; m, _ = x.joined(ts, m) {
		s.first = int32(m)
	}
	return s, x.into(s.first) < 0
}

// share adds of the other subjects what r, which edge e says, says of object from, one of them:
// "a cat and a dog lying on a bed next to a window".
func (x *analysis) share(ts []span, at []int32, from int32, e *relation, r schemas.Relation, g *schemas.SceneGraph) {
	if !e.candidate.forward() || x.into(from) >= 0 {
		return
	}
	s, several := x.compoundSubject(ts, from)
	if !several || x.nodes[s.last].to > e.candidate.words[0] {
		return
	}
	for m := s.first; m <= s.last; m++ {
		if m == from || x.nodes[m].attribute || at[m] < 0 || at[m] == r.Object {
			continue
		}
		alike := x.nodes[from].alive == x.nodes[m].alive
		if !s.together(ts, x, &e.candidate, alike, sharesAny(g, at[from], at[m])) {
			continue
		}
		if r.Subject = at[m]; !says(g, &r) {
			g.Relations = append(g.Relations, r)
		}
	}
}

// together reports whether what c says of one subject holds for another, which is alike where both
// are alive or neither is; before is set where something was said of both already.
func (s compoundSubject) together(ts []span, x *analysis, c *candidate, alike, before bool) bool {
	first := verbGroup(ts, c.words[0])
	switch t := &ts[first]; {
	case first > 0 && relates(&ts[first-1]), t.tag == tagVBZ:
		return false
	case isFinite(t):
		return true
	case isVerb(t.tag) || t.be:
		return alike
	case t.low == "of", t.low == "with":
		return alike && first == x.nodes[s.last].to && x.conjunct(ts, int(s.last)) == int(s.first) && x.determined(ts, s.first) && !x.determined(ts, s.last)
	case first > x.nodes[s.last].to:
		return alike && before
	}
	return alike
}

// determined reports whether object a has an article of its own, or a possessive.
func (x *analysis) determined(ts []span, a int32) bool {
	begin := x.begins(int(a))
	return begin > 0 && determines(&ts[begin-1])
}

// sharesAny reports whether objects a and b are subjects of the same words already.
func sharesAny(g *schemas.SceneGraph, a, b int32) bool {
	for i := len(g.Relations) - 1; i >= max(0, len(g.Relations)-maxBack); i-- {
		r := g.Relations[i]
		if r.Subject != a {
			continue
		}
		if r.Subject = b; says(g, &r) {
			return true
		}
	}
	return false
}

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
