package ruleparse

// leap takes into a predicate the words that it leaps over to its object, where they
// are no object themselves:
//
//   - of a verb alone a noun or a pronoun and its preposition: "holding something in his
//     hand", "sitting down in the middle of the grass";
//   - after "to" the verb: "kneels down to pet two dogs";
//   - "background of": "a cat on a background of leaves" is on no leaves.
func (x *analysis) leap(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if c.implied != 0 || c.reversed || c.where != between || c.n == 0 {
			continue
		}
		last, begin := c.words[c.n-1], x.begins(int(e.b))
		if begin-last < 2 || begin-last > maxPair {
			continue
		}
		switch first := &ts[c.words[0]]; {
		case c.n == 1 && isVerb(first.tag) && !first.be,
			ts[last].tag == tagTO && ts[last+1].tag == tagVB && ts[last-1].low != "next",
			oneOf(" against in on over ", ts[last].low):
			x.extend(ts, c, begin)
		}
	}
}

// extend adds to c the words after it up to token begin that are no articles, adjectives or
// adverbs. It does so only where all of them can be in a predicate and the last one relates.
func (x *analysis) extend(ts []span, c *candidate, begin int32) {
	d := *c
	for i := d.words[d.n-1] + 1; i < begin; i++ {
		t := &ts[i]
		verb := t.tag == tagVB && ts[i-1].tag == tagTO
		switch {
		case x.inNode[i]:
			return
		case isNoun(t.tag) && !t.measure, verb, prepositions(t), t.low == "of", t.tag == tagPRP && !oneOf(" i he she they we ", t.low):
			if d.n == maxPredicate {
				return
			}
			d.words[d.n] = i
			d.n++
		case !determines(t) && t.tag != tagCD && t.tag != tagJJ && t.tag != tagRB && !t.measure:
			return
		}
	}
	if d.n == c.n {
		return
	}
	before, last := ts[d.words[d.n-2]].low, &ts[d.words[d.n-1]]
	onBackdrop := oneOf(" backdrop background ", before)
	switch {
	case c.n == 1 && !isVerb(ts[c.words[0]].tag) || !isVerb(ts[c.words[0]].tag) && last.tag != tagVB:
		if !onBackdrop || last.low != "of" {
			return
		}
	case last.low == "of":
		if !onBackdrop && (!oneOf(parts, before) || oneOf(" kind sort sorts type ", before)) {
			return
		}
	case last.tag != tagVB && (!prepositions(last) || oneOf(" about like than ", last.low)):
		return
	}
	*c = d
}
