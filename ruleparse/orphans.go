package ruleparse

import "slices"

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
			case !ok && x.continues(ts, from, int32(b)):
			case !ok, ts[c.words[c.n-1]].low == "while":
			case !oneOf(conjunctions, ts[c.words[0]].low):
				x.added = append(x.added, x.adoption(ts, int32(a), int32(b), c))
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

// continues adds to x.added what object b has to do with what a pronoun stands for that is the subject
// of a verb between token from and b: "a couple smiles as *they* slice a cake".
func (x *analysis) continues(ts []span, from, b int32) bool {
	for i := x.begins(int(b)) - 2; i >= max(from, 1); i-- {
		if x.inNode[i] && x.attributeAt(i) < 0 {
			return false
		}
		if ts[i].tag != tagPRP || x.inNode[i] {
			continue
		}
		if !oneOf(nominatives, ts[i].low) || !isVerb(ts[i+1].tag) || ts[i+1].kind == clitic {
			return false
		}
		a := doing(ts, x, i)
		if a < 0 {
			return false
		}
		x.unlink(i + 1)
		c, ok := x.stated(ts, i+1, int(b))
		if ok = ok && !slices.ContainsFunc(c.words[:c.n], func(i int32) bool { return oneOf(conjunctions, ts[i].low) }); ok {
			x.added = append(x.added, relation{int32(a), b, c})
		}
		return ok
	}
	return false
}

// nominatives are pronouns that verbs follow.
const nominatives = " he it she they "

// leadsOn reports whether object b is the first part of a compound or owns what follows.
func (x *analysis) leadsOn(ts []span, b int) bool {
	to := x.nodes[b].to
	return b+1 < len(x.nodes) && x.nodes[b+1].from == to || int(to) < len(ts) && ts[to].tag == tagPOS
}

// conjunctions are tagged as prepositions and begin a clause.
const conjunctions = " after although as because before if since than that though unless until when whereas while "

// adoption relates object b by c with object a, or, where a is the object of a verb and
// c begins with a preposition, with whoever does that.
func (x *analysis) adoption(ts []span, a, b int32, c candidate) relation {
	k := x.into(a)
	if k < 0 || !prepositions(&ts[c.words[0]]) || c.n == maxPredicate {
		return relation{a, b, c}
	}
	e := &x.edges[k]
	verb := e.candidate.words[0]
	if e.candidate.n > 1 || !isVerb(ts[verb].tag) || !x.nodes[e.a].alive {
		return relation{a, b, c}
	}
	copy(c.words[1:], c.words[:c.n])
	c.words[0] = verb
	c.n++
	return relation{e.a, b, c}
}
