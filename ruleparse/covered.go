package ruleparse

import "slices"

// coverings are participles that make one adjective with the noun before them.
const coverings = " capped coated covered drawn filled lined topped "

// cover makes attributes of what covers a thing: "a snow covered slope". The gold
// says that the snow covers the slope, and with it the model says that somebody
// skis down snow.
func (x *analysis) cover(ts []span) {
	kept := 0
	for i := range x.nodes {
		x.moved = append(x.moved, int32(kept))
		n := x.nodes[i]
		if kept > 0 && n.attribute && x.nodes[kept-1].attribute && x.nodes[kept-1].to == n.to {
			x.moved[i] = int32(kept - 1) // the participle
			continue
		}
		if kept > 0 && phrasal(ts, &x.nodes[kept-1], &n) {
			x.nodes[kept-1] = makeNode(ts, int(x.nodes[kept-1].from), int(n.to), true)
			x.moved[i] = int32(kept - 1)
			continue
		}
		if j := x.covers(ts, i); j >= 0 {
			x.handOver(int32(i), int32(j), n.to)
			x.inNode[n.to] = true
			n = makeNode(ts, int(n.from), int(n.to)+1, true)
		}
		x.nodes[kept] = n
		kept++
	}
	x.nodes = x.nodes[:kept]
	x.move()
}

// phrasal reports whether attribute n is the particle of the verb before it: "a man
// looks on".
func phrasal(ts []span, verb, n *node) bool {
	return verb.attribute && n.attribute && verb.to == n.from && n.to == n.from+1 && ts[verb.to-1].flags&anyVerb != 0 &&
		oneOf(" around down off on out over up ", ts[n.from].low)
}

// covers is the object that the noun of node i covers, or -1.
func (x *analysis) covers(ts []span, i int) int {
	n := &x.nodes[i]
	if n.attribute || n.to-n.from != 1 || !isNoun(ts[n.from].tag) || int(n.to) == len(ts) || !oneOf(coverings, ts[n.to].low) {
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

// handOver says of object j what was said of object i, and that i is an attribute
// of it. What token verb says, that i covers j, goes.
func (x *analysis) handOver(i, j, verb int32) {
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool {
		return e.a == i && e.b == j || slices.Contains(e.candidate.words[:e.candidate.n], verb)
	})
	related := func(a int32) bool {
		return slices.ContainsFunc(x.edges, func(e relation) bool { return e.a == a && e.b == j })
	}
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return e.b == i && related(e.a) })
	for k := range x.edges {
		if e := &x.edges[k]; e.a == i {
			e.a = j
		} else if e.b == i {
			e.b = j
		}
	}
	for k := range x.links {
		if l := &x.links[k]; l.object == i {
			l.object = j
		}
	}
	x.links = append(x.links, link{attribute: i, object: j})
}
