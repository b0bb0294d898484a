package ruleparse

import "slices"

// unbind makes no attribute of a participle before the article of its object: "while
// bouncing a ball".
func (x *analysis) unbind(ts []span) {
	x.links = slices.DeleteFunc(x.links, func(l link) bool {
		n := &x.nodes[l.attribute]
		bound := l.object < l.attribute || ts[n.to-1].tag != tagVBG || !determines(&ts[n.to])
		if !bound {
			for i := n.from; i < n.to; i++ {
				x.inNode[i] = false
			}
		}
		return !bound
	})
}

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
		if ts[verb].flags&verbIng == 0 || !animate(ts[verb].low) || ts[verb-1].tag == tagCC && !x.parallel(ts, verb) {
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

// kinds are participles that say what kind of thing a noun is.
const kinds = " bathing carving cleaning cooking cutting dining drinking fishing frying greeting hunting reading riding running serving sewing shaving sleeping walking washing working "

// parallel reports whether the participle at token i, after a conjunction, goes on
// after another, and begins no compound: "holding a knife and cutting board".
func (x *analysis) parallel(ts []span, i int32) bool {
	if a := x.nodeAt(i - 2); a >= 0 {
		k := x.into(int32(a))
		return k >= 0 && isVerb(ts[x.edges[k].candidate.words[0]].tag) && !oneOf(kinds, ts[i].low)
	}
	return true
}
