package ruleparse

import "slices"

// relieve takes a pronoun and what belongs to it out of a predicate that runs over it: "urinals
// with signs hanging over them in a restroom" has the urinals in the restroom, and "a dog walks
// behind her on a leash" has no "behind her on". A pronoun that is the object of a verb goes where
// another relation says what is done to it: "people are watching him on the sidelines".
func (x *analysis) relieve(ts []span) {
	relieved := false
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		i := c.overruns(ts)
		if i < 0 {
			continue
		}
		m := objectBefore(x, int(e.a), c.words[0])
		other := m > int(e.a) && x.nodes[m].to == c.words[0] // "*urinals* with signs hanging over"
		n, last := &x.nodes[e.a], c.words[c.n-1]
		switch {
		case other && ts[c.words[0]].tag == tagVBN || other && !standsFor(&ts[c.words[i]], &ts[n.to-1], n):
			continue
		case other && slices.ContainsFunc(x.edgesOf(int(e.b)), func(f relation) bool {
			return int(f.a) == m && f.candidate.n > 0 && f.candidate.words[f.candidate.n-1] == last
		}):
			c.n = 0 // "tables with people sitting at them on benches"
		case other || introduces(ts, c.words[0]):
			c.n = uint8(copy(c.words[:], c.words[i+1:c.n]))
		case prepositions(&ts[c.words[i-1]]) || x.reaches(candidate{words: c.words, n: uint8(i)}):
			c.n = uint8(1 + copy(c.words[1:], c.words[i+1:c.n]))
		default:
			continue
		}
		relieved = true
	}
	if relieved {
		x.strip(ts)
	}
}

// overruns is which word of c is a pronoun that a preposition follows, or -1.
func (c *candidate) overruns(ts []span) int {
	if !c.forward() {
		return -1
	}
	for i := 1; i+1 < int(c.n); i++ {
		if ts[c.words[i]].tag == tagPRP && oneOf(pronouns, ts[c.words[i]].low) && introduces(ts, c.words[i+1]) {
			return i
		}
	}
	return -1
}
