package ruleparse

import "slices"

// gerunds takes the verb out of an object that the model begins with it, and says
// it of whatever the object was related to: "eating pizza and drinking soda". Only
// after an object, a worn colour or a conjunction is it a verb: "a drinking fountain"
// is a compound.
func (x *analysis) gerunds(ts []span) {
	for k := range x.nodes {
		n := &x.nodes[k]
		if n.attribute || n.to-n.from < 2 || n.from == 0 {
			continue
		}
		verb := n.from
		if ts[verb].flags&verbIng == 0 || !oneOf(animateVerbs, ts[verb].low) {
			continue
		}
		l := x.nodeAt(verb - 1)
		if ts[verb-1].tag != tagCC && !wornColour(ts, int(verb)-1) && (l < 0 || x.nodes[l].attribute) {
			continue
		}
		said := candidate{where: between, n: 1, words: [maxPredicate]int32{verb}}
		from, to := x.edgesFrom(k), x.edgesFrom(k+1)
		if from == to {
			a := objectBefore(x, -1, verb)
			if a < 0 || ts[verb-1].tag == tagCC {
				continue
			}
			x.edges = slices.Insert(x.edges, from, relation{a: int32(a), b: int32(k)})
			to++
		}
		x.inNode[verb] = false
		*n = makeNode(ts, int(verb)+1, int(n.to), false)
		for i := from; i < to; i++ {
			x.edges[i].candidate = said
		}
	}
}
