package rules

import (
	"cmp"
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// previousObject returns the object before node b, or -1.
func (x *Reading) previousObject(b int) int {
	for b--; b >= 0 && x.Nodes[b].IsAttribute; b-- {
	}
	return b
}

// conjoinedObject returns the object before b that a conjunction joins with b, or -1.
func (x *Reading) conjoinedObject(ts []tokens.Token, b int) int {
	a, conjunction := x.joinedObject(ts, b)
	if !conjunction {
		return -1
	}
	return a
}

// joinedObject returns the object before b that a conjunction or a comma joins with b, or -1.
// conjunction reports whether it is a conjunction.
func (x *Reading) joinedObject(ts []tokens.Token, b int) (a int, conjunction bool) {
	if x.Nodes[b].IsAttribute {
		return -1, false
	}
	a = x.previousObject(b)
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
		case !x.InNode[i] && t.Tag != penn.DT && t.Tag != penn.PRPS && !isQualifier(t):
			return -1, false
		}
	}
	if !conjunction && !comma {
		return -1, false
	}
	return a, conjunction
}

// compoundSubject is a run of coordinated objects, from the first node to the last, that may be one
// subject: "a man and a woman open boxes".
type compoundSubject struct{ first, last int32 }

// findCompoundSubject returns the run of coordinated objects that includes a. several is false if
// the run has one object, or if its first object is itself the object of a relation.
func (x *Reading) findCompoundSubject(ts []tokens.Token, a int32) (s compoundSubject, several bool) {
	s = compoundSubject{a, a}
	for b := int(a) + 1; b < len(x.Nodes); b++ {
		if x.Nodes[b].IsAttribute {
			continue
		}
		if m, _ := x.joinedObject(ts, b); m != int(s.last) {
			break
		}
		s.last = int32(b)
	}
	if x.conjoinedObject(ts, int(s.last)) < 0 {
		return s, false
	}
	for m, _ := x.joinedObject(ts, int(a)); m >= 0; m, _ = x.joinedObject(ts, m) {
		s.first = int32(m)
	}
	return s, x.incomingRelation(s.first) < 0
}

// shareRelation adds relation r of object from, which was made from edge e, also for the objects
// coordinated with from: "a cat and a dog lying on a bed next to a window".
func (x *Reading) shareRelation(ts []tokens.Token, at []int32, from int32, e *analysis.Relation, r schemas.Relation, g *schemas.SceneGraph) {
	if !e.Candidate.IsForward() || x.incomingRelation(from) >= 0 {
		return
	}
	s, several := x.findCompoundSubject(ts, from)
	if !several || x.Nodes[s.last].To > e.Candidate.Words[0] {
		return
	}
	for m := s.first; m <= s.last; m++ {
		if m == from || x.Nodes[m].IsAttribute || at[m] < 0 || at[m] == r.Object {
			continue
		}
		if x.Nodes[m].IsPerson && !x.Nodes[from].IsPerson && ts[x.Nodes[e.B].To-1].IsOneOf(restraints) {
			continue // only the dog is: "a man and a dog on a leash"
		}
		alike := x.Nodes[from].IsAlive == x.Nodes[m].IsAlive
		if !s.sharesPredicate(ts, x, &e.Candidate, alike) {
			continue
		}
		if r.Subject = at[m]; !hasRelation(g, &r) {
			g.Relations = append(g.Relations, r)
		}
	}
}

// sharesPredicate reports whether a subject of s shares predicate c with the subject chosen by the
// model. alike tells whether both are alive or neither is.
func (s compoundSubject) sharesPredicate(ts []tokens.Token, x *Reading, c *analysis.Candidate, alike bool) bool {
	first := verbGroupStart(ts, c.Words[0])
	switch t := &ts[first]; {
	case t.Tag == penn.VBZ:
		return false
	case isFinite(t):
		return true
	case penn.IsVerb(t.Tag) || t.IsBe:
		return alike
	case t.Low == "of", t.Low == "with", first > x.Nodes[s.last].To:
		return false
	}
	return alike
}

// addReciprocals adds "each other", "side by side" and the like. If the objects have one name, it
// is an attribute ("two zebras standing next to each other"), else a relation of two objects ("a
// cat and a dog lying next to each other").
func (b *graphBuilder) addReciprocals() {
	s, low, ts, x, at, g := b.rules, b.low, b.ts, b.x, b.objectOf, b.graph
	for i := 1; i < len(ts); i++ {
		end := reciprocalEnd(ts, i)
		if end < 0 {
			continue
		}
		from := int32(i)
		for from > 0 && !ts[from-1].IsBe && x.isPredicateToken(ts, from-1) {
			from--
		}
		subject := from
		for subject > 0 && (ts[subject-1].IsBe || ts[subject-1].Tag == penn.MD || isRelativePronoun(&ts[subject-1])) {
			subject--
		}
		m := x.nodeAt(subject - 1)
		if m < 0 || x.Nodes[m].IsAttribute || at[m] < 0 || from == int32(i) && ts[i].Low != "side" {
			continue
		}
		if a := x.conjoinedObject(ts, m); a >= 0 {
			if c := (analysis.Candidate{Position: analysis.Between}); at[a] >= 0 && from < int32(i) && !areRelated(g, at[a], at[m]) {
				for ; from < int32(i) && c.N < analysis.MaxPredicate; from++ {
					c.Words[c.N] = from
					c.N++
				}
				r := schemas.Relation{Subject: at[a], Object: at[m]}
				s.fillPredicate(low, ts, x, &c, &r)
				g.Relations = append(g.Relations, r)
			}
			continue
		}
		for k := x.incomingRelation(int32(m)); ts[subject-1].Tag != penn.NNS && g.Objects[at[m]].Quantity == "" && k >= 0 && at[x.Edges[k].A] >= 0; k = x.incomingRelation(int32(m)) {
			m = int(x.Edges[k].A) // the trucks, not the grass: "two trucks parked in the grass next to each other"
			subject = x.Nodes[m].To
		}
		o := &g.Objects[at[m]]
		if ts[subject-1].Tag != penn.NNS && o.Quantity == "" && x.Nodes[m].Class != tokens.ClassGroup { // not several by form, number or class, unlike "two giraffe" and "a family"
			continue
		}
		a := schemas.Attribute{Text: phraseText(low, ts, from, end), Form: schemas.Post, Begin: ts[from].Begin, End: ts[end-1].End}
		o.Attributes = slices.DeleteFunc(o.Attributes, func(part schemas.Attribute) bool { return part.Begin >= a.Begin && part.End <= a.End })
		insertAttribute(o, a)
	}
}

// reciprocalEnd returns the token after "each other", "one another" or "side by side" at token i,
// or -1 if there is none.
func reciprocalEnd(ts []tokens.Token, i int) int32 {
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

// isPredicateToken reports whether token i can be part of a predicate: it is in no object, and is a
// verb, a preposition or the like.
func (x *Reading) isPredicateToken(ts []tokens.Token, i int32) bool {
	if k := x.nodeAt(i); k >= 0 && !x.Nodes[k].IsAttribute {
		return false
	}
	switch ts[i].Tag {
	case penn.IN, penn.TO, penn.RP, penn.RB, penn.JJ:
		return true
	}
	return penn.IsVerb(ts[i].Tag) || ts[i].IsOneOf(parts) && i > 0 && ts[i-1].Tag == penn.IN
}

// nodeAt returns the node that includes token i, or -1.
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
