package rules

import (
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// antecedent is the only object before pronoun node b that it can stand for, or
// -1 where there is none or the choice is not sure.
func antecedent(ts []tokens.Token, x *Reading, b int) int {
	n := &x.Nodes[b]
	if n.To != n.From+1 || ts[n.From].Tag != penn.PRP {
		return -1
	}
	return referent(ts, x, &ts[n.From], b)
}

// referent is the only object before node b that a pronoun can stand for, or -1.
func referent(ts []tokens.Token, x *Reading, pronoun *tokens.Token, b int) int {
	found := -1
	for a := max(0, b-maxBack); a < b; a++ {
		m := &x.Nodes[a]
		if m.Attribute || ts[m.From].Tag == penn.PRP || !standsFor(pronoun, &ts[m.To-1], m) {
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
func doing(ts []tokens.Token, x *Reading, i int32) int {
	if a := referent(ts, x, &ts[i], objectBefore(x, -1, i)+1); a >= 0 || i == 0 || !ts[i-1].In(" after as before when while ") {
		return a
	}
	for a := range x.Nodes {
		m := &x.Nodes[a]
		if m.Attribute || x.into(int32(a)) >= 0 {
			continue
		}
		if m.To <= i && (standsFor(&ts[i], &ts[m.To-1], m) || ts[i].Low == "they" && m.Alive) {
			return a
		}
		break
	}
	return -1
}

// standsFor reports whether a pronoun can stand for an object whose last word is t.
func standsFor(pronoun, t *tokens.Token, m *analysis.Node) bool {
	plural := t.Tag == penn.NNS || t.Tag == penn.NNPS
	switch pronoun.Low {
	case "he", "him", "his":
		return (m.Person || m.Alive && m.Class == tokens.ClassAnimal) && !plural && !t.In(femaleNouns)
	case "she", "her":
		return (m.Person || m.Alive && m.Class == tokens.ClassAnimal) && !plural && !t.In(maleNouns)
	case "it", "its":
		return !m.Person && !plural
	case "they", "them":
		return plural
	case "their":
		return m.Person || m.Alive && m.Class == tokens.ClassAnimal || m.Class == tokens.ClassGroup
	}
	return false
}

// refer says what is at "it" or "them" of one object: what the model says of several by the
// same words ("cups, plates and a vase with flowers in it") of the likeliest, and what it leaves out
// of what is with the object, or has it: "a dock with a boat tied to it".
func (x *Reading) refer(ts []tokens.Token) {
	x.added = x.added[:0]
	for b := range x.Nodes {
		if x.Nodes[b].Attribute {
			continue
		}
		own := x.edgesOf(b)
		if k := slices.IndexFunc(own, func(e analysis.Relation) bool { return x.refers(ts, &e) }); k >= 0 {
			if e := x.single(ts, own, own[k].Candidate); e != nil {
				a := x.denoted(ts, e)
				x.locate(ts, e, a, b, e.Candidate)
				e.A = a
			}
		} else if c, ok := x.state(ts, b); ok {
			if e, a := x.bearer(ts, own, &c); a >= 0 {
				x.locate(ts, e, a, b, c)
			}
		} else if c, ok := x.elliptical(ts, b); ok {
			if c.N > 1 { // a preposition alone may be of both: "inside and outside the house"
				x.claim(b, c.Words[:c.N])
			}
			if e := x.possession(ts, own); e != nil {
				x.locate(ts, e, e.A, b, c)
			}
		}
	}
	x.include()
	x.strip(ts)
}

// refers reports whether e says that something is at what a pronoun stands for.
func (x *Reading) refers(ts []tokens.Token, e *analysis.Relation) bool {
	c := &e.Candidate
	if c.Implied != 0 || !c.Reversed || c.Where != analysis.After || c.N == 0 {
		return false
	}
	end := c.Words[c.N-1] + 1
	return int(end) < len(ts) && ts[end].In(pronouns)
}

// single keeps of the relations that say the same of one pronoun that of the likeliest object, and
// returns it. Of those as likely it is the last, but what the one before it is of ("a bowl of soup
// with a spoon in it"), or the first where something is beside it.
func (x *Reading) single(ts []tokens.Token, of []analysis.Relation, c analysis.Candidate) (kept *analysis.Relation) {
	beside := slices.ContainsFunc(c.Words[:c.N], func(i int32) bool { return ts[i].In(" behind beside front near next ") })
	best, most := -1, 0
	for k := range of {
		e := &of[k]
		if e.Candidate.Words != c.Words || !e.Candidate.Reversed || e.Candidate.Where != analysis.After {
			continue
		}
		likely := x.likely(ts, of, e)
		if best >= 0 && likely == most {
			f := &of[best]
			first, last := min(e.A, f.A), max(e.A, f.A)
			if former := beside || x.composes(ts, first, last); former == (e.A == first) {
				best = k
			}
		} else if best < 0 || likely > most {
			best, most = k, likely
		}
	}
	for k := range of {
		if e := &of[k]; k == best {
			kept = e
		} else if e.Candidate.Words == c.Words && e.Candidate.Reversed && e.Candidate.Where == analysis.After {
			e.Candidate.N = 0
		}
	}
	return kept
}

// likely counts what speaks for it that a pronoun at which the second object of e is stands for
// the first: it agrees in number, the two are in no list and neither is of the other, and it
// is said to have the other, which of says.
func (x *Reading) likely(ts []tokens.Token, of []analysis.Relation, e *analysis.Relation) int {
	n, likely := &x.Nodes[e.A], 0
	if standsFor(&ts[e.Candidate.Words[e.Candidate.N-1]+1], &ts[n.To-1], n) {
		likely += 4
	}
	if !x.enumerated(ts, e) && x.container(ts, int(e.B)) != int(e.A) {
		likely += 2
	}
	for _, f := range of {
		if f.A == e.A && f.Candidate.N > 0 && !f.Candidate.Reversed {
			likely++
			break
		}
	}
	return likely
}

// composes reports whether object b is what object a is of.
func (x *Reading) composes(ts []tokens.Token, a, b int32) bool {
	return slices.ContainsFunc(x.edgesOf(int(b)), func(e analysis.Relation) bool {
		return e.A == a && e.Candidate.Implied == 0 && e.Candidate.N > 0 && ts[e.Candidate.Words[0]].Low == "of"
	})
}

// state is the predicate that stands between object b and a pronoun: "tied to", "in front of".
func (x *Reading) state(ts []tokens.Token, b int) (analysis.Candidate, bool) {
	c := analysis.Candidate{Where: analysis.After, Reversed: true}
	for i := x.Nodes[b].To; int(i) < len(ts); i++ {
		switch t := &ts[i]; {
		case x.InNode[i] && t.Tag != penn.PRP:
			return c, false
		case c.N > 0 && t.Tag == penn.PRP:
			return c, t.In(pronouns) && ts[i-1].Tag != penn.VBG && (int(i)+1 == len(ts) || ts[i+1].Tag != penn.POS && ts[i+1].Kind != tokens.Clitic)
		case c.N > 0 && t.Tag == penn.DT:
		case int(c.N) < len(c.Words) && (c.N == 0 && (t.Tag == penn.VBG || t.Tag == penn.VBN) || prepositions(t) || c.N > 0 && t.In(" front of side top ")):
			c.Words[c.N] = i
			c.N++
		default:
			return c, false
		}
	}
	return c, false
}

// possession is the relation by which an object of which own are the relations is said to be with
// another, or had by it, or nil.
func (x *Reading) possession(ts []tokens.Token, own []analysis.Relation) *analysis.Relation {
	for k := range own {
		if c := &own[k].Candidate; c.Forward() && c.N > 0 && ts[c.Words[c.N-1]].In(" had has have having with ") {
			return &own[k]
		}
	}
	return nil
}

// bearer is the object that c says object b to be at: that which is said to be with it or to have
// it, by e, the one before b where that fits the pronoun better and is in no list with b, or who
// does something to b ("pulling a trailer behind it"); or -1.
func (x *Reading) bearer(ts []tokens.Token, own []analysis.Relation, c *analysis.Candidate) (e *analysis.Relation, bearer int32) {
	pronoun := &ts[c.Words[c.N-1]+1]
	fits := func(a int32) bool { return standsFor(pronoun, &ts[x.Nodes[a].To-1], &x.Nodes[a]) }
	if e = x.possession(ts, own); e == nil {
		for k := range own {
			if d := &own[k].Candidate; d.Forward() && d.N == 1 && penn.IsVerb(ts[d.Words[0]].Tag) && places(ts, c) && fits(own[k].A) {
				return &own[k], own[k].A
			}
		}
		return nil, -1
	}
	if fits(e.A) {
		return e, e.A
	}
	if a := x.previous(int(e.B)); fits(int32(a)) {
		if m, _ := x.joined(ts, int(e.B)); m != a {
			return e, int32(a)
		}
	}
	return e, -1
}

// locate adds that object b is where c says of object a, with which e relates it, and so of those
// that it is coordinated with: "a table with a vase and flowers on top", not "two sinks and a
// mirror over it".
func (x *Reading) locate(ts []tokens.Token, e *analysis.Relation, a int32, b int, c analysis.Candidate) {
	for m := b; m > int(a) && m != int(e.A) && (m == b || !ts[x.Nodes[m].To-1].In(spots)); m, _ = x.joined(ts, m) {
		x.added = append(x.added, analysis.Relation{A: a, B: int32(m), Candidate: c})
		if e.Candidate.Forward() && e.Candidate.N > 1 || x.determined(ts, int32(b)) && !ts[c.Words[0]].In(" at in on ") {
			break // "filled with water and rocks on the bottom"
		}
	}
}

// A pronoun agrees in number, and in sex, with what it stands for.

// denoted is what the pronoun after the words of e stands for: the first object of e or, where that
// does not fit, the only one before the second that does ("a woman riding a bike with a basket on it"),
// or of several what they are about ("people at a table with a pizza in front of them"). One person
// may be "them" where nobody else is.
func (x *Reading) denoted(ts []tokens.Token, e *analysis.Relation) int32 {
	pronoun := &ts[e.Candidate.Words[e.Candidate.N-1]+1]
	if x.agrees(ts, pronoun, e.A, e.B) || pronoun.Low == "it" && x.misnumbered(ts, e) {
		return e.A
	}
	if a := x.antecedent(ts, pronoun, e.B); a >= 0 {
		return a
	}
	return e.A
}

// antecedent is what a pronoun stands for by its number among the objects before object b, or -1
// where that is not sure.
func (x *Reading) antecedent(ts []tokens.Token, pronoun *tokens.Token, b int32) int32 {
	found, first, person := 0, int32(-1), int32(-1)
	for a := max(0, b-maxBack); a < b; a++ {
		n := &x.Nodes[a]
		if n.Attribute || ts[n.From].Tag == penn.PRP || n.Class == tokens.ClassBody || ts[n.To-1].In(media) {
			continue
		}
		if n.Person && person < 0 {
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
	case found == 0 && pronoun.Low == "them":
		return person
	}
	return -1
}

// misnumbered reports whether e says that its second object is in or on the things right before it:
// "plates with donuts on it".
func (x *Reading) misnumbered(ts []tokens.Token, e *analysis.Relation) bool {
	return !x.Nodes[e.A].Person && x.previous(int(e.B)) == int(e.A) && ts[e.Candidate.Words[e.Candidate.N-1]].In(" in on ") && x.container(ts, int(e.A)) < 0
}

// agrees reports whether a pronoun can stand for object a, before object b: "them" also for a couple
// of people, or for one of two.
func (x *Reading) agrees(ts []tokens.Token, pronoun *tokens.Token, a, b int32) bool {
	n := &x.Nodes[a]
	if standsFor(pronoun, &ts[n.To-1], n) {
		return true
	} else if pronoun.Low != "them" {
		return false
	}
	if _, ok := x.listing(ts, a, b); ok {
		return true
	}
	begin := x.Begins(int(a))
	from, to := x.quantityBefore(ts, int(a), begin)
	return from < to && ts[from].Low != "one" || begin > 1 && ts[begin-1].Measure || ts[begin].Tag == penn.CD && ts[begin].Low != "one" ||
		n.Class == tokens.ClassGroup && n.Alive
}

// listing is the list of persons or animals before object b that object a is part of, where a
// conjunction ends it.
func (x *Reading) listing(ts []tokens.Token, a, b int32) (s compoundSubject, ok bool) {
	s, _ = x.compoundSubject(ts, a)
	return s, x.Nodes[a].Alive && s.first < s.last && s.last < b && x.conjunct(ts, int(s.last)) >= 0
}
