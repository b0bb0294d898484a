package ruleparse

// perfects takes "have" out of predicates where it is the auxiliary of a participle:
// whoever has built a wall built it.
func (x *analysis) perfects(ts []span) {
	for k := range x.edges {
		c := &x.edges[k].candidate
		if c.implied != 0 {
			continue
		}
		verb := perfect(ts, c.words[0])
		switch {
		case verb < 0 || x.inNode[verb]:
		case c.n == 1:
			c.words[0] = verb
		case c.words[1] == verb:
			c.n = uint8(copy(c.words[:], c.words[1:c.n]))
		}
	}
}

// perfect is the participle whose auxiliary token i is, or -1: a form of "have" with
// a participle after it that qualifies no noun, as it does in "has striped curtains".
func perfect(ts []span, i int32) int32 {
	if !oneOf(" has have had 've ", ts[i].low) {
		return -1
	}
	verb := i + 1
	for int(verb) < len(ts) && (ts[verb].tag == tagRB || ts[verb].low == "been") {
		verb++
	}
	if int(verb) >= len(ts) || ts[verb].flags&(verbParticiple|verbIng) == 0 {
		return -1
	}
	if next := rightOf(ts, &node{to: verb + 1}); ts[verb-1].low == "been" || determines(next) || next.tag == tagIN || next.tag == tagTO {
		return verb
	}
	return -1
}
