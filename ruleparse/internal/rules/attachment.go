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
//   - nothing is implied of the words of a title, nor of a hashtag, nor across an
//     article, a number or a conjunction;
//   - a predicate says what somebody does, or where something is: it has a verb or a
//     preposition, and no "where", "when" or "because";
//   - what has an object before a dash has none after it;
//   - what is said not to be is not.
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
	if verb == x.Nodes[e.A].To {
		if a := wearer(ts, x, i); a != e.A {
			return a
		}
	} else if ts[verb].Tag == penn.VBN && !ts[verb].In(posed) {
		if m := objectBefore(x, int(e.A), verb); m > int(e.A) && x.Nodes[m].To == verb {
			return int32(m)
		}
	}
	to, first := x.Nodes[e.A].To, verbGroup(ts, verb)
	switch {
	case first > to && ts[first-1].Tag == penn.CC && !penn.IsVerb(ts[to].Tag) && (first < verb || penn.IsVerb(ts[verb].Tag)):
		return x.joint(ts, e.A)
	case (first == to || first == to+1 && ts[to].Tag == penn.Comma) && isFinite(&ts[first]):
		return phraseHead(x, ts, e.A, i)
	}
	return x.attached(ts, i)
}

// wearer is who a participle is said of where what stands before it is a thing
// that a person or an animal wears or holds: "a man wearing a hat riding a horse".
// It is node a itself where that is not so.
func wearer(ts []tokens.Token, x *Reading, i int) int32 {
	e := &x.Edges[i]
	verb := ts[e.Candidate.Words[0]].Low
	posture := wordclass.Has(postureVerbs, verb)
	class := x.Nodes[e.A].Class
	if class == 0 || x.Nodes[e.A].Alive || posture && class != tokens.ClassArtifact || !posture && !wordclass.Has(lively, verb) {
		return e.A
	}
	for _, f := range x.edgesOf(int(e.A)) {
		if c := &f.Candidate; ts[x.Nodes[e.A].To-1].In(agents) && !slices.ContainsFunc(c.Words[:c.N], func(i int32) bool { return ts[i].In(aboard) }) {
			break // "a woman looking at a bus driving down a street"
		}
		if !f.Candidate.Reversed && x.Nodes[f.A].Alive && (!posture || worn(ts, &f.Candidate)) {
			return f.A
		}
	}
	return e.A
}

// worn reports whether a candidate says that somebody wears something.
func worn(ts []tokens.Token, c *analysis.Candidate) bool {
	return c.Implied == 0 && (ts[c.Words[0]].In(" wearing wears wear ") || c.N == 1 && ts[c.Words[0]].Low == "in")
}

