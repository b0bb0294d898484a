package ruleparse

import (
	"cmp"
	"slices"
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
func misread(ts []span, x *analysis, e *relation) bool {
	c := &e.candidate
	if c.implied != 0 {
		a, b := &x.nodes[e.a], &x.nodes[e.b]
		return capitalised(ts[a.from:b.to]) || ts[b.from-1].low == "#" || slices.ContainsFunc(ts[a.to:max(a.to, b.from)], separates)
	}
	return !predicates(ts, c) || negated(ts, c) || dashed(ts, x, e)
}

// separates reports whether t keeps two objects apart: "some people some buildings".
func separates(t span) bool {
	return t.tag == tagDT || t.tag == tagCC || t.tag == tagCD || t.tag == tagComma || t.tag == tagColon || t.tag == tagLRB || t.tag == tagOpen || t.tag == tagClose || t.be
}

// enumerated reports whether the objects of e are members of one list.
func (x *analysis) enumerated(ts []span, e *relation) bool {
	found := false
	for i := x.nodes[e.a].to; i < x.nodes[e.b].from; i++ {
		switch t := &ts[i]; {
		case t.tag == tagCC || t.tag == tagComma:
			found = true
		case !x.inNode[i] && !determines(t) && !t.measure && t.tag != tagCD && !qualifies(t) && t.low != "other":
			return false
		}
	}
	return found
}

// predicates reports whether the words of c can be a predicate.
func predicates(ts []span, c *candidate) bool {
	says := false
	for _, w := range c.words[:c.n] {
		t := &ts[w]
		if t.tag == tagWRB || t.tag == tagIN && oneOf(" although because if that unless until whether ", t.low) && !(int(w)+1 < len(ts) && oneOf(" front of ", ts[w+1].low)) {
			return false
		}
		says = says || !isNoun(t.tag) && t.tag != tagJJ || t.flags&anyVerb != 0 || t.flags&(anyNoun|adjective) == 0 && t.entry >= 0 || oneOf(" next opposite ", t.low)
	}
	return says
}

// leads reports whether c ends in a preposition of a relative clause: "a field in which a man".
func (c *candidate) leads(ts []span) bool {
	last := c.words[c.n-1]
	return int(last)+1 < len(ts) && prepositions(&ts[last]) && oneOf(" which whom ", ts[last+1].low)
}

// beyond reports whether an attribute has an object after it and then more than a
// conjunction before the object that it is linked with: "four men ride horses" does
// not say how many horses.
func beyond(ts []span, x *analysis, l link) bool {
	first := l.attribute + 1
	for int(first) < len(x.nodes) && x.nodes[first].attribute {
		first++
	}
	if first >= l.object {
		return false
	}
	for i := x.nodes[first].to; i < x.nodes[l.object].from; i++ {
		t := &ts[i]
		if !x.inNode[i] && t.tag != tagCC && t.tag != tagComma && t.tag != tagDT && t.tag != tagJJ && t.low != "of" {
			return true
		}
	}
	return false
}

// objectBefore is the last object after node a that ends at or before token i.
func objectBefore(x *analysis, a int, i int32) int {
	m, _ := slices.BinarySearchFunc(x.nodes, i+1, func(n node, to int32) int { return cmp.Compare(n.to, to) })
	for m--; m > a && x.nodes[m].attribute; m-- {
	}
	return max(m, a)
}

// classArtifact is WordNet's lexicographer file of things that were made.
const classArtifact = 6

// subject is the node that edge i is said of: the model's, unless a pronoun or
// grammar says another; -1 where a pronoun stands for nothing that is sure.
func subject(ts []span, x *analysis, i int) int32 {
	e := &x.edges[i]
	c := &e.candidate
	if c.implied != 0 || c.reversed || c.words[0] == 0 {
		return e.a
	}
	verb := c.words[0]
	if pronoun := verbGroup(ts, verb) - 1; pronoun >= x.nodes[e.a].to && ts[pronoun].tag == tagPRP && isVerb(ts[verb].tag) && !x.inNode[pronoun] && !(pronoun > 0 && prepositions(&ts[pronoun-1]) && !oneOf(conjunctions, ts[pronoun-1].low)) {
		return int32(doing(ts, x, pronoun))
	}
	switch {
	case verb == x.nodes[e.a].to, x.after(ts, int(e.a), verb), animate(ts[verb].low) && x.trails(e.a, verb):
		if a := wearer(ts, x, i); a != e.a {
			return a
		}
	case ts[verb].tag == tagVBN && !oneOf(posed, ts[verb].low):
		if m := objectBefore(x, int(e.a), verb); m > int(e.a) && x.nodes[m].to == verb {
			return int32(m)
		}
	case ts[verb-1].tag == tagTO && ts[verb].tag == tagVB, ts[verb].tag == tagTO && c.n > 1 && ts[c.words[1]].tag == tagVB:
		return doer(x, i)
	}
	first := verbGroup(ts, verb)
	switch to := x.nodes[e.a].to; {
	case first > to && ts[first-1].low == "while" && !x.nodes[e.a].alive,
		first > to && ts[first-1].tag == tagCC && !isVerb(ts[to].tag) && (first < verb || isVerb(ts[verb].tag)):
		return joint(ts, x, i, verb)
	case (first == to || first == to+1 && ts[to].tag == tagComma) && isFinite(&ts[first]):
		return phraseHead(ts, x, e.a, i, first)
	}
	return x.attached(ts, i)
}

// after reports whether token i follows an object that is coordinated with object a.
func (x *analysis) after(ts []span, a int, i int32) bool {
	m := objectBefore(x, a, i)
	return m > a && x.nodes[m].to == i && x.conjunct(ts, m) == a
}

// trails reports whether token i follows an object that is said to be at object a:
// "a bench in the park eating".
func (x *analysis) trails(a, i int32) bool {
	k := x.into(int32(objectBefore(x, int(a), i)))
	return k >= 0 && x.edges[k].a == a
}

// wearer is who a participle is said of where what stands before it is a thing
// that a person or an animal wears or holds: "a man wearing a hat riding a horse".
// It is node a itself where that is not so.
func wearer(ts []span, x *analysis, i int) int32 {
	e := &x.edges[i]
	verb := ts[e.candidate.words[0]].low
	posture := oneOf(postureVerbs, verb)
	class := x.nodes[e.a].class
	if class == 0 || x.nodes[e.a].alive || posture && class != classArtifact || !posture && !animate(verb) {
		return e.a
	}
	a := e.a
	for k := i - 1; k >= 0 && x.edges[k].b >= a; k-- {
		f := &x.edges[k]
		if f.b != a || f.candidate.reversed {
			continue
		}
		if oneOf(agents, ts[x.nodes[a].to-1].low) && !f.candidate.boards(ts) {
			break // "a woman looking at a bus driving down a street"
		}
		alive := x.nodes[f.a].alive
		if alive && (!posture || f.candidate.worn(ts)) {
			return f.a
		}
		if !posture && !alive {
			a = f.a // "a boy on a bench in the park eating a sandwich"
		}
	}
	return e.a
}

// doer is who does what edge i says after a conjunction: the subject of what is said
// of object a before, "a doctor carries out research and looks at a screen".
func doer(x *analysis, i int) int32 {
	a := x.edges[i].a
	for k := i - 1; k >= 0 && x.edges[k].b >= a; k-- {
		if f := &x.edges[k]; f.b == a && !f.candidate.reversed && f.candidate.implied == 0 {
			return f.a
		}
	}
	return a
}

// joint is who does what edge i says after a conjunction with the verb at token verb:
// whoever does what the verb before says, "a cat sits on a bed and looks at a man".
func joint(ts []span, x *analysis, i int, verb int32) int32 {
	a := x.edges[i].a
	for range maxPhrase {
		k := x.into(a)
		if k < 0 || x.pictured(ts, k) {
			break
		}
		f := &x.edges[k]
		before := f.candidate.words[0]
		if isVerb(ts[before].tag) && !x.conjoined(ts, f.a, verbGroup(ts, before)) {
			return subject(ts, x, k)
		}
		a = f.a
	}
	return a
}

// conjoined reports whether a conjunction stands between object a and token i, and
// nothing else.
func (x *analysis) conjoined(ts []span, a, i int32) bool {
	to := x.nodes[a].to
	return i == to+1 && ts[to].tag == tagCC
}

// worn reports whether a candidate says that somebody wears something.
func (c *candidate) worn(ts []span) bool {
	return c.implied == 0 && (oneOf(" wearing wears wear ", ts[c.words[0]].low) || c.n == 1 && ts[c.words[0]].low == "in")
}

// verbGroup is where the auxiliaries of the verb at token i begin.
func verbGroup(ts []span, i int32) int32 {
	for i > 0 && (ts[i-1].be || ts[i-1].tag == tagMD || perfect(ts, i-1) >= 0) {
		i--
	}
	return i
}

// isFinite reports whether t is a verb that has a subject, or an auxiliary.
func isFinite(t *span) bool {
	return t.tag == tagVBZ || t.tag == tagVBP || t.tag == tagVB || t.be && t.tag != tagVBG && t.tag != tagVBN || oneOf(" had have ", t.low)
}

// phraseHead is the subject of the finite verb at token verb, which stands after
// object a: that of the whole phrase, not the last noun of it: "a stamp printed in
// Germany shows a pope". The relations into a come before edge i.
func phraseHead(ts []span, x *analysis, a int32, i int, verb int32) int32 {
	for k := i - 1; k >= max(0, i-maxPhrase) && x.edges[k].b >= a; k-- {
		f := &x.edges[k]
		c := &f.candidate
		if f.b != a || c.implied != 0 || c.reversed || !modifies(ts, c) || c.leads(ts) || x.bare(ts, k, verb) {
			continue
		}
		if many := (x.nodes[f.a].class == classGroup || ts[x.nodes[f.a].to-1].low == "group") && ts[c.words[0]].low != "of"; !many && !agree(ts, x, f.a, a, verb) {
			continue // many: "a group holding frisbees pose"
		}
		a = f.a
	}
	return a
}

// bare reports whether the verb at token verb stays with the second object of
// relation k for its form: "helping a woman put on a tie", "images of people walk".
func (x *analysis) bare(ts []span, k int, verb int32) bool {
	if ts[verb].tag != tagVB && ts[verb].tag != tagVBP {
		return false
	}
	f := &x.edges[k]
	return x.pictured(ts, k) || x.nodes[f.b].person && isVerb(ts[f.candidate.words[0]].tag)
}

// maxPhrase is how many relations back the head of a phrase may be.
const maxPhrase = 64

// modifies reports whether a predicate belongs to a noun phrase: it has a
// preposition, or a participle.
func modifies(ts []span, c *candidate) bool {
	t := &ts[c.words[0]]
	return (t.tag == tagIN && t.low != "as" && t.low != "while" || t.tag == tagVBG || t.tag == tagVBN) && !(c.words[0] > 0 && ts[c.words[0]-1].be)
}

// agree reports whether object a is as fit in number as b to be the subject of a verb.
func agree(ts []span, x *analysis, a, b, verb int32) bool {
	plural := func(n int32) bool { t := ts[x.nodes[n].to-1].tag; return t == tagNNS || t == tagNNPS }
	return plural(a) == plural(b) || plural(a) != (ts[verb].tag == tagVBZ)
}

// attached is what edge i is said of: a place beside something is that of whoever is
// somewhere or holds something, not of where they are or what they hold: "a man at a
// table in front of a laptop", "a boy holding a bat next to a base". What is said of a
// picture after what it shows is said of that: "a picture of a desk with a keyboard", and so is
// what stands right after the furniture of a room. What food with something on it is on is said of
// the food.
func (x *analysis) attached(ts []span, i int) int32 {
	e := &x.edges[i]
	if m := x.depicted(ts, e); m >= 0 {
		return m
	}
	if !aside(ts, &e.candidate) || e.candidate.words[0] != x.nodes[e.a].to {
		return e.a
	}
	k := x.into(e.a)
	if k < 0 {
		return e.a
	}
	f := &x.edges[k]
	n := &x.nodes[e.a]
	verb := &ts[f.candidate.words[0]]
	switch last := ts[f.candidate.words[f.candidate.n-1]].low; {
	case n.alive || n.class == classBody || x.pictured(ts, k):
		return e.a
	case oneOf(" across along at down in on through ", last):
		if n.class != classArtifact && !oneOf(" table tables ", ts[n.to-1].low) || oneOf(ways, ts[n.to-1].low) && !x.moves(ts, e.b) {
			return e.a
		}
	case !isVerb(verb.tag) || f.candidate.n > 1 || oneOf(regards, verb.low) || x.nodes[e.b].class == classBody:
		return e.a // "a road behind a car", "holding a phone near her face"
	}
	a := subject(ts, x, k)
	if antecedent(ts, x, int(e.b)) == int(a) {
		return e.a // "rolling his luggage behind him"
	}
	return a
}

// moves reports whether object b is somebody, or a vehicle: "a truck on a street behind
// a car".
func (x *analysis) moves(ts []span, b int32) bool {
	n := &x.nodes[b]
	return n.alive || oneOf(agents, ts[n.to-1].low)
}

// places reports whether a candidate says where something is.
func places(ts []span, c *candidate) bool {
	first := &ts[c.words[0]]
	if oneOf(postureVerbs, first.low) || first.low == "placed" {
		return true
	}
	return oneOf(" at atop behind beside by in inside near next on outside under ", first.low)
}

// aside reports whether a candidate says that something is beside another.
func aside(ts []span, c *candidate) bool {
	first, last := ts[c.words[0]].low, ts[c.words[c.n-1]].low
	switch c.n {
	case 1:
		return oneOf(" behind beside near ", first)
	case 2:
		return first == "next" && last == "to"
	case 3:
		return first == "in" && last == "of" && ts[c.words[1]].low == "front"
	}
	return false
}

// depicted is what the picture shows that e says something of, after it has said what
// it shows; -1 where e is no such relation, or says where the picture hangs.
func (x *analysis) depicted(ts []span, e *relation) int32 {
	if !oneOf(media, ts[x.nodes[e.a].to-1].low) || oneOf(backdrops, ts[x.nodes[e.b].to-1].low) {
		return -1
	}
	first := e.candidate.words[0]
	if oneOf(picturing, ts[first].low) {
		return -1
	}
	m := objectBefore(x, int(e.a), first)
	for k := m; k > int(e.a); k-- {
		for _, f := range x.edgesOf(k) {
			if f.a == e.a && f.candidate.implied == 0 && f.candidate.n == 1 && ts[f.candidate.words[0]].low == "of" && f.candidate.words[0] < first {
				return int32(k)
			}
		}
	}
	return -1
}
