package ruleparse

import (
	"slices"
	"strings"
)

// verbs makes a verb of what the tagger takes for a noun right after somebody: "a child smiles at
// the camera", "another man watches", "a woman posing for a photo".
func (x *analysis) verbs(ts []span) {
	for k := range x.nodes {
		n := &x.nodes[k]
		if n.attribute || int(n.to) == len(ts) || !n.alive && (int(n.to)+1 == len(ts) || ts[n.to+1].low != "while") || ts[n.to-1].tag != tagNN && ts[n.to-1].tag != tagNNP {
			continue
		}
		t := &ts[n.to]
		if m := x.nodeAt(n.to); m >= 0 && !x.nodes[m].attribute || !endsVerb(ts, n.to+1) {
			continue
		}
		switch {
		case t.tag == tagNNS && t.flags&verbS != 0:
			t.tag = tagVBZ
		case t.tag == tagNN && t.flags&verbIng != 0:
			t.tag = tagVBG
		}
	}
}

// endsVerb reports whether token i can follow a verb that has no object: the end of a clause, a
// preposition, an adverb or a conjunction.
func endsVerb(ts []span, i int32) bool {
	if int(i) == len(ts) || ts[i].kind == mark {
		return true
	}
	switch ts[i].tag {
	case tagIN, tagTO, tagRB, tagCC:
		return ts[i].low != "of"
	}
	return false
}

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

// adopt relates an object of which the model says nothing by the preposition or the verb
// between it and the object before it: "riding skis down a snow covered slope". After a
// conjunction it is whoever does something to that object who does it: "wiping his brow while
// bouncing a ball".
func (x *analysis) adopt(ts []span) {
	x.told = x.told[:0]
	for range x.nodes {
		x.told = append(x.told, false)
	}
	for _, e := range x.edges {
		x.told[e.a], x.told[e.b] = true, true
	}
	x.added = x.added[:0]
	a := -1
	for b := range x.nodes {
		if x.nodes[b].attribute {
			continue
		}
		if a >= 0 && !x.told[b] && !x.leadsOn(ts, b) {
			from := x.nodes[a].to
			for i := from; i < x.nodes[b].from; i++ {
				from = max(from, mutualEnd(ts, int(i))) // "standing near each other in"
			}
			c, ok := x.stated(ts, from, b)
			switch {
			case !ok, ts[c.words[c.n-1]].low == "while":
			case !oneOf(conjunctions, ts[c.words[0]].low):
				x.added = append(x.added, relation{int32(a), int32(b), c})
			case c.n > 1 && ts[c.words[1]].tag == tagVBG && x.into(int32(a)) >= 0:
				copy(c.words[:], c.words[1:c.n])
				c.n--
				x.added = append(x.added, relation{x.edges[x.into(int32(a))].a, int32(b), c})
			}
		}
		a = b
	}
	x.include()
}

// leadsOn reports whether object b is the first part of a compound or owns what follows.
func (x *analysis) leadsOn(ts []span, b int) bool {
	to := x.nodes[b].to
	return b+1 < len(x.nodes) && x.nodes[b+1].from == to || int(to) < len(ts) && ts[to].tag == tagPOS
}