// joint is what the phrase is about that object a ends, and so who does what is said after a
// conjunction: "a cat sits on a bed and looks at a man".
func (x *Reading) joint(ts []tokens.Token, a int32) int32 {
	for range maxPhrase {
		k := x.into(a)
		if k < 0 || x.pictured(ts, k) {
			break
		}
		a = x.Edges[k].A
	}
	return a
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

// phraseHead is the subject of a finite verb that stands after object a: that of the whole phrase, not the last noun of it: "a stamp printed in
// Germany shows a pope". The relations into a come before edge i.
func phraseHead(x *Reading, ts []tokens.Token, a int32, i int) int32 {
	for k := i - 1; k >= max(0, i-maxPhrase) && x.Edges[k].B >= a; k-- {
		f := &x.Edges[k]
		c := &f.Candidate
		if f.B == a && c.Implied == 0 && !c.Reversed && modifies(ts, c) {
			a = f.A
		}
	}
	return a
}

// maxPhrase is how many relations back the head of a phrase may be.
const maxPhrase = 64

// modifies reports whether a predicate belongs to a noun phrase: it has a
// preposition, or a participle.
func modifies(ts []tokens.Token, c *analysis.Candidate) bool {
	t := &ts[c.Words[0]]
	return (t.Tag == penn.IN && t.Low != "as" && t.Low != "while" || t.Tag == penn.VBG || t.Tag == penn.VBN) && !(c.Words[0] > 0 && ts[c.Words[0]-1].Be)
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
	c, n := &x.Edges[k].Candidate, &x.Nodes[e.A]
	verb := &ts[c.Words[0]]
	switch last := &ts[c.Words[c.N-1]]; {
	case last.In(" across along at down in on through "):
		if n.Class != tokens.ClassArtifact && !ts[n.To-1].In(" table tables ") || ts[n.To-1].In(ways) && !x.Nodes[e.B].Alive && !ts[x.Nodes[e.B].To-1].In(agents) {
			return e.A // "a tree on a street behind a bench"
		}
	case !penn.IsVerb(verb.Tag) || c.N > 1 || verb.In(regards) || x.Nodes[e.B].Class == tokens.ClassBody:
		return e.A // "a road behind a car", "holding a phone near her face"
	}
	return subject(ts, x, k)
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

// settle says of whatever a phrase is about, or does, what the model says of the
// last noun of it: the occasion ("a couple by the sea during a festival", "a goalkeeper
// defends the net during a match") and the backdrop ("berries on a branch on a white
// background").
func (x *Reading) settle(ts []tokens.Token) {
	x.added = x.added[:0]
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.Forward() {
			continue
		}
		switch {
		case c.N == 1 && occasion(ts, &x.Nodes[e.B], c.Words[0]):
			x.happen(ts, e)
		case backdrop(ts, &x.Nodes[e.B], c):
			x.stand(ts, e)
		}
	}
	x.include()
}

// occasion reports whether the preposition at token i says of object b when
// something is, or in what setting.
func occasion(ts []tokens.Token, b *analysis.Node, i int32) bool {
	event := b.Class == tokens.ClassEvent || b.Class == tokens.ClassAct
	return ts[i].In(occasions) || event && ts[i].In(happenings) || ts[b.To-1].In(times) && ts[i].In(" at in on ") ||
		ts[b.To-1].Low == "setting" && ts[i].Low == "in"
}

// happen moves an occasion from the last noun of a phrase to what the phrase is
// about, with its verb where that has no object of its own: "children play in the
// snow at sunset".
func (x *Reading) happen(ts []tokens.Token, e *analysis.Relation) {
	when := e.Candidate.Words[0]
	e.A = int32(objectBefore(x, int(e.A), when))
	for range maxPhrase {
		k := x.into(e.A)
		if k < 0 || x.pictured(ts, k) {
			return
		}
		f := x.Edges[k]
		c := &f.Candidate
		acts := penn.IsVerb(ts[c.Words[0]].Tag)
		if f.A = subject(ts, x, k); f.A < 0 {
			return
		}
		e.A = f.A
		if acts && c.N > 1 {
			e.Candidate.N = 1
			for e.Candidate.Words[0] = c.Words[0]; e.Candidate.N < c.N-1 && ts[c.Words[e.Candidate.N]].Tag == penn.RP; e.Candidate.N++ {
				e.Candidate.Words[e.Candidate.N] = c.Words[e.Candidate.N]
			}
			e.Candidate.Words[e.Candidate.N] = when
			e.Candidate.N++
		}
		if acts {
			return
		}
	}
}

// backdrop reports whether a candidate says that something is before backdrop b.
func backdrop(ts []tokens.Token, b *analysis.Node, c *analysis.Candidate) bool {
	first, last := ts[c.Words[0]].Low, ts[c.Words[c.N-1]].Low
	return ts[b.To-1].In(" backdrop background ") && wordclass.Has(" against on over ", last) &&
		(c.N == 1 || first == "isolated" || wordclass.Has(postureVerbs, first))
}

// stand moves a backdrop from the last noun of a phrase to what the phrase is about,
// or to what the picture that it is about shows.
func (x *Reading) stand(ts []tokens.Token, e *analysis.Relation) {
	for range maxPhrase {
		k := x.into(e.A)
		if k < 0 || x.pictured(ts, k) {
			return
		}
		e.A = x.Edges[k].A
	}
}

// pictured reports whether relation k is that of a picture with what it shows.
func (x *Reading) pictured(ts []tokens.Token, k int) bool {
	return ts[x.Nodes[x.Edges[k].A].To-1].In(media)
}

// into is the first relation that words state between an object before object b and
// b, or -1.
func (x *Reading) into(b int32) int {
	for k := x.edgesFrom(int(b)); k < len(x.Edges) && x.Edges[k].B == b; k++ {
		if c := &x.Edges[k].Candidate; c.Implied == 0 && !c.Reversed && c.Where == analysis.Between {
			return k
		}
	}
	return -1
}

// strays reports whether what an attribute says is said of when or where something
// is, or of a noun that is no object, not of the object that the model gives it to:
// "clouds above a hill on a sunny day", "a cold wait for the bus", "nails for a fun look". A
// style or a condition is one of the object itself. What stands after "something" is said of that.
func (x *Reading) strays(ts []tokens.Token, l analysis.Link) bool {
	if l.Object > l.Attribute {
		return x.skips(ts, l)
	}
	n := &x.Nodes[l.Attribute]
	to := n.To
	if int(to) == len(ts) || x.InNode[to] || !penn.IsNoun(ts[to].Tag) || ts[to].In(traits) {
		return false
	}
	i, whole := n.From-1, false
	for i >= 0 && i > n.From-analysis.MaxPair && (determines(&ts[i]) || ts[i].Tag == penn.JJ || ts[i].Tag == penn.RB) {
		whole = whole || determines(&ts[i])
		i--
	}
	if i < 0 || ts[i].Be || ts[to].In(" one ones today tonight yesterday ") {
		return false // "burgers are a healthy option", "a pink one", "busy today"
	}
	return whole || ts[i].Tag == penn.IN || penn.IsVerb(ts[i].Tag) || (ts[i].Kind == tokens.Mark || ts[i].Tag == penn.CC) && !ts[n.From].Capital
}

// skips reports whether another phrase begins between an attribute and the object after
// it that the model gives it to. What is of the object, or coordinated with it, does not
// count ("a large piece of cake", "an adult and a juvenile zebra").
func (x *Reading) skips(ts []tokens.Token, l analysis.Link) bool {
	from, to := x.Nodes[l.Attribute].To, x.Nodes[l.Object].From
	begins, joined, only := false, false, true
	for i := from; i < to; i++ {
		if x.InNode[i] {
			continue
		}
		t := &ts[i]
		switch {
		case t.Low == "of":
			l := &ts[max(i-1, 0)]
			return i > from && !x.InNode[i-1] && penn.IsNoun(l.Tag) && !l.In(portions)
		case t.Measure:
			return t.In(" body bodies ")
		case t.Tag == penn.CC:
			joined = true
		case t.Tag == penn.DT:
			begins = true
		case t.Tag == penn.IN || t.Tag == penn.TO || t.Tag == penn.PRPS || isFinite(t):
			begins, only = true, false
		default:
			only = false
		}
	}
	return begins && !(joined && only)
}
