package ruleparse

import "slices"

// mend puts right what the model makes of words that it does not know, and what
// grammar says otherwise.
func (x *analysis) mend(ts []span) {
	x.verbs(ts)
	x.divide(ts)
	x.disguised(ts)
	x.undress(ts)
	x.release(ts)
	x.govern(ts)
	x.clauses(ts)
	x.picture(ts)
	x.shown(ts)
	x.order()
	x.aged(ts)
	x.displayed(ts)
	x.kindred(ts)
	x.cover(ts)
	x.unbind(ts)
	x.wholeNames(ts)
	x.coloured(ts)
	x.overlooked(ts)
	x.beside(ts)
	x.reach(ts)
	x.adopt(ts)
	x.coordinate(ts)
	x.rejoin(ts)
	x.perfects(ts)
	x.complete(ts)
	x.nominal(ts)
	x.leap(ts)
	x.part(ts)
	x.passive(ts)
	x.sided(ts)
	x.refer(ts)
	x.pursue(ts)
	x.relieve(ts)
	x.settle(ts)
	x.mutual(ts)
	x.predicated(ts)
	x.catalogued(ts)
	x.count(ts)
}

// include adds the relations of x.added.
func (x *analysis) include() {
	x.edges = append(x.edges, x.added...)
	x.order()
}

// order puts relations in the order of their second objects.
func (x *analysis) order() {
	slices.SortStableFunc(x.edges, func(a, b relation) int { return int(a.b - b.b) })
}

// edgesOf are the relations of which b is the second object.
func (x *analysis) edgesOf(b int) []relation {
	from := x.edgesFrom(b)
	to := from
	for to < len(x.edges) && int(x.edges[to].b) == b {
		to++
	}
	return x.edges[from:to]
}

// edgesFrom is where the relations of object b and those after it begin.
func (x *analysis) edgesFrom(b int) int {
	k, _ := slices.BinarySearchFunc(x.edges, b, func(e relation, b int) int { return int(e.b) - b })
	return k
}
