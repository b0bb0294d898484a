package ruleparse

// adopt relates an object of which the model says nothing by the preposition or the verb
// between it and the object before it: "riding skis down a snow covered slope". After a
// conjunction it is whoever does something to that object who does it: "wiping his brow while
// bouncing a ball".
func (x *analysis) adopt(ts []span) {
	x.told = x.told[:0]
	for range x.nodes {
		x.told = append(x.told, false)
	}
	for _, e := range x.edges {
		x.told[e.a], x.told[e.b] = true, true
	}
	x.added = x.added[:0]
	a := -1
	for b := range x.nodes {
		if x.nodes[b].attribute {
			continue
		}
		if a >= 0 && !x.told[b] && !x.leadsOn(ts, b) {
			from := x.nodes[a].to
			for i := from; i < x.nodes[b].from; i++ {
				from = max(from, mutualEnd(ts, int(i))) // "standing near each other in"
			}
			c, ok := x.stated(ts, from, b)
			switch {
			case !ok, ts[c.words[c.n-1]].low == "while":
			case !oneOf(conjunctions, ts[c.words[0]].low):
				x.added = append(x.added, relation{int32(a), int32(b), c})
			case c.n > 1 && ts[c.words[1]].tag == tagVBG && x.into(int32(a)) >= 0:
				copy(c.words[:], c.words[1:c.n])
				c.n--
				x.added = append(x.added, relation{x.edges[x.into(int32(a))].a, int32(b), c})
			}
		}
		a = b
	}
	x.include()
}

// leadsOn reports whether object b is the first part of a compound or owns what follows.
func (x *analysis) leadsOn(ts []span, b int) bool {
	to := x.nodes[b].to
	return b+1 < len(x.nodes) && x.nodes[b+1].from == to || int(to) < len(ts) && ts[to].tag == tagPOS
}

// conjunctions are tagged as prepositions and begin a clause.
const conjunctions = " after although as because before if since than that though unless until when whereas while "
