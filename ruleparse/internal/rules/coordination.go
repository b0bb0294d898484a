package rules

import (
	"cmp"
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// previous is the object before node b, or -1.
func (x *Reading) previous(b int) int {
	for b--; b >= 0 && x.Nodes[b].Attribute; b-- {
	}
	return b
}

// conjunct is the object that object b is coordinated with by a conjunction, or -1.
func (x *Reading) conjunct(ts []tokens.Token, b int) int {
	a, conjunction := x.joined(ts, b)
	if !conjunction {
		return -1
	}
	return a
}

// joined is the object before object b that a conjunction or a comma joins it with, and whether
// it is a conjunction; -1 where there is none.
func (x *Reading) joined(ts []tokens.Token, b int) (a int, conjunction bool) {
	if x.Nodes[b].Attribute {
		return -1, false
	}
	a = x.previous(b)
	if a < 0 {
		return -1, false
	}
	comma := false
	for i := x.Nodes[a].To; i < x.Nodes[b].From; i++ {
		switch t := &ts[i]; {
		case t.Tag == penn.CC:
			conjunction = true
		case t.Tag == penn.Comma:
			comma = true
		case !x.InNode[i] && t.Tag != penn.DT && t.Tag != penn.PRPS && !qualifies(t):
			return -1, false
		}
	}
	if !conjunction && !comma {
		return -1, false
	}
	return a, conjunction
}

// compoundSubject is a run of coordinated objects that begins a phrase, from the first to the last
// of them: "a man and a woman open boxes".
type compoundSubject struct{ first, last int32 }

// compoundSubject is the run that object a is part of; it has several objects only where nothing
// before is said to be at the first or to do something to it.
func (x *Reading) compoundSubject(ts []tokens.Token, a int32) (s compoundSubject, several bool) {
	s = compoundSubject{a, a}
	for b := int(a) + 1; b < len(x.Nodes); b++ {
		if x.Nodes[b].Attribute {
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
func (x *Reading) share(ts []tokens.Token, at []int32, from int32, e *analysis.Relation, r schemas.Relation, g *schemas.SceneGraph) {
	if !e.Candidate.Forward() || x.into(from) >= 0 {
		return
	}
	s, several := x.compoundSubject(ts, from)
	if !several || x.Nodes[s.last].To > e.Candidate.Words[0] {
		return
	}
	for m := s.first; m <= s.last; m++ {
		if m == from || x.Nodes[m].Attribute || at[m] < 0 || at[m] == r.Object {
			continue
		}
		alike := x.Nodes[from].Alive == x.Nodes[m].Alive
		if !s.together(ts, x, &e.Candidate, alike) {
			continue
		}
		if r.Subject = at[m]; !says(g, &r) {
			g.Relations = append(g.Relations, r)
		}
	}
}

// together reports whether what c says of one subject holds for another, which is alike where both
// are alive or neither is.
func (s compoundSubject) together(ts []tokens.Token, x *Reading, c *analysis.Candidate, alike bool) bool {
	first := verbGroup(ts, c.Words[0])
	switch t := &ts[first]; {
	case t.Tag == penn.VBZ:
		return false
	case isFinite(t):
		return true
	case penn.IsVerb(t.Tag) || t.Be:
		return alike
	case t.Low == "of", t.Low == "with", first > x.Nodes[s.last].To:
		return false
	}
	return alike
}

// reciprocate adds what objects do to each other: as an attribute where they have
// one name ("two zebras standing next to each other"), as a relation of two ("a cat
// and a dog lying next to each other").
func (b *building) reciprocate() {
	s, low, ts, x, at, g := b.rules, b.low, b.ts, b.x, b.at, b.g
	for i := 1; i < len(ts); i++ {
		end := mutualEnd(ts, i)
		if end < 0 {
			continue
		}
		from := int32(i)
		for from > 0 && !ts[from-1].Be && x.predicates(ts, from-1) {
			from--
		}
		subject := from
		for subject > 0 && (ts[subject-1].Be || ts[subject-1].Tag == penn.MD || relates(&ts[subject-1])) {
			subject--
		}
		m := x.nodeAt(subject - 1)
		if m < 0 || x.Nodes[m].Attribute || at[m] < 0 || from == int32(i) && ts[i].Low != "side" {
			continue
		}
		if a := x.conjunct(ts, m); a >= 0 {
			if c := (analysis.Candidate{Where: analysis.Between}); at[a] >= 0 && from < int32(i) && !areRelated(g, at[a], at[m]) {
				for ; from < int32(i) && c.N < analysis.MaxPredicate; from++ {
					c.Words[c.N] = from
					c.N++
				}
				r := schemas.Relation{Subject: at[a], Object: at[m]}
				s.predicate(low, ts, x, &c, &r)
				g.Relations = append(g.Relations, r)
			}
			continue
		}
		for k := x.into(int32(m)); ts[subject-1].Tag != penn.NNS && g.Objects[at[m]].Quantity == "" && k >= 0 && at[x.Edges[k].A] >= 0; k = x.into(int32(m)) {
			m = int(x.Edges[k].A) // "two trucks parked in the grass next to each other"
			subject = x.Nodes[m].To
		}
		o := &g.Objects[at[m]]
		if ts[subject-1].Tag != penn.NNS && o.Quantity == "" && x.Nodes[m].Class != tokens.ClassGroup { // "two giraffe", "a family"
			continue
		}
		a := schemas.Attribute{Text: phrase(low, ts, from, end), Form: schemas.Post, Begin: ts[from].Begin, End: ts[end-1].End}
		o.Attributes = slices.DeleteFunc(o.Attributes, func(part schemas.Attribute) bool { return part.Begin >= a.Begin && part.End <= a.End })
		insertAttribute(o, a)
	}
}

// mutualEnd is where "each other", "one another" or "side by side" ends that begins
// at token i, or -1.
func mutualEnd(ts []tokens.Token, i int) int32 {
	next := func(k int) string {
		if i+k < len(ts) {
			return ts[i+k].Low
		}
		return ""
	}
	switch {
	case ts[i].Low == "each" && next(1) == "other", ts[i].Low == "one" && next(1) == "another":
		return int32(i) + 2
	case ts[i].Low == "side" && next(1) == "by" && next(2) == "side":
		return int32(i) + 3
	}
	return -1
}

// predicates reports whether token i can be part of a predicate: it is no part of
// an object and a verb or a word that belongs to one.
func (x *Reading) predicates(ts []tokens.Token, i int32) bool {
	if k := x.nodeAt(i); k >= 0 && !x.Nodes[k].Attribute {
		return false
	}
	switch ts[i].Tag {
	case penn.IN, penn.TO, penn.RP, penn.RB, penn.JJ:
		return true
	}
	return penn.IsVerb(ts[i].Tag) || ts[i].In(parts) && i > 0 && ts[i-1].Tag == penn.IN
}

// nodeAt is the node that token i is in, or -1.
func (x *Reading) nodeAt(i int32) int {
	if i < 0 || !x.InNode[i] {
		return -1
	}
	k, _ := slices.BinarySearchFunc(x.Nodes, i, func(n analysis.Node, i int32) int { return cmp.Compare(n.To, i+1) })
	if k == len(x.Nodes) || x.Nodes[k].From > i {
		return -1
	}
	return k
}
