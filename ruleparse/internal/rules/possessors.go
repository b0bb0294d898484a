package rules

import (
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// passOverPossessors moves relations and attributes from a possessor to the thing possessed: "the boy's kite flies over
// a beach" and "a woman looks at the boy's kite" are not about the boy. If that is a part of the body, relations stay
// with its owner: "a woman's hand holding a banana".
func (x *Reading) passOverPossessors(ts []tokens.Token) {
	x.added = x.added[:0]
	passed := false
	for p := range x.Nodes {
		d := x.findPossessed(ts, p)
		if d < 0 {
			continue
		}
		part := x.Nodes[d].Class == tokens.ClassBody || x.Nodes[d].Class == tokens.ClassCognition
		end := x.Nodes[d].To
		for k := range x.Edges {
			e := &x.Edges[k]
			c := &e.Candidate
			switch {
			case !c.IsForward() || c.N == 0:
			case int(e.B) == p && c.Words[c.N-1] < x.Nodes[p].From:
				if !x.hasStatedEdge(e.A, int32(d)) && !part {
					x.added = append(x.added, analysis.Relation{A: e.A, B: int32(d), Candidate: *c})
				}
				if !part {
					c.N, passed = 0, true
				}
			case int(e.A) == p && int(e.B) > d && !part && verbGroupStart(ts, c.Words[0]) == end:
				if x.hasStatedEdge(int32(d), e.B) {
					c.N, passed = 0, true
				} else {
					e.A = int32(d)
				}
			}
		}
		for k := range x.Links {
			if l := &x.Links[k]; int(l.Object) == p && x.Nodes[l.Attribute].From >= end && verbGroupStart(ts, x.Nodes[l.Attribute].From) == end {
				l.Object = int32(d)
			}
		}
	}
	if passed {
		x.stripObjectWords(ts)
	}
	x.mergeAddedEdges()
}

// findPossessed returns the object that object p possesses, or -1: the kite for the boy of "the boy's red kite".
func (x *Reading) findPossessed(ts []tokens.Token, p int) int {
	to := x.Nodes[p].To
	if x.Nodes[p].IsAttribute || int(to) >= len(ts) || ts[to].Tag != penn.POS {
		return -1
	}
	d := x.nextObject(p)
	if d < 0 || x.PhraseStart(d) != to+1 {
		return -1
	}
	return d
}

// hasStatedEdge reports whether words of the text relate object a to object b: whether there is an edge that is not implied.
func (x *Reading) hasStatedEdge(a, b int32) bool {
	return slices.ContainsFunc(x.edgesInto(int(b)), func(e analysis.Relation) bool { return e.A == a && e.Candidate.Implied == 0 })
}
