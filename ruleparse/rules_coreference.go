package ruleparse

import (
	"slices"
)

// antecedent is the only object before pronoun node b that it can stand for, or
// -1 where there is none or the choice is not sure.
func antecedent(ts []span, x *analysis, b int) int {
	n := &x.nodes[b]
	if n.to != n.from+1 || ts[n.from].tag != tagPRP {
		return -1
	}
	return referent(ts, x, &ts[n.from], b)
}

// referent is the only object before node b that a pronoun can stand for, or -1.
func referent(ts []span, x *analysis, pronoun *span, b int) int {
	found := -1
	for a := max(0, b-maxBack); a < b; a++ {
		m := &x.nodes[a]
		if m.attribute || ts[m.from].tag == tagPRP || !standsFor(pronoun, &ts[m.to-1], m) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = a
	}
	return found
}

// doing is the object before the pronoun at token i, the subject of a verb, that it stands
// for: the only one that it can stand for or, in a clause of its own, what the text is
// about ("a train rounds the corner as it comes down the tracks"); or -1.
func doing(ts []span, x *analysis, i int32) int {
	if a := referent(ts, x, &ts[i], objectBefore(x, -1, i)+1); a >= 0 || i == 0 || !oneOf(" after as before when while ", ts[i-1].low) {
		return a
	}
	for a := range x.nodes {
		m := &x.nodes[a]
		if m.attribute || x.into(int32(a)) >= 0 {
			continue
		}
		if m.to <= i && (standsFor(&ts[i], &ts[m.to-1], m) || ts[i].low == "they" && m.alive) {
			return a
		}
		break
	}
	return -1
}

// standsFor reports whether a pronoun can stand for an object whose last word is t.
func standsFor(pronoun, t *span, m *node) bool {
	plural := t.tag == tagNNS || t.tag == tagNNPS
	switch pronoun.low {
	case "he", "him", "his":
		return (m.person || m.alive && m.class == classAnimal) && !plural && !oneOf(femaleNouns, t.low)
	case "she", "her":
		return (m.person || m.alive && m.class == classAnimal) && !plural && !oneOf(maleNouns, t.low)
	case "it", "its":
		return !m.person && !plural
	case "they", "them":
		return plural
	case "their":
		return m.person || m.alive && m.class == classAnimal || m.class == classGroup
	}
	return false
}

// refer says what is at "it" or "them" of one object: what the model says of several by the
// same words ("cups, plates and a vase with flowers in it") of the likeliest, and what it leaves out
// of what is with the object, or has it: "a dock with a boat tied to it".
func (x *analysis) refer(ts []span) {
	x.added = x.added[:0]
	for b := range x.nodes {
		if x.nodes[b].attribute {
			continue
		}
		own := x.edgesOf(b)
		if k := slices.IndexFunc(own, func(e relation) bool { return x.refers(ts, &e) }); k >= 0 {
			if e := x.single(ts, own, own[k].candidate); e != nil {
				a := x.denoted(ts, e)
				x.locate(ts, e, a, b, e.candidate)
				e.a = a
			}
		} else if c, ok := x.state(ts, b); ok {
			if e, a := x.bearer(ts, own, &c); a >= 0 {
				x.locate(ts, e, a, b, c)
			}
		} else if c, ok := x.elliptical(ts, b); ok {
			if c.n > 1 { // a preposition alone may be of both: "inside and outside the house"
				x.claim(b, c.words[:c.n])
			}
			if e := x.possession(ts, own); e != nil {
				x.locate(ts, e, e.a, b, c)
			}
		}
	}
	x.include()
	x.strip(ts)
}

// refers reports whether e says that something is at what a pronoun stands for.
func (x *analysis) refers(ts []span, e *relation) bool {
	c := &e.candidate
	if c.implied != 0 || !c.reversed || c.where != after || c.n == 0 {
		return false
	}
	end := c.words[c.n-1] + 1
	return int(end) < len(ts) && oneOf(pronouns, ts[end].low)
}

