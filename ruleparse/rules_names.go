package ruleparse

// move renames the nodes of links and relations and drops those of a node with
// itself, and what was said by an attribute that is part of an object now.
func (x *analysis) move() {
	links := x.links[:0]
	for _, l := range x.links {
		l.attribute, l.object = x.moved[l.attribute], x.moved[l.object]
		if x.nodes[l.attribute].attribute {
			links = append(links, l)
		}
	}
	x.links = links
	edges := x.edges[:0]
	for _, e := range x.edges {
		e.a, e.b = x.moved[e.a], x.moved[e.b]
		if e.a != e.b {
			edges = append(edges, e)
		}
	}
	x.edges, x.moved = edges, x.moved[:0]
}

// strip takes the words that are in an object out of predicates, and the
// predicates that say nothing without them.
func (x *analysis) strip(ts []span) {
	edges := x.edges[:0]
	for _, e := range x.edges {
		c := &e.candidate
		if c.implied == 0 {
			n, says := uint8(0), false
			for _, w := range c.words[:c.n] {
				if !x.inNode[w] {
					c.words[n] = w
					n++
					says = says || states(&ts[w])
				}
			}
			if c.n = n; !says {
				continue
			}
		}
		edges = append(edges, e)
	}
	x.edges = edges
}

// states reports whether a word of a predicate says something of two objects, as a
// noun or a name does not.
func states(t *span) bool {
	if len(t.low) == 1 || oneOf(unspecific, t.low) {
		return false
	}
	return !isNoun(t.tag) || t.entry >= 0 && !t.capital && (t.flags&anyVerb != 0 || t.flags&anyNoun == 0)
}
