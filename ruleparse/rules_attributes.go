package ruleparse

import (
	"slices"
	"strings"
)

// disguised makes attributes of adjectives and participles that the model takes for
// objects right before the object that they qualify, or its other attributes: "a hot
// bartender", "a long haired cat", "a snowy mountainous path", "a fenced in area"; and
// of a participle that is said of an object before it: "boats lined up at a dock".
func (x *analysis) disguised(ts []span) {
	of := x.moved[:0] // what each node is, or what it qualifies
	for i := range x.nodes {
		of = append(of, int32(i))
	}
	found, head := false, int32(-1) // head is the object that the nodes after this one lead to
	for i := len(x.nodes) - 1; i >= 0; i-- {
		n := &x.nodes[i]
		said := !n.attribute && n.to-n.from == 1 && onlyParticiple(&ts[n.from])
		if said {
			x.particle(ts, i)
		}
		if i+1 == len(x.nodes) || !x.adjoins(ts, i) {
			head = -1
		}
		switch {
		case n.attribute:
		case head >= 0 && (said || n.to-n.from == 1 && ts[n.from].tag == tagJJ && qualifies(&ts[n.from])):
			n.attribute, of[i], found = true, head, true
		case head >= 0 && x.modifies(ts, i, int(head)):
			n.attribute, of[i], found = true, head, true
		case said && x.before(i) >= 0:
			n.attribute, of[i], found = true, x.before(i), true
		default:
			head = int32(i)
		}
	}
	x.moved = of[:0]
	if !found {
		return
	}
	for i, o := range of {
		of[i] = of[o] // an object before may be disguised too
	}
	x.added = x.added[:0]
	for _, e := range x.edges {
		a, b := of[e.a], of[e.b]
		if (a != e.a || b != e.b) && a < b && e.candidate.implied == 0 && (b == e.b || x.into(b) < 0) {
			x.added = append(x.added, relation{a, b, e.candidate})
		}
	}
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return of[e.a] != e.a || of[e.b] != e.b })
	x.include()
	for k := range x.links {
		l := &x.links[k]
		if n := &x.nodes[l.object]; of[l.object] != l.object && l.attribute == l.object-1 && x.nodes[l.attribute].to == n.from && n.to-n.from == 1 {
			x.nodes[l.attribute] = makeNode(ts, int(x.nodes[l.attribute].from), int(n.to), true)
		}
		l.object = of[l.object]
	}
	for i, o := range of {
		if o != int32(i) && (i == 0 || x.nodes[i-1].to != x.nodes[i].to) {
			x.links = append(x.links, link{int32(i), o})
		}
	}
	x.orderLinks()
	x.dropInner()
}

// dropInner drops the nodes that end within the one before them.
func (x *analysis) dropInner() {
	kept := 0
	for i, n := range x.nodes {
		if i > 0 && n.to == x.nodes[i-1].to {
			x.moved = append(x.moved, int32(kept-1))
			continue
		}
		x.moved = append(x.moved, int32(kept))
		x.nodes[kept] = n
		kept++
	}
	x.nodes = x.nodes[:kept]
	x.move()
}

// modifies reports whether object i belongs to the name of object head, since only
// attributes and names stand between and the model implies what relates the two: "an
// island nautical map". A plural or a number between says that they are two.
func (x *analysis) modifies(ts []span, i, head int) bool {
	n := &x.nodes[i]
	t := &ts[n.to-1]
	if noun := isNoun(t.tag) && (t.tag == tagNN || t.capital) && n.to < x.nodes[head].from; !noun && !(isVerb(t.tag) && t.capital) || !isNoun(ts[x.nodes[head].from].tag) {
		return false
	}
	for k := i + 1; k < head; k++ {
		if numbers(&ts[x.nodes[k].from]) {
			return false
		}
	}
	if h := &x.nodes[head]; ts[n.from].capital && !ts[n.from].capitals && capitalised(ts[n.from:h.to]) && t.tag != tagNNS && !n.alive {
		return true
	}
	return slices.ContainsFunc(x.edgesOf(head), func(e relation) bool { return int(e.a) == i && e.candidate.implied != 0 })
}

// onlyParticiple reports whether t is a past participle and never a noun.
func onlyParticiple(t *span) bool {
	return strings.HasSuffix(t.low, "ed") && t.flags&verbParticiple != 0 && t.flags&anyNoun == 0
}

// particle takes the particle after a participle, node i, into it: "lined up".
func (x *analysis) particle(ts []span, i int) {
	n := &x.nodes[i]
	if int(n.to) == len(ts) || x.inNode[n.to] || !oneOf(" in off up ", ts[n.to].low) {
		return
	}
	if ts[n.to].tag == tagRP || i+1 < len(x.nodes) && x.nodes[i+1].from == n.to+1 {
		x.inNode[n.to] = true
		*n = makeNode(ts, int(n.from), int(n.to)+1, false)
	}
}

// before is the object before node i that is related to it, or -1.
func (x *analysis) before(i int) int32 {
	if of := x.edgesOf(i); len(of) > 0 {
		return of[0].a
	}
	return -1
}

// adjoins reports whether node i + 1 follows node i, perhaps after a comma where node i
// is an adjective and never a noun: "a snowy, icy street".
func (x *analysis) adjoins(ts []span, i int) bool {
	to, next := x.nodes[i].to, x.nodes[i+1].from
	return to == next || to+1 == next && ts[to].tag == tagComma && ts[to-1].flags&(adjective|anyNoun) == adjective
}
