package ruleparse

import "slices"

// pursue says what the subject of a clause does to a pronoun at its end, or where it is by it: "a
// woman holding an umbrella while a man walks behind her", "as a man looks at it".
func (x *analysis) pursue(ts []span) {
	x.added = x.added[:0]
	for i := 2; i < len(ts); i++ {
		if ts[i].tag != tagPRP || !oneOf(pronouns, ts[i].low) || !x.leaves(ts, int32(i)+1) {
			continue
		}
		verb, c := x.pursuit(ts, int32(i))
		if verb <= 0 {
			continue
		}
		b := int32(x.nodeAt(verb - 1))
		if b < 0 || x.nodes[b].attribute || ts[x.nodes[b].from].tag == tagPRP {
			continue
		}
		begins := coordinated(ts, x, int(b)) && (x.determined(ts, b) || ts[verb-1].tag != tagNN)
		if !begins {
			b = phraseHead(ts, x, b, x.edgesFrom(int(b)+1), verb)
		}
		a := x.antecedent(ts, &ts[i], b)
		if a < 0 || x.reaches(c) || !begins && ts[verb].tag != tagVBD && slices.ContainsFunc(x.edgesOf(int(b)), func(e relation) bool { return e.a == a && e.candidate.forward() }) {
			continue // "a cat sitting by a laptop is watching it"
		}
		x.added = append(x.added, relation{a, b, c})
		x.unlink(c.words[0])
	}
	x.include()
}

// leaves reports whether a pronoun before token i is the last object of its verb.
func (x *analysis) leaves(ts []span, i int32) bool {
	return x.concludes(ts, i) || !x.inNode[i] && (ts[i].tag == tagIN || ts[i].tag == tagRB || ts[i].tag == tagVBG)
}

// pursuit is the predicate before the pronoun at token i, and where the finite verb begins that it
// has, or -1.
func (x *analysis) pursuit(ts []span, i int32) (verb int32, c candidate) {
	c = candidate{where: after, reversed: true}
	j := i - 1
	for ; j > 0 && !x.inNode[j] && i-j < maxPredicate; j-- {
		if t := &ts[j]; !prepositions(t) && t.tag != tagDT && t.tag != tagVBG && !oneOf(" front next of side top ", t.low) || oneOf(conjunctions, t.low) {
			break
		}
	}
	t := &ts[j]
	if x.inNode[j] && x.attributeAt(j) < 0 || !isFinite(t) && t.tag != tagVBD || t.be && j == i-1 || perfect(ts, j) >= 0 {
		return -1, c
	}
	for k := j; k < i; k++ {
		if t := &ts[k]; !t.be && t.tag != tagDT && int(c.n) < len(c.words) {
			c.words[c.n] = k
			c.n++
		}
	}
	return verbGroup(ts, j), c
}

// unlink takes the verb at token i out of the attributes.
func (x *analysis) unlink(i int32) {
	if m := x.attributeAt(i); m >= 0 {
		x.inNode[i] = false
		x.links = slices.DeleteFunc(x.links, func(l link) bool { return int(l.attribute) == m })
	}
}

// attributeAt is the attribute that token i alone is, or -1.
func (x *analysis) attributeAt(i int32) int {
	m := x.nodeAt(i)
	if m >= 0 && x.nodes[m].attribute && x.nodes[m].to == x.nodes[m].from+1 {
		return m
	}
	return -1
}

// reaches reports whether the words of c are said already.
func (x *analysis) reaches(c candidate) bool {
	return slices.ContainsFunc(x.edges, func(e relation) bool {
		return e.candidate.implied == 0 && e.candidate.n > 0 && e.candidate.reversed && e.candidate.words[e.candidate.n-1] == c.words[c.n-1]
	})
}
