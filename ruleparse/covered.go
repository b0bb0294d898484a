package ruleparse

import "slices"

// coverings are participles that make one adjective with the noun before them.
const coverings = " capped coated covered drawn filled lined topped "

// cover makes attributes of what covers a thing: "a snow covered slope". The gold
// says that the snow covers the slope, and with it the model says that somebody
// skis down snow. Attributes that are one are joined.
func (x *analysis) cover(ts []span) {
	x.heads = x.heads[:0]
	for i := range x.nodes {
		x.heads = append(x.heads, int32(i))
	}
	covering := false
	for i := len(x.nodes) - 1; i >= 0; i-- {
		if j := x.covers(ts, i); j >= 0 {
			x.heads[i], covering = x.heads[j], true
		}
	}
	if covering {
		x.handOver()
	}
	kept := 0
	for i := range x.nodes {
		x.moved = append(x.moved, int32(kept))
		n := x.widen(ts, x.nodes[i])
		if kept > 0 && n.attribute && x.nodes[kept-1].attribute && x.nodes[kept-1].to == n.to {
			x.moved[i] = int32(kept - 1) // the participle
			continue
		}
		if kept > 0 && phrasal(ts, &x.nodes[kept-1], &n) {
			x.nodes[kept-1] = makeNode(ts, int(x.nodes[kept-1].from), int(n.to), true)
			x.moved[i] = int32(kept - 1)
			continue
		}
		if x.heads[i] != int32(i) {
			x.inNode[n.to] = true
			n = makeNode(ts, int(n.from), int(n.to)+1, true)
		}
		x.nodes[kept] = n
		kept++
	}
	x.nodes = x.nodes[:kept]
	x.move()
}

// phrasal reports whether attribute n is one with that before it: the particle of a verb, "a man
// looks on", or the end of a fixed expression.
func phrasal(ts []span, verb, n *node) bool {
	return verb.attribute && n.attribute && verb.to == n.from &&
		(n.to == n.from+1 && ts[verb.to-1].flags&anyVerb != 0 && oneOf(" around down off on out over up ", ts[n.from].low) || fixed(ts, n.from))
}

// covers is the object that the noun of node i covers, or -1.
func (x *analysis) covers(ts []span, i int) int {
	n := &x.nodes[i]
	if n.attribute || !isNoun(ts[n.to-1].tag) || int(n.to) == len(ts) || (n.to-n.from != 1 || !oneOf(coverings, ts[n.to].low)) && !x.worked(ts, i) {
		return -1
	}
	j := i + 1
	for j < len(x.nodes) && x.nodes[j].attribute {
		j++
	}
	if j == len(x.nodes) || x.nodes[j].from == n.to {
		return -1
	}
	if begin := x.begins(j); begin != n.to+1 && begin != n.to {
		return -1
	}
	return j
}

// worked reports whether the noun of node i and the participle after it say how something is
// made or kept: "a hand painted bowl", "a wall mounted sink". A noun with "the" has a verb after
// it, and so has who does something.
func (x *analysis) worked(ts []span, i int) bool {
	n := &x.nodes[i]
	last, t := &ts[n.to-1], &ts[n.to]
	if x.inNode[n.to] || t.flags&verbParticiple == 0 || t.tag != tagVBN && t.tag != tagVBD || t.be || oneOf(namings, t.low) {
		return false
	}
	if n.alive || last.tag == tagNNS || last.tag == tagNNPS {
		return false
	}
	begin := x.begins(i)
	return begin == 0 || !determines(&ts[begin-1]) || oneOf(" a an ", ts[begin-1].low)
}

// namings are participles before a name or what is given.
const namings = " called dubbed entitled given had labeled labelled left marked met named pictured read said showed titled "

// handOver says of the heads what was said of what covers them, of which each is an
// attribute. That it covers them goes.
func (x *analysis) handOver() {
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool {
		return x.heads[e.a] == x.heads[e.b] || slices.ContainsFunc(e.candidate.words[:e.candidate.n], x.covered)
	})
	x.added = x.added[:0]
	for _, e := range x.edges {
		if b := x.heads[e.b]; b == e.b || !x.paired(e.a, b) {
			x.added = append(x.added, relation{x.heads[e.a], b, e.candidate})
		}
	}
	x.edges = append(x.edges[:0], x.added...)
	x.order()
	for k := range x.links {
		x.links[k].object = x.heads[x.links[k].object]
	}
	for i, head := range x.heads {
		if head != int32(i) {
			x.links = append(x.links, link{int32(i), head})
		}
	}
	x.orderLinks()
}

// covered reports whether token i is a participle by which something covers its head.
func (x *analysis) covered(i int32) bool {
	k := x.nodeAt(i - 1)
	return k >= 0 && x.nodes[k].to == i && x.heads[k] != int32(k)
}

// paired reports whether the model relates object b with object a before it.
func (x *analysis) paired(a, b int32) bool {
	return slices.ContainsFunc(x.edges[x.edgesFrom(int(b)):x.edgesFrom(int(b)+1)], func(e relation) bool { return e.a == a })
}
