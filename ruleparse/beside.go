package ruleparse

// nearness are prepositions that are often tagged as adjectives, adverbs or nouns.
const nearness = " near beside alongside "

// beside relates an object by such a preposition right before it with the object before
// that: "a black dog near sheets". What the model says otherwise of the two passes over
// the preposition ("dog has sheets").
func (x *analysis) beside(ts []span) {
	x.added = x.added[:0]
	for b := range x.nodes {
		if x.nodes[b].attribute {
			continue
		}
		w := x.begins(b) - 1
		for w > 0 && determines(&ts[w]) {
			w--
		}
		if w < 1 || ts[w].tag == tagIN || !oneOf(nearness, ts[w].low) || x.inNode[w] || ts[w-1].tag == tagIN || determines(&ts[w-1]) || x.endsWith(b, w) {
			continue
		}
		ts[w].tag = tagIN
		from := len(x.added)
		if x.relateBefore(ts, b); len(x.added) == from {
			continue
		}
		for k := x.edgesFrom(b); k < len(x.edges) && int(x.edges[k].b) == b; k++ {
			if c := &x.edges[k].candidate; c.implied != 0 || c.where == between {
				*c = candidate{}
			}
		}
	}
	if len(x.added) > 0 {
		x.include()
		x.strip(ts)
	}
}

// endsWith reports whether a relation of object b with one before it ends with token w.
func (x *analysis) endsWith(b int, w int32) bool {
	for k := x.edgesFrom(b); k < len(x.edges) && int(x.edges[k].b) == b; k++ {
		if c := &x.edges[k].candidate; c.implied == 0 && c.n > 0 && c.words[c.n-1] == w {
			return true
		}
	}
	return false
}
