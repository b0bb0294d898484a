package ruleparse

import "slices"

// catalogued keeps apart what a description made by a machine counts up: in "image may contain :
// person , playing a musical instrument , guitar and night" nobody plays the night.
func (x *analysis) catalogued(ts []span) {
	if len(ts) < 4 || ts[0].low != "image" || ts[1].low != "may" || ts[2].low != "contain" {
		return
	}
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool {
		c := &e.candidate
		return !c.forward() || slices.ContainsFunc(ts[c.words[c.n-1]:x.nodes[e.b].from], func(t span) bool { return t.tag == tagComma || t.tag == tagCC })
	})
}
