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
// before the object that they qualify: "a hot bartender", "a long haired cat".
func (x *analysis) disguised(ts []span) {
	for i := range max(0, len(x.nodes)-1) {
		n, m := &x.nodes[i], &x.nodes[i+1]
		if n.attribute || m.attribute || n.to != m.from || n.to-n.from != 1 || ts[n.from].tag != tagJJ || !qualifies(&ts[n.from]) {
			continue
		}
		n.attribute = true
		a, b := int32(i), int32(i+1)
		x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return e.a == a || e.b == a })
		joined := false
		for k := range x.links {
			if l := &x.links[k]; l.object == a {
				l.object = b
				joined = joined || l.attribute == a-1 && x.nodes[a-1].to == n.from
			}
		}
		if joined {
			x.nodes[a-1] = makeNode(ts, int(x.nodes[a-1].from), int(n.to), true) // cover drops what is within it
			continue
		}
		x.links = append(x.links, link{a, b})
		slices.SortStableFunc(x.links, func(k, l link) int { return int(k.attribute - l.attribute) })
	}
}

// qualifies reports whether t is an adjective that says what kind, or a word with
// a hyphen, which before a noun mostly is one.
func qualifies(t *span) bool {
	adjectival := t.flags&adjective != 0 && (t.tag == tagJJ || t.tag == tagJJS) || isNoun(t.tag) && strings.Contains(t.low, " - ")
	return adjectival && t.kind == letters && !oneOf(unqualifying, t.low) && !oneOf(quantityWords, t.low)
}
