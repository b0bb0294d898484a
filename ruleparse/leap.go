package ruleparse

// leap takes into a predicate the words that it leaps over to its object, where they
// are no object themselves:
//
//   - of a verb alone a noun or a pronoun and its preposition: "holding something in his
//     hand", "sitting down in the middle of the grass";
//   - after "to" the verb: "kneels down to pet two dogs";
//   - of a preposition a noun and the next one: "a cat on a background of leaves" is on no
//     leaves, and "rooms with views towards a lake" have no lake.
func (x *analysis) leap(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if !c.forward() || c.n == 0 {
			continue
		}
		last, begin := c.words[c.n-1], x.begins(int(e.b))
		if begin-last < 2 || begin-last > maxPair {
			continue
		}
		alone := c.n == 1 && isVerb(ts[last].tag) && !ts[last].be
		if alone || prepositions(&ts[last]) && ts[last-1].low != "next" {
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
	before, last, led := &ts[d.words[d.n-2]], &ts[d.words[d.n-1]], &ts[c.words[c.n-1]]
	switch {
	case last.low == "of":
		if d.n-c.n < 2 || !oneOf(regions, before.low) {
			return
		}
	case last.tag == tagVB:
		if prepositions(led) && led.tag != tagTO {
			return
		}
	case !prepositions(last) || last.tag == tagTO && prepositions(led) || oneOf(" about but like than ", last.low) || prepositions(led) && !isNoun(before.tag):
		return
	}
	*c = d
}

// Nouns of where something is: spots of a thing or of a picture, and regions, which say so with "of".
const (
	spots   = " back background center centre corner corners distance edge edges foreground front half left middle rear right side sides "
	regions = spots + "backdrop beginning bottom end ends inside top "
)
