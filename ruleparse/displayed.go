package ruleparse

import (
	"cmp"
	"slices"
)

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
