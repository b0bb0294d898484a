package rules

import (
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// move renames the nodes of links and relations and drops those of a node with
// itself, and what was said by an attribute that is part of an object now.
func (x *Reading) move() {
	links := x.Links[:0]
	for _, l := range x.Links {
		l.Attribute, l.Object = x.moved[l.Attribute], x.moved[l.Object]
		if x.Nodes[l.Attribute].Attribute {
			links = append(links, l)
		}
	}
	x.Links = links
	edges := x.Edges[:0]
	for _, e := range x.Edges {
		e.A, e.B = x.moved[e.A], x.moved[e.B]
		if e.A != e.B {
			edges = append(edges, e)
		}
	}
	x.Edges, x.moved = edges, x.moved[:0]
}

// strip takes the words that are in an object out of predicates, and the
// predicates that say nothing without them.
func (x *Reading) strip(ts []tokens.Token) {
	edges := x.Edges[:0]
	for _, e := range x.Edges {
		c := &e.Candidate
		if c.Implied == 0 {
			n, says := uint8(0), false
			for _, w := range c.Words[:c.N] {
				if !x.InNode[w] {
					c.Words[n] = w
					n++
					says = says || states(&ts[w])
				}
			}
			if c.N = n; !says {
				continue
			}
		}
		edges = append(edges, e)
	}
	x.Edges = edges
}

// states reports whether a word of a predicate says something of two objects, as a
// noun or a name does not.
func states(t *tokens.Token) bool {
	if len(t.Low) == 1 || t.In(unspecific) {
		return false
	}
	return !penn.IsNoun(t.Tag) || t.Entry >= 0 && !t.Capital && (t.Flags&tokens.AnyVerb != 0 || t.Flags&tokens.AnyNoun == 0)
}
