package ruleparse

import "slices"

// divide keeps apart what the marks of a title divide: "Octopus Earrings - Octopus
// Jewelry - Stud Earrings". What the model takes for an attribute of an object on the other
// side of one is an object itself where it is a noun; an adjective right after the mark is
// the object's ("Luggage Tag - Brown").
func (x *analysis) divide(ts []span) {
	found, cased := false, false
	for i := range ts {
		found = found || ts[i].kind == mark && oneOf(dividers, ts[i].low)
		cased = cased || ts[i].capital
	}
	if !found {
		return
	}
	for k := range x.nodes {
		n := &x.nodes[k]
		for n.to-n.from > 1 && ts[n.to-1].kind == mark && oneOf(dividers, ts[n.to-1].low) {
			x.inNode[n.to-1] = false
			*n = makeNode(ts, int(n.from), int(n.to)-1, n.attribute)
		}
	}
	for k := len(x.links) - 1; k >= 0; k-- {
		l := x.links[k]
		a, o := &x.nodes[l.attribute], &x.nodes[l.object]
		marks := divisions(ts, min(a.to, o.to), max(a.from, o.from), cased)
		if marks == 0 {
			continue
		}
		last := &ts[a.to-1]
		switch {
		case last.flags&adjective == 0 && isNoun(last.tag) && ts[a.from].tag != tagIN && (int(a.to) == len(ts) || ts[a.to].kind == mark):
			a.attribute = false
			x.gather(k)
			x.links[k].object = -1
		case marks > 1 || l.object > l.attribute || ts[a.from-1].kind != mark:
			x.links[k].object = -1
		}
	}
	x.links = slices.DeleteFunc(x.links, func(l link) bool { return l.object < 0 })
}

// gather gives the node of link k, now an object, the attributes right before it.
func (x *analysis) gather(k int) {
	i := x.links[k].attribute
	for j := k - 1; j >= 0 && x.links[j].attribute == x.links[j+1].attribute-1 && x.nodes[x.links[j].attribute].to == x.nodes[x.links[j+1].attribute].from; j-- {
		x.links[j].object = i
	}
}

// dividers are the marks that stand between the parts of a title.
const dividers = " - -- – — | ~ • · "

// divisions counts the dividers between two tokens. A hyphen with spaces around it is one
// where a text has capitals; tokenised text has hyphens in words so ("time - lapse").
func divisions(ts []span, from, to int32, cased bool) int {
	n := 0
	for i := from; i < to; i++ {
		if ts[i].kind != mark || !oneOf(dividers, ts[i].low) {
			continue
		}
		if next := &ts[i+1]; ts[i].low != "-" || next.capital || cased && ts[i].spaced && next.spaced {
			n++
		}
	}
	return n
}

// capitalised reports whether all words have a capital, as those of a name and of a title.
func capitalised(ts []span) bool {
	for i := range ts {
		if ts[i].kind == letters && !ts[i].capital {
			return false
		}
	}
	return true
}
