package rules

import (
	"cmp"
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// misread reports whether grammar rules out what an edge says:
//
//   - a verb in the singular has the object just before it as its subject, not one
//     of a clause before: "a man rides a horse and a woman holds a dog";
//   - nothing is implied of the words of a title, nor of a hashtag, nor across an
//     article, a number or a conjunction;
//   - an object that begins a clause of its own is not the object of a verb before;
//   - a predicate says what somebody does, or where something is: it has a verb or a
//     preposition, and no "where", "when" or "because";
//   - what has an object before a dash has none after it;
//   - of the members of a list none is in another;
//   - somebody after a conjunction who has a phrase of their own stands beside the one
//     before: "a woman in a dress and a man in a suit".
func misread(ts []tokens.Token, x *Reading, e *analysis.Relation) bool {
	c := &e.Candidate
	if c.Implied != 0 {
		a, b := &x.Nodes[e.A], &x.Nodes[e.B]
		return capitalised(ts[a.From:b.To]) || ts[b.From-1].Low == "#" || slices.ContainsFunc(ts[a.To:max(a.To, b.From)], separates)
	}
	return !predicates(ts, c) || negated(ts, c) || dashed(ts, x, e)
}

// separates reports whether t keeps two objects apart: "some people some buildings".
func separates(t tokens.Token) bool {
	return t.Tag == penn.DT || t.Tag == penn.CC || t.Tag == penn.CD || t.Tag == penn.Comma || t.Tag == penn.Colon || t.Tag == penn.LRB || t.Tag == penn.Open || t.Tag == penn.Close || t.Be
}

// enumerated reports whether the objects of e are members of one list.
func (x *Reading) enumerated(ts []tokens.Token, e *analysis.Relation) bool {
	found := false
	for i := x.Nodes[e.A].To; i < x.Nodes[e.B].From; i++ {
		switch t := &ts[i]; {
		case t.Tag == penn.CC || t.Tag == penn.Comma:
			found = true
		case !x.InNode[i] && !determines(t) && !t.Measure && t.Tag != penn.CD && !qualifies(t) && t.Low != "other":
			return false
		}
	}
	return found
}

// predicates reports whether the words of c can be a predicate.
func predicates(ts []tokens.Token, c *analysis.Candidate) bool {
	says := false
	for _, w := range c.Words[:c.N] {
		t := &ts[w]
		if t.Tag == penn.WRB || t.Tag == penn.IN && t.In(" although because if that unless until whether ") && !(int(w)+1 < len(ts) && ts[w+1].In(" front of ")) {
			return false
		}
		says = says || !penn.IsNoun(t.Tag) && t.Tag != penn.JJ || t.Flags&tokens.AnyVerb != 0 || t.Flags&(tokens.AnyNoun|tokens.Adjective) == 0 && t.Entry >= 0 || t.In(" next opposite ")
	}
	return says
}

// leads reports whether c ends in a preposition of a relative clause: "a field in which a man".
func leads(ts []tokens.Token, c *analysis.Candidate) bool {
	last := c.Words[c.N-1]
	return int(last)+1 < len(ts) && prepositions(&ts[last]) && ts[last+1].In(" which whom ")
}

// subject is the node that edge i is said of: the model's, unless a pronoun or
// grammar says another; -1 where a pronoun stands for nothing that is sure.
func subject(ts []tokens.Token, x *Reading, i int) int32 {
	e := &x.Edges[i]
	c := &e.Candidate
	if c.Implied != 0 || c.Reversed || c.Words[0] == 0 {
		return e.A
	}
	verb := c.Words[0]
	if pronoun := verbGroup(ts, verb) - 1; pronoun >= x.Nodes[e.A].To && ts[pronoun].Tag == penn.PRP && penn.IsVerb(ts[verb].Tag) && !x.InNode[pronoun] && !(pronoun > 0 && prepositions(&ts[pronoun-1]) && !ts[pronoun-1].In(conjunctions)) {
		return int32(doing(ts, x, pronoun))
	}
	switch {
	case verb == x.Nodes[e.A].To, x.after(ts, int(e.A), verb), animate(ts[verb].Low) && x.trails(e.A, verb):
		if a := wearer(ts, x, i); a != e.A {
			return a
		}
	case ts[verb].Tag == penn.VBN && !ts[verb].In(posed):
		if m := objectBefore(x, int(e.A), verb); m > int(e.A) && x.Nodes[m].To == verb {
			return int32(m)
		}
	case ts[verb-1].Tag == penn.TO && ts[verb].Tag == penn.VB, ts[verb].Tag == penn.TO && c.N > 1 && ts[c.Words[1]].Tag == penn.VB:
		return doer(x, i)
	}
	first := verbGroup(ts, verb)
	switch to := x.Nodes[e.A].To; {
	case first > to && ts[first-1].Low == "while" && !x.Nodes[e.A].Alive,
		first > to && ts[first-1].Tag == penn.CC && !penn.IsVerb(ts[to].Tag) && (first < verb || penn.IsVerb(ts[verb].Tag)):
		return joint(ts, x, i, verb)
	case (first == to || first == to+1 && ts[to].Tag == penn.Comma) && isFinite(&ts[first]):
		return phraseHead(ts, x, e.A, i, first)
	}
	return x.attached(ts, i)
}

// after reports whether token i follows an object that is coordinated with object a.
func (x *Reading) after(ts []tokens.Token, a int, i int32) bool {
	m := objectBefore(x, a, i)
	return m > a && x.Nodes[m].To == i && x.conjunct(ts, m) == a
}

// trails reports whether token i follows an object that is said to be at object a:
// "a bench in the park eating".
func (x *Reading) trails(a, i int32) bool {
	k := x.into(int32(objectBefore(x, int(a), i)))
	return k >= 0 && x.Edges[k].A == a
}

// wearer is who a participle is said of where what stands before it is a thing
// that a person or an animal wears or holds: "a man wearing a hat riding a horse".
// It is node a itself where that is not so.
func wearer(ts []tokens.Token, x *Reading, i int) int32 {
	e := &x.Edges[i]
	verb := ts[e.Candidate.Words[0]].Low
	posture := wordclass.Has(postureVerbs, verb)
	class := x.Nodes[e.A].Class
	if class == 0 || x.Nodes[e.A].Alive || posture && class != tokens.ClassArtifact || !posture && !animate(verb) {
		return e.A
	}
	a := e.A
	for k := i - 1; k >= 0 && x.Edges[k].B >= a; k-- {
		f := &x.Edges[k]
		if f.B != a || f.Candidate.Reversed {
			continue
		}
		if ts[x.Nodes[a].To-1].In(agents) && !boarding(ts, &f.Candidate) {
			break // "a woman looking at a bus driving down a street"
		}
		alive := x.Nodes[f.A].Alive
		if alive && (!posture || worn(ts, &f.Candidate)) {
			return f.A
		}
		if !posture && !alive {
			a = f.A // "a boy on a bench in the park eating a sandwich"
		}
	}
	return e.A
}

// doer is who does what edge i says after a conjunction: the subject of what is said
// of object a before, "a doctor carries out research and looks at a screen".
func doer(x *Reading, i int) int32 {
	a := x.Edges[i].A
	for k := i - 1; k >= 0 && x.Edges[k].B >= a; k-- {
		if f := &x.Edges[k]; f.B == a && !f.Candidate.Reversed && f.Candidate.Implied == 0 {
			return f.A
		}
	}
	return a
}

// joint is who does what edge i says after a conjunction with the verb at token verb:
// whoever does what the verb before says, "a cat sits on a bed and looks at a man".
func joint(ts []tokens.Token, x *Reading, i int, verb int32) int32 {
	a := x.Edges[i].A
	for range maxPhrase {
		k := x.into(a)
		if k < 0 || x.pictured(ts, k) {
			break
		}
		f := &x.Edges[k]
		before := f.Candidate.Words[0]
		if penn.IsVerb(ts[before].Tag) && !x.conjoined(ts, f.A, verbGroup(ts, before)) {
			return subject(ts, x, k)
		}
		a = f.A
	}
	return a
}

// conjoined reports whether a conjunction stands between object a and token i, and
// nothing else.
func (x *Reading) conjoined(ts []tokens.Token, a, i int32) bool {
	to := x.Nodes[a].To
	return i == to+1 && ts[to].Tag == penn.CC
}

// worn reports whether a candidate says that somebody wears something.
func worn(ts []tokens.Token, c *analysis.Candidate) bool {
	return c.Implied == 0 && (ts[c.Words[0]].In(" wearing wears wear ") || c.N == 1 && ts[c.Words[0]].Low == "in")
}

// verbGroup is where the auxiliaries of the verb at token i begin.
func verbGroup(ts []tokens.Token, i int32) int32 {
	for i > 0 && (ts[i-1].Be || ts[i-1].Tag == penn.MD || perfect(ts, i-1) >= 0) {
		i--
	}
	return i
}

// isFinite reports whether t is a verb that has a subject, or an auxiliary.
func isFinite(t *tokens.Token) bool {
	return t.Tag == penn.VBZ || t.Tag == penn.VBP || t.Tag == penn.VB || t.Be && t.Tag != penn.VBG && t.Tag != penn.VBN || t.In(" had have ")
}

// phraseHead is the subject of the finite verb at token verb, which stands after
// object a: that of the whole phrase, not the last noun of it: "a stamp printed in
// Germany shows a pope". The relations into a come before edge i.
func phraseHead(ts []tokens.Token, x *Reading, a int32, i int, verb int32) int32 {
	for k := i - 1; k >= max(0, i-maxPhrase) && x.Edges[k].B >= a; k-- {
		f := &x.Edges[k]
		c := &f.Candidate
		if f.B != a || c.Implied != 0 || c.Reversed || !modifies(ts, c) || leads(ts, c) || x.bare(ts, k, verb) {
			continue
		}
		if many := (x.Nodes[f.A].Class == tokens.ClassGroup || ts[x.Nodes[f.A].To-1].Low == "group") && ts[c.Words[0]].Low != "of"; !many && !agree(ts, x, f.A, a, verb) {
			continue // many: "a group holding frisbees pose"
		}
		a = f.A
	}
	return a
}

// bare reports whether the verb at token verb stays with the second object of
// relation k for its form: "helping a woman put on a tie", "images of people walk".
func (x *Reading) bare(ts []tokens.Token, k int, verb int32) bool {
	if ts[verb].Tag != penn.VB && ts[verb].Tag != penn.VBP {
		return false
	}
	f := &x.Edges[k]
	return x.pictured(ts, k) || x.Nodes[f.B].Person && penn.IsVerb(ts[f.Candidate.Words[0]].Tag)
}

// maxPhrase is how many relations back the head of a phrase may be.
const maxPhrase = 64

// modifies reports whether a predicate belongs to a noun phrase: it has a
// preposition, or a participle.
func modifies(ts []tokens.Token, c *analysis.Candidate) bool {
	t := &ts[c.Words[0]]
	return (t.Tag == penn.IN && t.Low != "as" && t.Low != "while" || t.Tag == penn.VBG || t.Tag == penn.VBN) && !(c.Words[0] > 0 && ts[c.Words[0]-1].Be)
}

// agree reports whether object a is as fit in number as b to be the subject of a verb.
func agree(ts []tokens.Token, x *Reading, a, b, verb int32) bool {
	plural := func(n int32) bool { t := ts[x.Nodes[n].To-1].Tag; return t == penn.NNS || t == penn.NNPS }
	return plural(a) == plural(b) || plural(a) != (ts[verb].Tag == penn.VBZ)
}

// attached is what edge i is said of: a place beside something is that of whoever is
// somewhere or holds something, not of where they are or what they hold: "a man at a
// table in front of a laptop", "a boy holding a bat next to a base". What is said of a
// picture after what it shows is said of that: "a picture of a desk with a keyboard", and so is
// what stands right after the furniture of a room. What food with something on it is on is said of
// the food.
func (x *Reading) attached(ts []tokens.Token, i int) int32 {
	e := &x.Edges[i]
	if m := x.depicted(ts, e); m >= 0 {
		return m
	}
	if !aside(ts, &e.Candidate) || e.Candidate.Words[0] != x.Nodes[e.A].To {
		return e.A
	}
	k := x.into(e.A)
	if k < 0 {
		return e.A
	}
	f := &x.Edges[k]
	n := &x.Nodes[e.A]
	verb := &ts[f.Candidate.Words[0]]
	switch last := ts[f.Candidate.Words[f.Candidate.N-1]].Low; {
	case n.Alive || n.Class == tokens.ClassBody || x.pictured(ts, k):
		return e.A
	case wordclass.Has(" across along at down in on through ", last):
		if n.Class != tokens.ClassArtifact && !ts[n.To-1].In(" table tables ") || ts[n.To-1].In(ways) && !x.moves(ts, e.B) {
			return e.A
		}
	case !penn.IsVerb(verb.Tag) || f.Candidate.N > 1 || verb.In(regards) || x.Nodes[e.B].Class == tokens.ClassBody:
		return e.A // "a road behind a car", "holding a phone near her face"
	}
	a := subject(ts, x, k)
	if antecedent(ts, x, int(e.B)) == int(a) {
		return e.A // "rolling his luggage behind him"
	}
	return a
}

// moves reports whether object b is somebody, or a vehicle: "a truck on a street behind
// a car".
func (x *Reading) moves(ts []tokens.Token, b int32) bool {
	n := &x.Nodes[b]
	return n.Alive || ts[n.To-1].In(agents)
}

// places reports whether a candidate says where something is.
func places(ts []tokens.Token, c *analysis.Candidate) bool {
	first := &ts[c.Words[0]]
	if first.In(postureVerbs) || first.Low == "placed" {
		return true
	}
	return first.In(" at atop behind beside by in inside near next on outside under ")
}

// aside reports whether a candidate says that something is beside another.
func aside(ts []tokens.Token, c *analysis.Candidate) bool {
	first, last := ts[c.Words[0]].Low, ts[c.Words[c.N-1]].Low
	switch c.N {
	case 1:
		return wordclass.Has(" behind beside near ", first)
	case 2:
		return first == "next" && last == "to"
	case 3:
		return first == "in" && last == "of" && ts[c.Words[1]].Low == "front"
	}
	return false
}

// depicted is what the picture shows that e says something of, after it has said what
// it shows; -1 where e is no such relation, or says where the picture hangs.
func (x *Reading) depicted(ts []tokens.Token, e *analysis.Relation) int32 {
	if !ts[x.Nodes[e.A].To-1].In(media) || ts[x.Nodes[e.B].To-1].In(backdrops) {
		return -1
	}
	first := e.Candidate.Words[0]
	if ts[first].In(picturing) {
		return -1
	}
	m := objectBefore(x, int(e.A), first)
	for k := m; k > int(e.A); k-- {
		for _, f := range x.edgesOf(k) {
			if f.A == e.A && f.Candidate.Implied == 0 && f.Candidate.N == 1 && ts[f.Candidate.Words[0]].Low == "of" && f.Candidate.Words[0] < first {
				return int32(k)
			}
		}
	}
	return -1
}

// objectBefore is the last object after node a that ends at or before token i.
func objectBefore(x *Reading, a int, i int32) int {
	m, _ := slices.BinarySearchFunc(x.Nodes, i+1, func(n analysis.Node, to int32) int { return cmp.Compare(n.To, to) })
	for m--; m > a && x.Nodes[m].Attribute; m-- {
	}
	return max(m, a)
}