// single keeps of the relations that say the same of one pronoun that of the likeliest object, and
// returns it. Of those as likely it is the last, but what the one before it is of ("a bowl of soup
// with a spoon in it"), or the first where something is beside it.
func (x *analysis) single(ts []span, of []relation, c candidate) (kept *relation) {
	beside := slices.ContainsFunc(c.words[:c.n], func(i int32) bool { return oneOf(" behind beside front near next ", ts[i].low) })
	best, most := -1, 0
	for k := range of {
		e := &of[k]
		if e.candidate.words != c.words || !e.candidate.reversed || e.candidate.where != after {
			continue
		}
		likely := x.likely(ts, of, e)
		if best >= 0 && likely == most {
			f := &of[best]
			first, last := min(e.a, f.a), max(e.a, f.a)
			if former := beside || x.composes(ts, first, last); former == (e.a == first) {
				best = k
			}
		} else if best < 0 || likely > most {
			best, most = k, likely
		}
	}
	for k := range of {
		if e := &of[k]; k == best {
			kept = e
		} else if e.candidate.words == c.words && e.candidate.reversed && e.candidate.where == after {
			e.candidate.n = 0
		}
	}
	return kept
}

// likely counts what speaks for it that a pronoun at which the second object of e is stands for
// the first: it agrees in number, the two are in no list and neither is of the other, and it
// is said to have the other, which of says.
func (x *analysis) likely(ts []span, of []relation, e *relation) int {
	n, likely := &x.nodes[e.a], 0
	if standsFor(&ts[e.candidate.words[e.candidate.n-1]+1], &ts[n.to-1], n) {
		likely += 4
	}
	if !x.enumerated(ts, e) && x.container(ts, int(e.b)) != int(e.a) {
		likely += 2
	}
	for _, f := range of {
		if f.a == e.a && f.candidate.n > 0 && !f.candidate.reversed {
			likely++
			break
		}
	}
	return likely
}

// composes reports whether object b is what object a is of.
func (x *analysis) composes(ts []span, a, b int32) bool {
	return slices.ContainsFunc(x.edgesOf(int(b)), func(e relation) bool {
		return e.a == a && e.candidate.implied == 0 && e.candidate.n > 0 && ts[e.candidate.words[0]].low == "of"
	})
}

// state is the predicate that stands between object b and a pronoun: "tied to", "in front of".
func (x *analysis) state(ts []span, b int) (candidate, bool) {
	c := candidate{where: after, reversed: true}
	for i := x.nodes[b].to; int(i) < len(ts); i++ {
		switch t := &ts[i]; {
		case x.inNode[i] && t.tag != tagPRP:
			return c, false
		case c.n > 0 && t.tag == tagPRP:
			return c, oneOf(pronouns, t.low) && ts[i-1].tag != tagVBG && (int(i)+1 == len(ts) || ts[i+1].tag != tagPOS && ts[i+1].kind != clitic)
		case c.n > 0 && t.tag == tagDT:
		case int(c.n) < len(c.words) && (c.n == 0 && (t.tag == tagVBG || t.tag == tagVBN) || prepositions(t) || c.n > 0 && oneOf(" front of side top ", t.low)):
			c.words[c.n] = i
			c.n++
		default:
			return c, false
		}
	}
	return c, false
}

// possession is the relation by which an object of which own are the relations is said to be with
// another, or had by it, or nil.
func (x *analysis) possession(ts []span, own []relation) *relation {
	for k := range own {
		if c := &own[k].candidate; c.forward() && c.n > 0 && oneOf(" had has have having with ", ts[c.words[c.n-1]].low) {
			return &own[k]
		}
	}
	return nil
}

// bearer is the object that c says object b to be at: that which is said to be with it or to have
// it, by e, the one before b where that fits the pronoun better and is in no list with b, or who
// does something to b ("pulling a trailer behind it"); or -1.
func (x *analysis) bearer(ts []span, own []relation, c *candidate) (e *relation, bearer int32) {
	pronoun := &ts[c.words[c.n-1]+1]
	fits := func(a int32) bool { return standsFor(pronoun, &ts[x.nodes[a].to-1], &x.nodes[a]) }
	if e = x.possession(ts, own); e == nil {
		for k := range own {
			if d := &own[k].candidate; d.forward() && d.n == 1 && isVerb(ts[d.words[0]].tag) && places(ts, c) && fits(own[k].a) {
				return &own[k], own[k].a
			}
		}
		return nil, -1
	}
	if fits(e.a) {
		return e, e.a
	}
	if a := x.previous(int(e.b)); fits(int32(a)) {
		if m, _ := x.joined(ts, int(e.b)); m != a {
			return e, int32(a)
		}
	}
	return e, -1
}

