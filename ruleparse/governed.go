package ruleparse

import (
	"slices"
	"strings"
)

// govern gives a noun that begins a predicate the verb before it: who is doing tricks on
// a board does more than tricks on it.
func (x *analysis) govern(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if c.implied != 0 || c.where != between || c.n == maxPredicate || !isNoun(ts[c.words[0]].tag) {
			continue
		}
		if verb := c.words[0] - 1; verb >= x.nodes[e.a].to && isVerb(ts[verb].tag) && !ts[verb].be && !x.inNode[verb] {
			copy(c.words[1:], c.words[:c.n])
			c.words[0] = verb
			c.n++
		}
	}
}

// release takes the nouns and adjectives that end a predicate out of it where they stand
// right before its object, whose they are: "a tray full of breakfast foods".
func (x *analysis) release(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if c.implied != 0 || c.where != between {
			continue
		}
		for begin := x.begins(int(e.b)); c.n > 1 && c.words[c.n-1] == begin-1; begin-- {
			if t := &ts[begin-1]; !participial(ts, begin-1) && !isNoun(t.tag) && t.tag != tagJJ || t.flags&(anyNoun|adjective) == 0 && !t.capital {
				break
			}
			c.n--
		}
	}
}

// complete completes a verb with the preposition that stands before an object, where
// the verb has an object of its own before: who rides a skateboard down a ramp rides
// down the ramp. A preposition that stands before another object gives way to it.
func (x *analysis) complete(ts []span) {
	var buf [maxPair]int32
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		a, b := &x.nodes[e.a], &x.nodes[e.b]
		if !c.forward() || !isVerb(ts[c.words[0]].tag) || b.from-a.to > maxPair || c.words[0] < a.to {
			continue
		}
		words := region(ts, x.inNode, int(a.to), int(b.from), maxBetween, buf[:0])
		if k := slices.Index(words, c.words[c.n-1]); k >= 0 && len(words)-k == 2 && int(c.n) < maxPredicate && (prepositions(&ts[words[k+1]]) || ts[words[k+1]].low == "of" && strings.HasPrefix(ts[words[k]].low, "consist")) && !parted(ts, x.inNode, words[k]+1, words[k+1]) {
			c.words[c.n] = words[k+1]
			c.n++
			continue
		}
		last := len(words) - 1
		for last > 0 && !parted(ts, x.inNode, words[last-1]+1, words[last]) {
			last--
		}
		if last <= 0 || words[last] <= c.words[c.n-1] {
			continue
		}
		run := words[last:]
		if slices.ContainsFunc(run, func(i int32) bool { return ts[i].tag == tagPRP || isVerb(ts[i].tag) }) {
			continue
		}
		switch {
		case prepositions(&ts[run[0]]) && isVerb(ts[c.words[c.n-1]].tag) && int(c.n)+len(run) <= maxPredicate:
			c.n += uint8(copy(c.words[c.n:], run))
		}
	}
}

// prepositions reports whether t can be the preposition of a verb.
func prepositions(t *span) bool {
	if oneOf(" of while as that because if ", t.low) {
		return false
	}
	return t.tag == tagIN || t.tag == tagTO || t.tag == tagRP || t.tag == tagRB && oneOf(particles, t.low)
}
