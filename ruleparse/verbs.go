package ruleparse

import "slices"

// verbs makes a verb of what the tagger takes for a noun right after somebody: "a child smiles at
// the camera", "another man watches", "a woman posing for a photo".
func (x *analysis) verbs(ts []span) {
	x.unglue(ts)
	x.lineUp(ts)
	x.clausal(ts)
	for k := range x.nodes {
		n := &x.nodes[k]
		if n.attribute || int(n.to) == len(ts) || !n.alive && (int(n.to)+1 == len(ts) || ts[n.to+1].low != "while") || ts[n.to-1].tag != tagNN && ts[n.to-1].tag != tagNNP {
			continue
		}
		t := &ts[n.to]
		if m := x.nodeAt(n.to); m >= 0 && !x.nodes[m].attribute || !endsVerb(ts, n.to+1) {
			continue
		}
		switch {
		case t.tag == tagNNS && t.flags&verbS != 0:
			t.tag = tagVBZ
		case t.tag == tagNN && t.flags&verbIng != 0:
			t.tag = tagVBG
		}
	}
}

// endsVerb reports whether token i can follow a verb that has no object: the end of a clause, a
// preposition, an adverb or a conjunction.
func endsVerb(ts []span, i int32) bool {
	if int(i) == len(ts) || ts[i].kind == mark {
		return true
	}
	switch ts[i].tag {
	case tagIN, tagTO, tagRB, tagCC:
		return ts[i].low != "of"
	}
	return false
}

// lineUp makes an attribute of "line up" after several that the model has in a line: "people
// line up to take a bus".
func (x *analysis) lineUp(ts []span) {
	for k := range x.nodes {
		n := &x.nodes[k]
		i := n.from
		if n.attribute || ts[i].low != "line" || n.to != i+1 || int(n.to) == len(ts) || ts[n.to].low != "up" {
			continue
		}
		a := x.previous(k)
		if a < 0 || x.nodes[a].to != i || ts[i-1].tag != tagNNS || x.inNode[n.to] || !x.nodes[a].alive && !oneOf(agents, ts[i-1].low) || !endsVerb(ts, n.to+1) {
			continue
		}
		*n = makeNode(ts, int(i), int(i)+2, true)
		x.inNode[i+1] = true
		x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return int(e.a) == k || int(e.b) == k })
		x.links = append(x.links, link{attribute: int32(k), object: int32(a)})
		x.strip(ts)
	}
}

// clausal makes a verb of a thing right after its pronoun, and says what the thing would be at of
// what the pronoun stands for: "a man jumps as he *skates* on a road".
func (x *analysis) clausal(ts []span) {
	for k := range x.nodes {
		n := &x.nodes[k]
		i := n.from
		if n.attribute || i == 0 || n.to != i+1 || !isFinite(&ts[i]) && ts[i].tag != tagVBD || !oneOf(nominatives, ts[i-1].low) || x.inNode[i-1] || i > 1 && !oneOf(conjunctions, ts[i-2].low) {
			continue
		}
		n.attribute, x.inNode[i] = true, false // one of nothing
		x.makeVerb(ts, i, ts[i].tag)
		a := int32(doing(ts, x, i-1))
		x.edges = slices.DeleteFunc(x.edges, func(e relation) bool { return int(e.b) == k || int(e.a) == k && a < 0 })
		for j := range x.edges {
			if int(x.edges[j].a) == k {
				x.edges[j].a = a
			}
		}
	}
}
