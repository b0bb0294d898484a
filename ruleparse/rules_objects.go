package ruleparse

import (
	"slices"
)

// WordNet's lexicographer files of more nouns that can be seen.
const (
	classAct           = 4
	classAttribute     = 7
	classBody          = 8
	classCognition     = 9
	classFeeling       = 12
	classState         = 26
	classCommunication = 10
	classEvent         = 11
	classFood          = 13
	classLocation      = 15
	classObject        = 17
	classPhenomenon    = 19
	classSubstance     = 27
)

// onlyVerb reports whether t is a verb in the third person and nothing else, whatever
// its tag.
func onlyVerb(t *span) bool { return t.flags&verbS != 0 && t.flags&anyNoun == 0 && !t.be }

// relateBefore relates object b with the one before it, where a verb or a
// preposition stands between. What the model relates by the same words with an
// object further on is wrong: "a gown against a backdrop of sunlight".
func (x *analysis) relateBefore(ts []span, b int) {
	a := x.previous(b)
	if a < 0 {
		return
	}
	c, ok := x.stated(ts, x.nodes[a].to, b)
	if !ok {
		return
	}
	x.claim(b, c.words[c.n-1:c.n])
	x.added = append(x.added, relation{int32(a), int32(b), c})
}

// claim takes the words that say something of object b from what the model says with them of
// objects after it.
func (x *analysis) claim(b int, words []int32) {
	for k := x.edgesFrom(b + 1); k < len(x.edges) && int(x.edges[k].b) <= b+maxNeighbour; k++ {
		if c := &x.edges[k].candidate; c.implied == 0 && c.n > 0 && slices.Contains(words, c.words[c.n-1]) {
			c.n = 0
		}
	}
}

// stated is the predicate that stands between token from and object b: a preposition,
// or a verb with or without one.
func (x *analysis) stated(ts []span, from int32, b int) (candidate, bool) {
	to := x.begins(b)
	c := candidate{where: between}
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.inNode[i] || t.kind == mark || t.tag == tagCC || i > from && (t.tag == tagWDT || t.tag == tagWP) || t.tag == tagPRP:
			return c, false
		case tells(ts, i) && !(t.measure && i > from), i > from && spot(ts, i), t.low == "of" && i > from && spot(ts, i-1):
			if c.n == maxPredicate {
				return c, false
			}
			c.words[c.n] = i
			c.n++
		case !silent(t) && !qualifies(t):
			return c, false
		}
	}
	return c, c.n > 0
}

// spot reports whether token i, before "of", says where at a thing something is: "in *front* of
// a car", "down the *side* of a hill".
func spot(ts []span, i int32) bool {
	t, l := &ts[i], &ts[i-1]
	return isNoun(t.tag) && ts[i+1].low == "of" && (prepositions(l) || determines(l) && i > 1 && prepositions(&ts[i-2])) && oneOf(regions, t.low)
}

// tells reports whether token i belongs to a predicate, as it stands before an object:
// it is a verb or a preposition, perhaps tagged as an adverb ("down a slope", "next to").
func tells(ts []span, i int32) bool {
	t, next := &ts[i], &ts[i+1]
	switch t.tag {
	case tagIN, tagTO, tagRP:
		return true
	}
	return isVerb(t.tag) && !t.be || onlyVerb(t) || t.low == "next" && next.low == "to" ||
		prepositions(t) && (determines(next) || prepositions(next))
}

// absent reports whether the text says that object i is not there: "trees with no
// leaves", "a man without a shirt". "No" before a sign is what the sign says.
func absent(ts []span, x *analysis, i int) bool {
	n := &x.nodes[i]
	if oneOf(" sign signs ", ts[n.to-1].low) {
		return false
	}
	begin := x.begins(i)
	for begin > 0 && !x.inNode[begin-1] && (qualifies(&ts[begin-1]) || determines(&ts[begin-1]) && ts[begin-1].low != "no") {
		begin--
	}
	return begin > 0 && oneOf(" no without ", ts[begin-1].low)
}

// negated reports whether what c says is said not to be: "a dish that was not served to the
// guests", "eating without using his hands".
func negated(ts []span, c *candidate) bool {
	first, last := c.words[0], c.words[c.n-1]
	from := max(0, first-maxPair)
	for first > from && (ts[first-1].be || ts[first-1].tag == tagTO || ts[first-1].tag == tagRB && !denies(ts, first-1) || perfect(ts, first-1) >= 0) {
		first--
	}
	if first > 0 && ts[first-1].low == "without" && isVerb(ts[first].tag) {
		return true
	}
	for i := max(first-1, 0); i < last; i++ {
		if denies(ts, i) {
			return true
		}
	}
	return false
}

// denies reports whether token i is a "not" that leaves nothing of what follows, as "not only"
// and "not just" do not.
func denies(ts []span, i int32) bool {
	return oneOf(" n't n’t never not ", ts[i].low) && !(int(i)+1 < len(ts) && oneOf(" just only ", ts[i+1].low))
}
