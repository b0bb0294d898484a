package ruleparse

import "slices"

// coloured takes the colour that a title ends with out of the name of the thing before it:
// "Pleated Skirt purple", "Canvas Sneakers White | Size 9". The colour is an attribute.
func (x *analysis) coloured(ts []span) {
	fresh := x.fresh[:0]
	for i := range x.nodes {
		n := &x.nodes[i]
		colour := n.to - 1
		if n.attribute || colour == n.from || !endColour(ts, colour) {
			continue
		}
		*n = makeNode(ts, int(n.from), int(colour), false)
		fresh = append(fresh, makeNode(ts, int(colour), int(colour)+1, true))
	}
	x.fresh = fresh
	if len(fresh) == 0 {
		return
	}
	x.insert(fresh)
	next := 0
	for k := range x.nodes {
		if next < len(fresh) && x.nodes[k].from == fresh[next].from {
			next++
			x.links = append(x.links, link{int32(k), int32(k - 1)})
		}
	}
	slices.SortStableFunc(x.links, func(k, l link) int { return int(k.attribute - l.attribute) })
}

// endColour reports whether token i is a colour after a thing that ends what a title, or a part
// of one, names.
func endColour(ts []span, i int32) bool {
	thing := &ts[i-1]
	return oneOf(colours, ts[i].low) && (thing.class == classArtifact || thing.class == classEvent) && thing.flags&anyNoun != 0 && thing.capital &&
		(int(i)+1 == len(ts) || ts[i+1].kind == mark)
}
