package ruleparse

// transitive are verbs that say nothing of their subject without an object.
const transitive = " 's contains do does features had has have having includes including lets let makes reads reading says saying "

// intransitive adds what an object does at the end of a clause, where the model left that out:
// "while a crowd watches", "a man in a suit is cooking", "a train with people watching".
func (b *building) intransitive() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.nodes {
		n := &x.nodes[i]
		if n.attribute || int(n.to) == len(ts) || x.inNode[n.to] {
			continue
		}
		verb := progressive(ts, n.to)
		if x.inNode[verb] {
			continue
		}
		finite := verb > n.to || acting(&ts[verb])
		if !finite && !participates(ts, n) {
			continue
		}
		end := verb + 1
		if int(end) < len(ts) && !x.inNode[end] && oneOf(particles, ts[end].low) {
			end++
		}
		if !x.concludes(ts, end) {
			continue
		}
		a := int32(i)
		if finite || !n.alive {
			a = phraseHead(ts, x, a, x.edgesFrom(i+1), n.to)
		}
		if at[a] >= 0 && !x.said(i, verb) {
			addPredicated(low, ts, verb, end, &g.Objects[at[a]])
		}
	}
}

// progressive is the participle of a verb that begins at token i, "is cooking", or i.
func progressive(ts []span, i int32) int32 {
	for verb := i + 1; int(verb) < len(ts) && ts[i].be && ts[i].tag != tagVBG; verb++ {
		switch t := &ts[verb]; {
		case t.tag == tagVBG && !t.be && !oneOf(transitive, t.low):
			return verb
		case t.tag != tagRB || t.low == "not" || t.low == "n't":
			return i
		}
	}
	return i
}

// participates reports whether a participle after object n says what it does: that of somebody,
// "with people watching", or one before a comma or "while".
func participates(ts []span, n *node) bool {
	t, next := &ts[n.to], &border
	if t.tag != tagVBG || oneOf(transitive, t.low) {
		return false
	}
	if int(n.to)+1 < len(ts) {
		next = &ts[n.to+1]
	}
	return n.alive && (n.person || n.class == classGroup || several(&ts[n.to-1]) || next.tag == tagComma) || next.low == "while"
}

// said reports whether the verb at token i, right after object k, is the first word of a
// relation.
func (x *analysis) said(k int, i int32) bool {
	for _, e := range x.edges[x.edgesFrom(k):x.edgesFrom(k+maxNeighbour+1)] {
		if e.candidate.implied == 0 && e.candidate.words[0] == i {
			return true
		}
	}
	return false
}

// acting reports whether t is a verb by which somebody or something does something.
func acting(t *span) bool {
	return (t.tag == tagVBZ || t.tag == tagVBP || t.tag == tagVB) && !t.be && t.flags&anyVerb != 0 && !oneOf(transitive, t.low)
}
