package ruleparse

import "capgraph/schemas"

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
