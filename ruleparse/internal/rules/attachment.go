package rules

import (
	"cmp"
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// isRuledOut reports whether grammar rules out an edge:
//
//   - no relation is implied between words of a title, in a hashtag, or across an article, a number
//     or a conjunction;
//   - a predicate must have a verb or a preposition, and no "where", "when" or "because";
//   - a predicate with an object before a dash has no object after it.
func isRuledOut(ts []tokens.Token, x *Reading, e *analysis.Relation) bool {
	c := &e.Candidate
	if c.Implied != 0 {
		a, b := &x.Nodes[e.A], &x.Nodes[e.B]
		return isCapitalised(ts[a.From:b.To]) || ts[b.From-1].Low == "#" || slices.ContainsFunc(ts[a.To:max(a.To, b.From)], separatesObjects)
	}
	return !canBePredicate(ts, c) || crossesDash(ts, x, e)
}

// separatesObjects reports whether t, between two objects, shows that no relation between them is
// implied: an article, a number, a conjunction or punctuation.
func separatesObjects(t tokens.Token) bool {
	return t.Tag == penn.DT || t.Tag == penn.CC || t.Tag == penn.CD || t.Tag == penn.Comma || t.Tag == penn.Colon || t.Tag == penn.LRB || t.Tag == penn.Open || t.Tag == penn.Close || t.IsBe
}

// canBePredicate reports whether the words of c can be a predicate.
func canBePredicate(ts []tokens.Token, c *analysis.Candidate) bool {
	says := false
	for _, w := range c.Words[:c.N] {
		t := &ts[w]
		if t.Tag == penn.WRB || t.Tag == penn.IN && t.IsOneOf(" although because if that unless until whether ") && !(int(w)+1 < len(ts) && ts[w+1].IsOneOf(" front of ")) {
			return false
		}
		says = says || !penn.IsNoun(t.Tag) && t.Tag != penn.JJ || t.Flags&tokens.AnyVerb != 0 || t.Flags&(tokens.AnyNoun|tokens.Adjective) == 0 && t.Entry >= 0 || t.IsOneOf(" next opposite ")
	}
	return says
}

// findSubject returns the subject of edge i: the model's choice, unless a pronoun or grammar
// selects another. It returns -1 if the subject is a pronoun whose referent is uncertain.
func findSubject(ts []tokens.Token, x *Reading, i int) int32 {
	e := &x.Edges[i]
	c := &e.Candidate
	if c.Implied != 0 || c.Reversed || c.Words[0] == 0 {
		return e.A
	}
	verb := c.Words[0]
	if isUnnamedSubject(ts, x, verb) {
		return -1
	}
	if pronoun := verbGroupStart(ts, verb) - 1; pronoun >= x.Nodes[e.A].To && ts[pronoun].Tag == penn.PRP && penn.IsVerb(ts[verb].Tag) && !x.InNode[pronoun] && !(pronoun > 0 && canBePreposition(&ts[pronoun-1]) && !ts[pronoun-1].IsOneOf(conjunctions)) {
		return int32(pronounSubject(ts, x, pronoun))
	}
	if verb == x.Nodes[e.A].To {
		if a := findWearer(ts, x, i); a != e.A {
			return a
		}
	} else if ts[verb].Tag == penn.VBN && !ts[verb].IsOneOf(posed) {
		if m := objectBefore(x, int(e.A), verb); m > int(e.A) && x.Nodes[m].To == verb {
			return int32(m)
		}
	}
	to, first := x.Nodes[e.A].To, verbGroupStart(ts, verb)
	if m := x.relativeSubject(ts, e.A, verb); m >= 0 {
		return m
	}
	switch {
	case first > to && ts[first-1].Tag == penn.CC && !penn.IsVerb(ts[to].Tag) && (first < verb || penn.IsVerb(ts[verb].Tag)):
		return x.phraseTopic(ts, e.A)
	case (first == to || first == to+1 && ts[to].Tag == penn.Comma) && isFinite(&ts[first]):
		return finiteVerbSubject(x, ts, e.A, i)
	}
	return x.subjectOfPlace(ts, i)
}

// findWearer returns the subject of a participle that follows a thing which somebody wears or
// holds: the man for "riding" in "a man wearing a hat riding a horse". If the thing is not worn or
// held, it returns e.A, the model's choice.
func findWearer(ts []tokens.Token, x *Reading, i int) int32 {
	e := &x.Edges[i]
	if isFinite(&ts[e.Candidate.Words[0]]) { // after a relative clause: "a man who is wearing a hat rides a horse"
		for m := int(e.A); m >= 0; m, _ = x.joinedObject(ts, m) { // all things of a list: "a hat and a scarf"
			for _, f := range x.edgesInto(m) {
				if !f.Candidate.Reversed && x.Nodes[f.A].IsAlive && statesWearing(ts, &f.Candidate) && isRelativePronoun(&ts[x.Nodes[f.A].To]) {
					return f.A
				}
			}
		}
	}
	verb := ts[e.Candidate.Words[0]].Low
	posture := wordclass.Has(postureVerbs, verb)
	class := x.Nodes[e.A].Class
	if class == 0 || x.Nodes[e.A].IsAlive || posture && class != tokens.ClassArtifact || !posture && !wordclass.Has(lively, verb) {
		return e.A
	}
	for _, f := range x.edgesInto(int(e.A)) {
		if c := &f.Candidate; ts[x.Nodes[e.A].To-1].IsOneOf(agents) && !slices.ContainsFunc(c.Words[:c.N], func(i int32) bool { return ts[i].IsOneOf(aboard) }) {
			break // the bus drives: "a woman looking at a bus driving down a street"
		}
		if !f.Candidate.Reversed && x.Nodes[f.A].IsAlive && (!posture || statesWearing(ts, &f.Candidate)) {
			return f.A
		}
	}
	return e.A
}

// statesWearing reports whether a candidate states that somebody wears something.
func statesWearing(ts []tokens.Token, c *analysis.Candidate) bool {
	return c.Implied == 0 && (ts[c.Words[0]].IsOneOf(" wearing wears wear ") || c.N == 1 && ts[c.Words[0]].Low == "in")
}

// phraseTopic returns the topic of the phrase that ends with object a. A predicate after a
// conjunction has the topic as its subject: "a cat sits on a bed and looks at a man".
func (x *Reading) phraseTopic(ts []tokens.Token, a int32) int32 {
	for range maxPhraseRelations {
		k := x.incomingRelation(a)
		if k < 0 || x.isDepiction(ts, k) {
			break
		}
		a = x.Edges[k].A
	}
	return a
}

// verbGroupStart returns where the auxiliaries of the verb at token i begin.
func verbGroupStart(ts []tokens.Token, i int32) int32 {
	for i > 0 && (ts[i-1].IsBe || ts[i-1].Tag == penn.MD || perfectParticiple(ts, i-1) >= 0) {
		i--
	}
	return i
}

// isFinite reports whether t is a finite verb or an auxiliary.
func isFinite(t *tokens.Token) bool {
	return t.Tag == penn.VBZ || t.Tag == penn.VBP || t.Tag == penn.VB || t.IsBe && t.Tag != penn.VBG && t.Tag != penn.VBN || t.IsOneOf(" had have ")
}

// finiteVerbSubject returns the subject of a finite verb that follows object a: the head of the
// whole noun phrase, not its last noun ("a stamp printed in Germany shows a pope"). It looks only
// at relations before edge i.
func finiteVerbSubject(x *Reading, ts []tokens.Token, a int32, i int) int32 {
	for k := i - 1; k >= max(0, i-maxPhraseRelations) && x.Edges[k].B >= a; k-- {
		f := &x.Edges[k]
		c := &f.Candidate
		if f.B == a && c.Implied == 0 && !c.Reversed && modifiesNoun(ts, c) {
			a = f.A
		}
	}
	return a
}

// maxPhraseRelations is how many relations are followed back to find the head of a noun phrase.
const maxPhraseRelations = 64

// modifiesNoun reports whether a predicate belongs to a noun phrase: it begins with a preposition
// or a participle.
func modifiesNoun(ts []tokens.Token, c *analysis.Candidate) bool {
	t := &ts[c.Words[0]]
	return (t.Tag == penn.IN && t.Low != "as" && t.Low != "while" || t.Tag == penn.VBG || t.Tag == penn.VBN) && !(c.Words[0] > 0 && ts[c.Words[0]-1].IsBe)
}

// subjectOfPlace returns the subject of edge i if that may be a place relation.
//
// If the place is beside something, the subject is whoever is there or holds that thing: "a man at
// a table in front of a laptop", "a boy holding a bat next to a base". After a picture and the
// object that it shows, that object is the subject: "a picture of a desk with a keyboard". The same
// holds for furniture after a room. After food with something on it, the food is the subject.
func (x *Reading) subjectOfPlace(ts []tokens.Token, i int) int32 {
	e := &x.Edges[i]
	if m := x.depictedObject(ts, e); m >= 0 {
		return m
	}
	if !statesBeside(ts, &e.Candidate) || e.Candidate.Words[0] != x.Nodes[e.A].To {
		return e.A
	}
	k := x.incomingRelation(e.A)
	if k < 0 {
		return e.A
	}
	c, n := &x.Edges[k].Candidate, &x.Nodes[e.A]
	verb := &ts[c.Words[0]]
	switch last := &ts[c.Words[c.N-1]]; {
	case last.IsOneOf(" across along at down in on through "):
		if n.Class != tokens.ClassArtifact && !ts[n.To-1].IsOneOf(" table tables ") || ts[n.To-1].IsOneOf(ways) && !x.Nodes[e.B].IsAlive && !ts[x.Nodes[e.B].To-1].IsOneOf(agents) {
			return e.A // the street is: "a tree on a street behind a bench"
		}
	case x.Nodes[x.Edges[k].A].IsAlive && !n.IsAlive && c.N == 1 && verb.Low == "with" && !x.isOwned(ts, int(e.A)) && x.Nodes[e.B].Class != tokens.ClassBody:
		// "a boy with a kite next to a girl"
	case !penn.IsVerb(verb.Tag) || c.N > 1 || verb.IsOneOf(regards) || x.Nodes[e.B].Class == tokens.ClassBody:
		return e.A // keeps the model's subject: "a road behind a car", "holding a phone near her face"
	}
	return findSubject(ts, x, k)
}

// isOwned reports whether a possessive pronoun precedes object b: "with their heads".
func (x *Reading) isOwned(ts []tokens.Token, b int) bool {
	begin := x.PhraseStart(b)
	return begin > 0 && ts[begin-1].Tag == penn.PRPS
}

// statesBeside reports whether a candidate places something beside something else.
func statesBeside(ts []tokens.Token, c *analysis.Candidate) bool {
	first, last := ts[c.Words[0]].Low, ts[c.Words[c.N-1]].Low
	switch c.N {
	case 1:
		return wordclass.Has(" behind beside near ", first)
	case 2:
		return first == "next" && last == "to"
	case 3:
		return first == "in" && last == "of" && ts[c.Words[1]].Low == "front" || wordclass.Has(" on to ", first) && last == "of" && ts[c.Words[1]].IsOneOf(" left right ")
	}
	return false
}

// depictedObject returns the object that a picture shows if relation e follows that object and
// belongs to it. It returns -1 if not, or if e states where the picture hangs.
func (x *Reading) depictedObject(ts []tokens.Token, e *analysis.Relation) int32 {
	if !ts[x.Nodes[e.A].To-1].IsOneOf(media) || ts[x.Nodes[e.B].To-1].IsOneOf(backdrops) {
		return -1
	}
	first := e.Candidate.Words[0]
	if ts[first].IsOneOf(picturing) {
		return -1
	}
	m := objectBefore(x, int(e.A), first)
	for k := m; k > int(e.A); k-- {
		for _, f := range x.edgesInto(k) {
			if f.A == e.A && f.Candidate.Implied == 0 && f.Candidate.N == 1 && ts[f.Candidate.Words[0]].Low == "of" && f.Candidate.Words[0] < first {
				return int32(k)
			}
		}
	}
	return -1
}

// objectBefore returns the last object after node a that ends at or before token i, or a.
func objectBefore(x *Reading, a int, i int32) int {
	m, _ := slices.BinarySearchFunc(x.Nodes, i+1, func(n analysis.Node, to int32) int { return cmp.Compare(n.To, to) })
	for m--; m > a && x.Nodes[m].IsAttribute; m-- {
	}
	return max(m, a)
}

// moveSettingsToHead changes the subject of settings from the last noun of a phrase to its head, or
// to its action. A setting is an occasion ("a couple by the sea during a festival", "a goalkeeper
// defends the net during a match") or a backdrop ("berries on a branch on a white background").
func (x *Reading) moveSettingsToHead(ts []tokens.Token) {
	x.added = x.added[:0]
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.IsForward() {
			continue
		}
		switch {
		case c.N == 1 && isOccasion(ts, &x.Nodes[e.B], c.Words[0]):
			x.moveOccasion(ts, e)
		case statesBackdrop(ts, &x.Nodes[e.B], c):
			x.moveBackdrop(ts, e)
		}
	}
	x.mergeAddedEdges()
}

