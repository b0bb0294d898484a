package ruleparse

// verbs makes a verb of what the tagger takes for a noun right after somebody: "a child smiles at
// the camera", "another man watches", "a woman posing for a photo".
func (x *analysis) verbs(ts []span) {
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
