package ruleparse

// history is what was decided before a pair of objects is: pairs are visited in
// the order of the second object.
type history struct {
	into   uint32 // how the second object is related already, 8 added where to one before the first
	out    uint32 // how the first object is related to one between
	bridge bool   // the first object is related to one that is related to the second
	edges  []relation
}

// look summarises the edges decided so far for nodes a and b.
func (h *history) look(ts []span, edges []relation, a, b int32) {
	h.into, h.out, h.bridge, h.edges = 0, 0, false, edges
	var middle int32 = -1
	for i := len(edges) - 1; i >= 0 && edges[i].b == b; i-- {
		if e := &edges[i]; e.a != a {
			h.into, middle = sort(ts, &e.candidate), e.a
			if e.a < a {
				h.into |= 8
			}
		}
	}
	for i := len(edges) - 1; i >= 0 && edges[i].b > a; i-- {
		if e := &edges[i]; e.a == a && e.b < b {
			h.out = sort(ts, &e.candidate)
			if e.b == middle {
				h.bridge = true
			}
		}
	}
}

// sort is the kind of a candidate: 1 implied, 2 reversed, else by the tags of its
// first and last word.
func sort(ts []span, c *candidate) uint32 {
	switch {
	case c.implied != 0:
		return 1
	case c.reversed:
		return 2
	}
	k := uint32(4)
	if isVerb(ts[c.words[0]].tag) {
		k |= 1
	}
	if prepositional(ts, c) {
		k |= 2
	}
	return k
}

// uses says whose words candidate c shares: of an edge into b from between, out
// of a to between, of another.
func (h *history) uses(c *candidate, a, b int32) uint32 {
	var u uint32
	for i := len(h.edges) - 1; i >= 0 && h.edges[i].b >= a; i-- {
		e := &h.edges[i]
		if e.candidate.implied != 0 || c.implied != 0 || e.candidate.words[0] > c.words[c.n-1] || c.words[0] > e.candidate.words[e.candidate.n-1] {
			continue
		}
		same := e.candidate.words[0] == c.words[0] && e.candidate.n == c.n
		switch {
		case e.b == b && same:
			u |= 1
		case e.b == b:
			u |= 2
		case e.a == a && same:
			u |= 4
		case e.a == a:
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
