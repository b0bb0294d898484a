package ruleparse

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// unqualifying are adjectives that say which or how many, not what kind.
const unqualifying = " another certain different few first former fourth inside last least less little main many more most much multiple near next only other own possible previous same second several such third total unidentified unknown various whole "

// attributive adds the adjectives before an object that the model left out.
func attributive(low string, ts []span, x *analysis, at []int32, g *schemas.SceneGraph) {
	for i := range x.nodes {
		if at[i] < 0 || x.nodes[i].attribute {
			continue
		}
		j := x.nodes[i].from
		for k := i - 1; k >= 0 && x.nodes[k].attribute && x.nodes[k].to == j && !isQuantity(ts, x.nodes[k].from, j); k-- {
			j = x.nodes[k].from
		}
		for j--; j >= 0 && !x.inNode[j] && qualifies(&ts[j]); j-- {
			insertAttribute(&g.Objects[at[i]], schemas.Attribute{Text: phrase(low, ts, j, j+1), Form: schemas.Pre, Begin: ts[j].begin, End: ts[j].end})
		}
	}
}

// disguised makes attributes of adjectives that the model takes for objects right
// before the object that they qualify, or its other attributes: "a hot bartender",
// "a long haired cat", "a snowy mountainous path".
func (x *analysis) disguised(ts []span) {
	of := x.moved[:0] // what each node is, or what it qualifies
	for i := range x.nodes {
		of = append(of, int32(i))
	}
	found, head := false, int32(-1) // head is the object that the nodes after this one lead to
	for i := len(x.nodes) - 1; i >= 0; i-- {
		n := &x.nodes[i]
		if i+1 == len(x.nodes) || n.to != x.nodes[i+1].from {
			head = -1
		}
		switch {
		case n.attribute:
		case head >= 0 && n.to-n.from == 1 && ts[n.from].tag == tagJJ && qualifies(&ts[n.from]):
			n.attribute, of[i], found = true, head, true
		default:
			head = int32(i)
		}
	}
	x.moved = of[:0]
	if !found {
		return
	}
	x.added = x.added[:0]
	for _, e := range x.edges {
		if head := of[e.b]; head != e.b && of[e.a] == e.a && e.candidate.implied == 0 && x.into(head) < 0 {
			x.added = append(x.added, relation{e.a, head, e.candidate})
		}
	}
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return of[e.a] != e.a || of[e.b] != e.b })
	x.edges = append(x.edges, x.added...)
	x.order()
	for k := range x.links {
		l := &x.links[k]
		if n := &x.nodes[l.object]; of[l.object] != l.object && l.attribute == l.object-1 && x.nodes[l.attribute].to == n.from {
			x.nodes[l.attribute] = makeNode(ts, int(x.nodes[l.attribute].from), int(n.to), true) // cover drops what is within it
		}
		l.object = of[l.object]
	}
	for i, o := range of {
		if o != int32(i) && (i == 0 || x.nodes[i-1].to != x.nodes[i].to) {
			x.links = append(x.links, link{int32(i), o})
		}
	}
	slices.SortStableFunc(x.links, func(k, l link) int { return int(k.attribute - l.attribute) })
}

// qualifies reports whether t is an adjective that says what kind, or a word with
// a hyphen, which before a noun mostly is one.
func qualifies(t *span) bool {
	adjectival := t.flags&adjective != 0 && (t.tag == tagJJ || t.tag == tagJJS) || isNoun(t.tag) && strings.Contains(t.low, " - ")
	return adjectival && t.kind == letters && !oneOf(unqualifying, t.low) && !oneOf(quantityWords, t.low)
}
