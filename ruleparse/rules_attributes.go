package ruleparse

import (
	"cmp"
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

// displayed makes an attribute of "on display", which is no place, with the participle before it,
// and says what comes after it of what is on display: "a motorcycle *on display* at a museum".
func (x *analysis) displayed(ts []span) {
	i := 1
	for i < len(ts) && !(ts[i].low == "display" && ts[i-1].low == "on") {
		i++
	}
	if i >= len(ts) || i+1 < len(ts) && (isNoun(ts[i+1].tag) || ts[i+1].low == "of") {
		return
	}
	from := int32(i) - 1
	if t := &ts[max(from-1, 0)]; from > 1 && (t.tag == tagVBG || t.tag == tagVBN) && !t.be && !x.inNode[from-1] {
		from--
	}
	m, owner := x.nodeAt(int32(i)), x.endsBefore(ts, from)
	if m < 0 {
		if owner < 0 || x.inNode[from] || x.inNode[i-1] {
			return
		}
		x.fresh = append(x.fresh[:0], makeNode(ts, int(from), i+1, true))
		x.insert(x.fresh)
		m = owner + 1
		for x.nodes[m].from != from {
			m++
		}
		x.onDisplay(ts, m, owner)
	} else {
		own := x.edgesOf(m)
		if n := &x.nodes[m]; n.attribute || n.from != int32(i) || n.to != n.from+1 || x.inNode[i-1] || owner < 0 && len(own) == 0 {
			return
		}
		for _, e := range own {
			x.links = append(x.links, link{int32(m), e.a})
			owner = int(e.a)
		}
		if len(own) == 0 {
			x.onDisplay(ts, m, owner)
		}
		x.nodes[m] = makeNode(ts, int(from), i+1, true)
		x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return int(e.b) == m })
		for k := range x.edges {
			if e := &x.edges[k]; int(e.a) == m {
				e.a = int32(owner)
			}
		}
	}
	for k := from; k <= int32(i); k++ {
		x.inNode[k] = true
	}
	x.orderLinks()
}

// onDisplay gives attribute m to an object and to those coordinated with it that a phrase begins
// with: "muffins and cupcakes on display", not "a shop with windows and items on display".
func (x *analysis) onDisplay(ts []span, m, owner int) {
	x.links = append(x.links, link{int32(m), int32(owner)})
	for owner = x.conjunct(ts, owner); owner >= 0 && x.into(int32(owner)) < 0; owner = x.conjunct(ts, owner) {
		x.links = append(x.links, link{int32(m), int32(owner)})
	}
}

// endsBefore is the object that ends before token i, or of which a form of "be" there says what
// follows; or -1.
func (x *analysis) endsBefore(ts []span, i int32) int {
	be := i
	for be > 1 && ts[be-1].be {
		be--
	}
	if be < i {
		return int(subjectOf(ts, x, be))
	}
	k, found := slices.BinarySearchFunc(x.nodes, i, func(n node, end int32) int { return cmp.Compare(n.to, end) })
	if !found || x.nodes[k].attribute {
		return -1
	}
	return k
}

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
