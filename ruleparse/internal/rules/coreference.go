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

// refer says what is at "it" or "them" of what that stands for, and what the model leaves out
// of what is with the object, or has it: "a dock with a boat tied to it".
func (x *Reading) refer(ts []tokens.Token) {
	x.added = x.added[:0]
	for b := range x.Nodes {
		if x.Nodes[b].Attribute {
			continue
		}
		own := x.edgesOf(b)
		if k := slices.IndexFunc(own, func(e analysis.Relation) bool { return x.refers(ts, &e) }); k >= 0 {
			e := &own[k]
			a := x.denoted(ts, e)
			x.locate(ts, e, a, b, e.Candidate)
			e.A = a
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

// bearer is the object at which c says another to be: that which is said to be with it or to
// have it, by e, or the one before that where it fits the pronoun better and is in no list with
// it; or -1.
func (x *Reading) bearer(ts []tokens.Token, own []analysis.Relation, c *analysis.Candidate) (e *analysis.Relation, bearer int32) {
	pronoun := &ts[c.Words[c.N-1]+1]
	fits := func(a int32) bool { return standsFor(pronoun, &ts[x.Nodes[a].To-1], &x.Nodes[a]) }
	if e = x.possession(ts, own); e == nil {
		return nil, -1
	} else if fits(e.A) {
		return e, e.A
	}
	a := x.previous(int(e.B))
	if m, _ := x.joined(ts, int(e.B)); m != a && fits(int32(a)) {
		return e, int32(a) // "walking on a cross walk with cars driving on it"
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
// does not fit, the only one before the second that does: "a woman riding a bike with a basket on it".
func (x *Reading) denoted(ts []tokens.Token, e *analysis.Relation) int32 {
	pronoun := &ts[e.Candidate.Words[e.Candidate.N-1]+1]
	if x.agrees(ts, pronoun, e.A) {
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
	found := int32(-1)
	for a := max(0, b-maxBack); a < b; a++ {
		n := &x.Nodes[a]
		if n.Attribute || ts[n.From].Tag == penn.PRP || n.Class == tokens.ClassBody || ts[n.To-1].In(media) || !x.agrees(ts, pronoun, a) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = a
	}
	return found
}

// agrees reports whether a pronoun can stand for object a: "them" also for a couple of people.
func (x *Reading) agrees(ts []tokens.Token, pronoun *tokens.Token, a int32) bool {
	n := &x.Nodes[a]
	if standsFor(pronoun, &ts[n.To-1], n) {
		return true
	} else if pronoun.Low != "them" {
		return false
	}
	begin := x.Begins(int(a))
	from, to := x.quantityBefore(ts, int(a), begin)
	return from < to && ts[from].Low != "one" || begin > 1 && ts[begin-1].Measure || ts[begin].Tag == penn.CD && ts[begin].Low != "one" ||
		n.Class == tokens.ClassGroup && n.Alive
}
