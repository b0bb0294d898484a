package ruleparse

import (
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

// qualifies reports whether t is an adjective that says what kind, or a word with
// a hyphen, which before a noun mostly is one.
func qualifies(t *span) bool {
	adjectival := t.flags&adjective != 0 && (t.tag == tagJJ || t.tag == tagJJS) || isNoun(t.tag) && strings.Contains(t.low, " - ")
	return adjectival && t.kind == letters && !oneOf(unqualifying, t.low) && !oneOf(quantityWords, t.low)
}
