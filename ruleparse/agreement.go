package ruleparse

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
