package ruleparse

import "slices"

// nominal takes a noun with its article or its adjective out of the predicate that begins with
// it: what "a surfer doing a sharp turn in the water" says is "in", and "the building is an
// example of old architecture" relates nothing. What somebody takes is done: "taking a swing
// at a ball".
func (x *analysis) nominal(ts []span) {
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool {
		c := &e.candidate
		return c.implied == 0 && nominalised(ts, c.words[0]) && (c.n == 1 || !situates(&ts[c.words[1]]))
	})
	for k := range x.edges {
		if c := &x.edges[k].candidate; c.implied == 0 && nominalised(ts, c.words[0]) {
			c.n--
			copy(c.words[:], c.words[1:c.n+1])
		}
	}
}

// nominalised reports whether token i is a noun that is no object and no verb, by what stands before.
func nominalised(ts []span, i int32) bool {
	t := &ts[i]
	if i < 2 || t.tag != tagNN && t.tag != tagNNS || t.flags&(verbIng|verbS) != 0 || oneOf(parts, t.low) || oneOf(lightNouns, t.low) {
		return false
	}
	l := &ts[i-1]
	if l.tag == tagJJ { // but "boats daily travel the river", "people in uniform stand outside"
		return !determines(&ts[i+1]) && (t.flags&verbBase == 0 || l.flags&anyNoun == 0 || determines(&ts[i-2]))
	}
	return oneOf(" a an no the this ", l.low)
}

// lightNouns are what somebody takes, has or makes who does it.
const lightNouns = " balance bite cut glance look nap picture reflection ride swing touch "

// situates reports whether t is a preposition of place that a verb need not have.
func situates(t *span) bool { return prepositions(t) && !oneOf(" about as before for than to ", t.low) }
