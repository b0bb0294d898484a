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
		if i := c.words[0]; c.n == 1 && i == x.begins(int(e.b))-1 && participial(ts, i) && i-1 >= x.nodes[e.a].to && prepositions(&ts[i-1]) {
			c.words[0] = i - 1 // "a woman with matching shoes"
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

// rejoin gives a preposition the verb right before it, which the model makes an attribute of
// the same object and without which it says something else: who is "smiling at a camera" is
// not at it, what is "bolted to a pole" is not "to" it; but what is "lined up" or "broken" at a
// place is so anywhere.
func (x *analysis) rejoin(ts []span) {
	x.links = slices.DeleteFunc(x.links, func(l link) bool {
		n, joined := &x.nodes[l.attribute], false
		if l.object > l.attribute || int(n.to) == len(ts) || !isVerb(ts[n.from].tag) || ts[n.from].low == "lined" || !oneOf(" at for from into to ", ts[n.to].low) ||
			ts[n.from].tag == tagVBN && ts[n.to].low == "at" {
			return false
		}
		for k := range x.edges {
			c := &x.edges[k].candidate
			if x.edges[k].a != l.object || !c.forward() || c.words[0] != n.to || int(c.n)+int(n.to-n.from) > maxPredicate || n.to-n.from > 2 {
				continue
			}
			copy(c.words[n.to-n.from:], c.words[:c.n])
			for i := n.from; i < n.to; i++ {
				c.words[i-n.from], x.inNode[i] = i, false
			}
			c.n += uint8(n.to - n.from)
			joined = true
		}
		return joined
	})
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
		case introduces(ts, run[0]) && x.spent(ts, c, e.b):
			c.n--
			for ; len(run) > 0 && introduces(ts, run[0]) && int(c.n) < maxPredicate; run = run[1:] {
				c.words[c.n] = run[0]
				c.n++
			}
		case prepositions(&ts[run[0]]) && isVerb(ts[c.words[c.n-1]].tag) && int(c.n)+len(run) <= maxPredicate:
			c.n += uint8(copy(c.words[c.n:], run))
		}
	}
}

// spent reports whether the preposition that ends c stands before another object than
// b, which is not coordinated with it: "a man walks in a park on a rainy day".
func (x *analysis) spent(ts []span, c *candidate, b int32) bool {
	last := c.words[c.n-1]
	if c.n < 2 || !prepositions(&ts[last]) || !isVerb(ts[c.words[c.n-2]].tag) || ts[x.begins(int(b))-1].tag == tagCC {
		return false
	}
	return x.nodes[objectBefore(x, 0, x.nodes[b].from)].from > last
}

// introduces reports whether token i is a preposition before an object, or the first
// word of "next to".
func introduces(ts []span, i int32) bool {
	return prepositions(&ts[i]) || ts[i].low == "next" && ts[i+1].low == "to"
}

// prepositions reports whether t can be the preposition of a verb.
func prepositions(t *span) bool {
	if oneOf(" of while as that because if ", t.low) {
		return false
	}
	return t.tag == tagIN || t.tag == tagTO || t.tag == tagRP || t.tag == tagRB && oneOf(particles, t.low)
}
