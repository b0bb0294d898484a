package ruleparse

import "capgraph/schemas"

// WordNet's lexicographer files of nouns that a pronoun may stand for.
const (
	classAnimal = 5
	classGroup  = 14
	classPerson = 18
	classPlant  = 20
)

// maxBack is how many nodes back a pronoun may refer.
const maxBack = 24

// possess relates what a possessive pronoun stands before with its owner, where
// the owner is sure: the only object before it that the pronoun fits. The
// relation is implied, so it has no offset.
func possess(ts []span, x *analysis, at []int32, g *schemas.SceneGraph) {
	for b := range x.nodes {
		if at[b] < 0 {
			continue
		}
		begin := x.begins(b)
		if begin == 0 || ts[begin-1].tag != tagPRPS {
			continue
		}
		owner := -1
		for a := max(0, b-maxBack); a < b; a++ {
			n := &x.nodes[a]
			if at[a] < 0 || !fits(ts[begin-1].low, ts, n) {
				continue
			}
			if owner >= 0 {
				owner = -2
				break
			}
			owner = a
		}
		if owner < 0 || areRelated(g, at[owner], at[b]) {
			continue
		}
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: at[owner], Object: at[b], Predicate: "has", Lemma: "have", Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
}

// fits reports whether a possessive pronoun can stand for n.
func fits(pronoun string, ts []span, n *node) bool {
	plural := ts[n.to-1].tag == tagNNS || ts[n.to-1].tag == tagNNPS
	alive := n.class == classPerson || n.class == classAnimal
	switch pronoun {
	case "his", "her":
		return alive && !plural
	case "their":
		return alive || n.class == classGroup
	case "its":
		return n.class != classPerson && !plural
	}
	return false
}

func areRelated(g *schemas.SceneGraph, a, b int32) bool {
	for i := len(g.Relations) - 1; i >= 0 && i >= len(g.Relations)-maxBack*maxBack; i-- {
		r := &g.Relations[i]
		if r.Subject == a && r.Object == b || r.Subject == b && r.Object == a {
			return true
		}
	}
	return false
}
