package analysis

import (
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// history is what was decided before a pair of objects is: pairs are visited in
// the order of the second object.
type history struct {
	into   uint32 // how the second object is related already, 8 added where to one before the first
	out    uint32 // how the first object is related to one between
	bridge bool   // the first object is related to one that is related to the second
	edges  []Relation
}

// Look summarises the edges decided so far for nodes a and b.
func (h *history) Look(ts []tokens.Token, edges []Relation, a, b int32) {
	h.into, h.out, h.bridge, h.edges = 0, 0, false, edges
	var middle int32 = -1
	for i := len(edges) - 1; i >= 0 && edges[i].B == b; i-- {
		if e := &edges[i]; e.A != a {
			h.into, middle = sort(ts, &e.Candidate), e.A
			if e.A < a {
				h.into |= 8
			}
		}
	}
	for i := len(edges) - 1; i >= 0 && edges[i].B > a; i-- {
		if e := &edges[i]; e.A == a && e.B < b {
			h.out = sort(ts, &e.Candidate)
			if e.B == middle {
				h.bridge = true
			}
		}
	}
}

// sort is the kind of a candidate: 1 implied, 2 reversed, else by the tags of its
// first and last word.
func sort(ts []tokens.Token, c *Candidate) uint32 {
	switch {
	case c.Implied != 0:
		return 1
	case c.Reversed:
		return 2
	}
	k := uint32(4)
	if penn.IsVerb(ts[c.Words[0]].Tag) {
		k |= 1
	}
	if Prepositional(ts, c) {
		k |= 2
	}
	return k
}

// uses says whose words candidate c shares: of an edge into b from between, out
// of a to between, of another.
func (h *history) uses(c *Candidate, a, b int32) uint32 {
	var u uint32
	for i := len(h.edges) - 1; i >= 0 && h.edges[i].B >= a; i-- {
		e := &h.edges[i]
		if e.Candidate.Implied != 0 || c.Implied != 0 || e.Candidate.Words[0] > c.Words[c.N-1] || c.Words[0] > e.Candidate.Words[e.Candidate.N-1] {
			continue
		}
		same := e.Candidate.Words[0] == c.Words[0] && e.Candidate.N == c.N
		switch {
		case e.B == b && same:
			u |= 1
		case e.B == b:
			u |= 2
		case e.A == a && same:
			u |= 4
		case e.A == a:
			u |= 8
		default:
			u |= 16
		}
	}
	return u
}

func (h *history) state() uint32 {
	s := h.into<<8 | h.out<<4
	if h.bridge {
		s |= 1
	}
	return s
}