// isOccasion reports whether object b after the preposition at token i is a time, an event or a
// setting.
func isOccasion(ts []tokens.Token, b *analysis.Node, i int32) bool {
	event := b.Class == tokens.ClassEvent || b.Class == tokens.ClassAct
	return ts[i].IsOneOf(occasions) || event && ts[i].IsOneOf(happenings) || ts[b.To-1].IsOneOf(times) && ts[i].IsOneOf(" at in on ") ||
		ts[b.To-1].Low == "setting" && ts[i].Low == "in"
}

// moveOccasion changes the subject of an occasion from the last noun of a phrase to its head. If
// the verb has no object of its own, it becomes part of the predicate: "children play in the snow
// at sunset".
func (x *Reading) moveOccasion(ts []tokens.Token, e *analysis.Relation) {
	when := e.Candidate.Words[0]
	e.A = int32(objectBefore(x, int(e.A), when))
	for range maxPhraseRelations {
		k := x.incomingRelation(e.A)
		if k < 0 || x.isDepiction(ts, k) {
			return
		}
		f := x.Edges[k]
		c := &f.Candidate
		acts := penn.IsVerb(ts[c.Words[0]].Tag)
		if f.A = findSubject(ts, x, k); f.A < 0 {
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

// statesBackdrop reports whether a candidate states that object b is a backdrop.
func statesBackdrop(ts []tokens.Token, b *analysis.Node, c *analysis.Candidate) bool {
	first, last := ts[c.Words[0]].Low, ts[c.Words[c.N-1]].Low
	return ts[b.To-1].IsOneOf(" backdrop background ") && wordclass.Has(" against on over ", last) &&
		(c.N == 1 || first == "isolated" || wordclass.Has(postureVerbs, first))
}

// moveBackdrop changes the subject of a backdrop from the last noun of a phrase to its head, or to
// what the head shows if that is a picture.
func (x *Reading) moveBackdrop(ts []tokens.Token, e *analysis.Relation) {
	for range maxPhraseRelations {
		k := x.incomingRelation(e.A)
		if k < 0 || x.isDepiction(ts, k) {
			return
		}
		e.A = x.Edges[k].A
	}
}

// isDepiction reports whether relation k relates a picture to what it shows.
func (x *Reading) isDepiction(ts []tokens.Token, k int) bool {
	return ts[x.Nodes[x.Edges[k].A].To-1].IsOneOf(media)
}

// incomingRelation returns the index of the first relation from an earlier object to b that words
// state, or -1.
func (x *Reading) incomingRelation(b int32) int {
	for k := x.firstEdgeInto(int(b)); k < len(x.Edges) && x.Edges[k].B == b; k++ {
		if c := &x.Edges[k].Candidate; c.Implied == 0 && !c.Reversed && c.Position == analysis.Between {
			return k
		}
	}
	return -1
}

// isStrayAttribute reports whether an attribute does not belong to the object that the model chose,
// but to a time, a place, or a noun that is no object. Examples: "clouds above a hill on a sunny
// day", "a cold wait for the bus", "nails for a fun look". Attributes of style or condition, and
// those after "something", do belong to the object.
func (x *Reading) isStrayAttribute(ts []tokens.Token, l analysis.Link) bool {
	if l.Object > l.Attribute {
		return x.skipsPhrase(ts, l)
	}
	n := &x.Nodes[l.Attribute]
	to := n.To
	if int(to) == len(ts) || x.InNode[to] || !penn.IsNoun(ts[to].Tag) || ts[to].IsOneOf(traits) {
		return false
	}
	i, whole := n.From-1, false
	for i >= 0 && i > n.From-analysis.MaxPair && (isDeterminer(&ts[i]) || ts[i].Tag == penn.JJ || ts[i].Tag == penn.RB) {
		whole = whole || isDeterminer(&ts[i])
		i--
	}
	if i < 0 || ts[i].IsBe || ts[to].IsOneOf(" one ones today tonight yesterday ") {
		return false // it describes the object: "burgers are a healthy option", "a pink one", "busy today"
	}
	return whole || ts[i].Tag == penn.IN || penn.IsVerb(ts[i].Tag) || (ts[i].Kind == tokens.Mark || ts[i].Tag == penn.CC) && !ts[n.From].Capital
}

// skipsPhrase reports whether another phrase begins between an attribute and its object after it.
// Nouns with "of" and conjunctions do not count: "a large piece of cake", "an adult and a juvenile
// zebra".
func (x *Reading) skipsPhrase(ts []tokens.Token, l analysis.Link) bool {
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
			return i > from && !x.InNode[i-1] && penn.IsNoun(l.Tag) && !l.IsOneOf(portions)
		case t.IsMeasure:
			return t.IsOneOf(" body bodies ")
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
