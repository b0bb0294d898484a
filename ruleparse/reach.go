package ruleparse

import "slices"

// reach keeps a predicate from objects that are not its own:
//
//   - what has an object after it says nothing of one before its subject: "the monks clean
//     a garden at a temple" has no garden at the monks. Only in a relative clause it does, by
//     its verb: "the dress that the actor wore in a movie";
//   - before both its objects stands a preposition of something that follows, "inside the
//     box is a ring", and no verb: "holding a cup with both hands".
func (x *analysis) reach(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		switch {
		case c.implied != 0 || c.n == 0:
		case c.where == after && c.reversed && x.spoken(ts, c):
			if relates(&ts[x.nodes[e.a].to]) && isVerb(ts[c.words[0]].tag) {
				c.n = 1
			} else {
				c.n = 0
			}
		}
	}
	x.strip(ts)
}

// spoken reports whether the words of c have an object after them, or a noun that may be.
func (x *analysis) spoken(ts []span, c *candidate) bool {
	last := c.words[c.n-1]
	for i := last + 1; int(i) < len(ts) && i < last+maxPair; i++ {
		switch t := &ts[i]; {
		case x.inNode[i]:
			if k := x.nodeAt(i); k < 0 || !x.nodes[k].attribute {
				return t.tag != tagPRP
			}
		case isNoun(t.tag):
			return !oneOf(parts, t.low)
		case !determines(t) && t.tag != tagCD && t.tag != tagJJ:
			return false
		}
	}
	return false
}

// part gives an object to the preposition or the verb that stands between it and the object
// before it, where the model has both in one relation: "a man riding on a bus in a park". What
// is owned is in the relation, and not who owns it: "holding a child's hand".
func (x *analysis) part(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if !c.forward() || c.n == 0 {
			continue
		}
		last := c.words[c.n-1]
		for m := x.previous(int(e.b)); m > int(e.a) && x.nodes[m].from > last; m = x.previous(m) {
			own := x.edgesOf(m)
			same := slices.IndexFunc(own, func(f relation) bool { return f.a == e.a && f.candidate.words == c.words && f.candidate.n == c.n })
			if same < 0 {
				continue
			}
			to := x.nodes[m].to
			switch said, ok := x.stated(ts, to, int(e.b)); {
			case !x.governed(ts, to, x.begins(int(e.b))):
			case ts[to].tag == tagPOS:
				own[same].candidate.n = 0
			case ok && len(x.edgesOf(int(e.b))) == 1:
				e.a, *c = int32(m), said
			default:
				c.n = 0
			}
			break
		}
	}
	x.strip(ts)
}

// governed reports whether a preposition or a verb stands among the tokens from from up to to,
// or "'s" at the first, and nothing by which an object is one more.
func (x *analysis) governed(ts []span, from, to int32) bool {
	found := false
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.inNode[i]:
		case t.tag == tagCC || t.kind == mark && t.tag != tagPeriod || oneOf(" as including plus with ", t.low):
			return false
		case t.tag == tagIN || t.tag == tagTO || t.tag == tagWDT || t.tag == tagWP || t.tag == tagPOS && i == from || isVerb(t.tag):
			found = true
		}
	}
	return found
}