// locate adds that object b is where c says of object a, with which e relates it, and so of those
// that it is coordinated with: "a table with a vase and flowers on top", not "two sinks and a
// mirror over it".
func (x *analysis) locate(ts []span, e *relation, a int32, b int, c candidate) {
	for m := b; m > int(a) && m != int(e.a) && (m == b || !oneOf(spots, ts[x.nodes[m].to-1].low)); m, _ = x.joined(ts, m) {
		x.added = append(x.added, relation{a, int32(m), c})
		if e.candidate.forward() && e.candidate.n > 1 || x.determined(ts, int32(b)) && !oneOf(" at in on ", ts[c.words[0]].low) {
			break // "filled with water and rocks on the bottom"
		}
	}
}

// A pronoun agrees in number, and in sex, with what it stands for.

// denoted is what the pronoun after the words of e stands for: the first object of e or, where that
// does not fit, the only one before the second that does ("a woman riding a bike with a basket on it"),
// or of several what they are about ("people at a table with a pizza in front of them"). One person
// may be "them" where nobody else is.
func (x *analysis) denoted(ts []span, e *relation) int32 {
	pronoun := &ts[e.candidate.words[e.candidate.n-1]+1]
	if x.agrees(ts, pronoun, e.a, e.b) || pronoun.low == "it" && x.misnumbered(ts, e) {
		return e.a
	}
	if a := x.antecedent(ts, pronoun, e.b); a >= 0 {
		return a
	}
	return e.a
}

// antecedent is what a pronoun stands for by its number among the objects before object b, or -1
// where that is not sure.
func (x *analysis) antecedent(ts []span, pronoun *span, b int32) int32 {
	found, first, person := 0, int32(-1), int32(-1)
	for a := max(0, b-maxBack); a < b; a++ {
		n := &x.nodes[a]
		if n.attribute || ts[n.from].tag == tagPRP || n.class == classBody || oneOf(media, ts[n.to-1].low) {
			continue
		}
		if n.person && person < 0 {
			person = a
		}
		if !x.agrees(ts, pronoun, a, b) {
			continue
		}
		if found++; found == 1 || x.into(first) >= 0 && x.into(a) < 0 {
			first = a
		}
	}
	switch {
	case found == 1, found > 1 && x.into(first) < 0:
		return first
	case found == 0 && pronoun.low == "them":
		return person
	}
	return -1
}

// misnumbered reports whether e says that its second object is in or on the things right before it:
// "plates with donuts on it".
func (x *analysis) misnumbered(ts []span, e *relation) bool {
	return !x.nodes[e.a].person && x.previous(int(e.b)) == int(e.a) && oneOf(" in on ", ts[e.candidate.words[e.candidate.n-1]].low) && x.container(ts, int(e.a)) < 0
}

// agrees reports whether a pronoun can stand for object a, before object b: "them" also for a couple
// of people, or for one of two.
func (x *analysis) agrees(ts []span, pronoun *span, a, b int32) bool {
	n := &x.nodes[a]
	if standsFor(pronoun, &ts[n.to-1], n) {
		return true
	} else if pronoun.low != "them" {
		return false
	}
	if _, ok := x.listing(ts, a, b); ok {
		return true
	}
	begin := x.begins(int(a))
	from, to := x.quantityBefore(ts, int(a), begin)
	return from < to && ts[from].low != "one" || begin > 1 && ts[begin-1].measure || ts[begin].tag == tagCD && ts[begin].low != "one" ||
		n.class == classGroup && n.alive
}

// listing is the list of persons or animals before object b that object a is part of, where a
// conjunction ends it.
func (x *analysis) listing(ts []span, a, b int32) (s compoundSubject, ok bool) {
	s, _ = x.compoundSubject(ts, a)
	return s, x.nodes[a].alive && s.first < s.last && s.last < b && x.conjunct(ts, int(s.last)) >= 0
}
