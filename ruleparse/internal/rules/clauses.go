package rules

import (
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// limitToClause keeps relations within their clause: a predicate ends at "while", at a verb after a conjunction, at a
// comma right after it, or at a pronoun that is its preposition's object. If the words after that relate the object,
// they become the predicate: "a man wiping his brow while bouncing a ball", "a cat sleeping on it next to a bear".
func (x *Reading) limitToClause(ts []tokens.Token) {
	crossed := false
	x.added = x.added[:0]
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.IsForward() || c.Words[0] < x.Nodes[e.A].To {
			continue
		}
		if k := slices.IndexFunc(c.Words[:c.N], func(i int32) bool { return ts[i].Low == "while" }); k >= 0 {
			c.N = uint8(copy(c.Words[:], c.Words[k+1:c.N]))
			crossed = crossed || c.N == 0
			continue
		}
		if end := c.Words[c.N-1] + 1; ts[end].Tag == penn.Comma && ts[end-1].Tag != penn.JJ {
			c.N, crossed = 0, true // a list: "people standing, tree, sky"
			continue
		}
		mark := x.clauseBoundary(ts, c, e.B)
		if mark < 0 {
			continue
		}
		said, ok := x.statedPredicate(ts, mark+1, int(e.B))
		switch {
		case ok && ts[mark].Tag == penn.CC && c.Words[c.N-1] == mark-1 && (c.N > 1 || said.N == 1 && !ts[c.Words[0]].IsOneOf(resting)):
			x.added = append(x.added, analysis.Relation{A: e.A, B: e.B, Candidate: said}) // two verbs with one object: "holding and kissing her cat"
		case ok && (ts[mark].Tag != penn.IN || ts[mark].Low == "while" || penn.IsVerb(ts[said.Words[0]].Tag)):
			*c = said
		default:
			c.N, crossed = 0, true
		}
	}
	if crossed {
		x.stripObjectWords(ts)
	}
	x.mergeAddedEdges()
}

// clauseBoundary returns the last token between c and object b that ends the clause of c, or -1.
func (x *Reading) clauseBoundary(ts []tokens.Token, c *analysis.Candidate, b int32) int32 {
	begin := x.PhraseStart(int(b))
	for i := begin - 1; i > c.Words[c.N-1]; i-- {
		t := &ts[i]
		switch {
		case x.InNode[i]:
		case t.Low == "while" || t.Low == "as" && t.Tag == penn.IN && !ts[i-1].IsOneOf(" such well "):
			return i
		case t.Tag == penn.CC && penn.IsVerb(ts[i+1].Tag) && ts[i+1].Low != "including" && !x.InNode[i+1]:
			return i
		case t.Tag == penn.PRP && t.IsOneOf(" her him it me them us ") && ts[i+1].Kind != tokens.Clitic && canBePreposition(&ts[i-1]) && ts[i-1].Tag != penn.RP && i+1 < begin:
			return i
		}
	}
	return -1
}

// dropPrecedingObjects drops relations to an object before the subject if another object follows the predicate: in "The
// monks clean a garden at a temple" no garden is at the monks. The verb of a relative clause stays: "the dress that the
// actor wore in a movie".
func (x *Reading) dropPrecedingObjects(ts []tokens.Token) {
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if c.N == 0 || c.Position != analysis.After || !c.Reversed || !x.hasObjectAfter(ts, c) {
			continue
		}
		if isRelativePronoun(&ts[x.Nodes[e.A].To]) && penn.IsVerb(ts[c.Words[0]].Tag) {
			c.N = 1
		} else {
			c.N = 0
		}
	}
	x.stripObjectWords(ts)
}

// hasObjectAfter reports whether an object, or a noun that may be one, follows the words of c.
func (x *Reading) hasObjectAfter(ts []tokens.Token, c *analysis.Candidate) bool {
	last := c.Words[c.N-1]
	for i := last + 1; int(i) < len(ts) && i < last+analysis.MaxPair; i++ {
		switch t := &ts[i]; {
		case x.InNode[i]:
			if k := x.nodeAt(i); k < 0 || !x.Nodes[k].IsAttribute {
				return t.Tag != penn.PRP
			}
		case penn.IsNoun(t.Tag):
			return !t.IsOneOf(parts)
		case !isDeterminer(t) && t.Tag != penn.CD && t.Tag != penn.JJ:
			return false
		}
	}
	return false
}

// splitSharedPredicates corrects an object that the model has as a second object of the verb before: in "a man riding
// on a bus in a park" the park becomes the object of "in".
func (x *Reading) splitSharedPredicates(ts []tokens.Token) {
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.IsForward() || c.N == 0 {
			continue
		}
		last := c.Words[c.N-1]
		for m := x.previousObject(int(e.B)); m > int(e.A) && x.Nodes[m].From > last; m = x.previousObject(m) {
			own := x.edgesInto(m)
			same := slices.IndexFunc(own, func(f analysis.Relation) bool {
				return f.A == e.A && f.Candidate.Words == c.Words && f.Candidate.N == c.N
			})
			if same < 0 {
				continue
			}
			to := x.Nodes[m].To
			switch said, ok := x.statedPredicate(ts, to, int(e.B)); {
			case !x.hasGovernor(ts, to, x.PhraseStart(int(e.B))):
			case ok && len(x.edgesInto(int(e.B))) == 1:
				e.A, *c = int32(m), said
			default:
				c.N = 0
			}
			break
		}
	}
	x.stripObjectWords(ts)
}

// hasGovernor reports whether tokens [from, to) include a preposition or a verb, or begin with "'s". It is false if a
// conjunction makes the object after them an item of a list.
func (x *Reading) hasGovernor(ts []tokens.Token, from, to int32) bool {
	found := false
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.InNode[i]:
		case t.Tag == penn.CC || t.Kind == tokens.Mark && t.Tag != penn.Period || t.IsOneOf(" as including plus with "):
			return false
		case t.Tag == penn.IN || t.Tag == penn.TO || t.Tag == penn.WDT || t.Tag == penn.WP || t.Tag == penn.POS && i == from || penn.IsVerb(t.Tag):
			found = true
		}
	}
	return found
}

// isRelativePronoun reports whether t can be a relative pronoun.
func isRelativePronoun(t *tokens.Token) bool {
	return t.Tag == penn.WDT || t.Tag == penn.WP || t.Low == "that"
}

// clauseEndsAt reports whether a clause ends before token i.
func (x *Reading) clauseEndsAt(ts []tokens.Token, i int32) bool {
	return int(i) == len(ts) || ts[i].Kind == tokens.Mark || !x.InNode[i] && (ts[i].Tag == penn.CC || ts[i].IsOneOf(" as while "))
}

// resolvePronouns replaces "it" or "them" as the object of a preposition by its referent. If the model left out the
// place of a thing that an object has or is with, it adds that too: "a dock with a boat tied to it".
func (x *Reading) resolvePronouns(ts []tokens.Token) {
	x.added = x.added[:0]
	for b := range x.Nodes {
		if x.Nodes[b].IsAttribute {
			continue
		}
		own := x.edgesInto(b)
		if k := slices.IndexFunc(own, func(e analysis.Relation) bool { return x.refersToPronoun(ts, &e) }); k >= 0 {
			e := &own[k]
			a := x.pronounTarget(ts, e)
			x.addLocation(ts, e, a, b, e.Candidate)
			e.A = a
		} else if c, ok := x.trailingPredicate(ts, b); ok {
			if e, a := x.findBearer(ts, own, &c); a >= 0 {
				x.addLocation(ts, e, a, b, c)
			}
		} else if c, a := x.pronounObject(ts, b); a >= 0 {
			x.added = append(x.added, analysis.Relation{A: a, B: int32(b), Candidate: c})
		}
	}
	x.mergeAddedEdges()
	x.stripObjectWords(ts)
}

// refersToPronoun reports whether e places something at the referent of a pronoun.
func (x *Reading) refersToPronoun(ts []tokens.Token, e *analysis.Relation) bool {
	c := &e.Candidate
	if c.Implied != 0 || !c.Reversed || c.Position != analysis.After || c.N == 0 {
		return false
	}
	end := c.Words[c.N-1] + 1
	return int(end) < len(ts) && ts[end].IsOneOf(pronouns)
}

// trailingPredicate returns the predicate between object b and a pronoun ("tied to", "in front of"), or a predicate
// without an object at the end of a clause: "on top".
func (x *Reading) trailingPredicate(ts []tokens.Token, b int) (analysis.Candidate, bool) {
	c := analysis.Candidate{Position: analysis.After, Reversed: true}
	for i := x.Nodes[b].To; int(i) < len(ts); i++ {
		switch t := &ts[i]; {
		case x.InNode[i] && t.Tag != penn.PRP:
			return c, false
		case c.N > 0 && t.Tag == penn.PRP:
			return c, t.IsOneOf(pronouns) && ts[i-1].Tag != penn.VBG && (int(i)+1 == len(ts) || ts[i+1].Tag != penn.POS && ts[i+1].Kind != tokens.Clitic)
		case c.N > 1 && ts[i-1].IsOneOf(sides) && x.clauseEndsAt(ts, i):
			return c, true
		case c.N > 0 && t.Tag == penn.DT:
		case int(c.N) < len(c.Words) && (c.N == 0 && (t.Tag == penn.VBG || t.Tag == penn.VBN) || canBePreposition(t) || c.N > 0 && (t.Low == "of" || t.IsOneOf(sides))):
			c.Words[c.N] = i
			c.N++
		default:
			return c, false
		}
	}
	return c, c.N > 1 && ts[c.Words[c.N-1]].IsOneOf(sides)
}

// pronounObject returns the verb, with its preposition, that follows object b, a person or an animal, and the referent
// of the pronoun after it, or -1: "a man holds a cake and a woman looks at it".
func (x *Reading) pronounObject(ts []tokens.Token, b int) (analysis.Candidate, int32) {
	c := analysis.Candidate{Position: analysis.After, Reversed: true}
	if !x.Nodes[b].IsAlive {
		return c, -1
	}
	i := x.Nodes[b].To
	for int(i) < len(ts) && ts[i].IsBe {
		i++
	}
	for ; int(i) < len(ts) && c.N < 3 && !x.InNode[i]; i++ {
		if t := &ts[i]; c.N == 0 && (!penn.IsVerb(t.Tag) || t.IsBe) || c.N > 0 && !canBePreposition(t) {
			break
		}
		c.Words[c.N] = i
		c.N++
	}
	if c.N == 0 || int(i) >= len(ts) || !ts[i].IsOneOf(" it them ") || !x.clauseEndsAt(ts, i+1) {
		return c, -1
	}
	return c, x.uniqueAntecedent(ts, &ts[i], int32(b))
}

// possessionRelation returns the edge of own that states that an object has another or is with it, or nil.
func (x *Reading) possessionRelation(ts []tokens.Token, own []analysis.Relation) *analysis.Relation {
	for k := range own {
		if c := &own[k].Candidate; c.IsForward() && c.N > 0 && ts[c.Words[c.N-1]].IsOneOf(" had has have having with ") {
			return &own[k]
		}
	}
	return nil
}

// findBearer returns the object at which c places another object, and the edge e by which it has that object. Usually
// that is e's subject. It is the object before if that fits the pronoun better and is not in a list with it. bearer is
// -1 if none fits.
func (x *Reading) findBearer(ts []tokens.Token, own []analysis.Relation, c *analysis.Candidate) (e *analysis.Relation, bearer int32) {
	pronoun := tokens.AtOrBorder(ts, c.Words[c.N-1]+1)
	fits := func(a int32) bool { return mayReferTo(pronoun, &ts[x.Nodes[a].To-1], &x.Nodes[a]) }
	if e = x.possessionRelation(ts, own); e == nil {
		return nil, -1
	} else if fits(e.A) || pronoun.Tag != penn.PRP {
		return e, e.A
	}
	a := x.previousObject(int(e.B))
	if m, _ := x.joinedObject(ts, int(e.B)); m != a && fits(int32(a)) {
		return e, int32(a) // the cross walk: "walking on a cross walk with cars driving on it"
	}
	return e, -1
}

// addLocation adds the relation c of object b to object a, which edge e already relates. It adds it also for the
// objects coordinated with b: "a table with a vase and flowers on top", but not "two sinks and a mirror over it".
func (x *Reading) addLocation(ts []tokens.Token, e *analysis.Relation, a int32, b int, c analysis.Candidate) {
	for m := b; m > int(a) && m != int(e.A) && (m == b || !ts[x.Nodes[m].To-1].IsOneOf(spots)); m, _ = x.joinedObject(ts, m) {
		x.added = append(x.added, analysis.Relation{A: a, B: int32(m), Candidate: c})
		if e.Candidate.IsForward() && e.Candidate.N > 1 {
			break // only the rocks: "filled with water and rocks on the bottom"
		}
	}
}

// pronounTarget returns the referent of the pronoun after the words of e: the first object of e, or the only earlier
// object that fits: "a woman riding a bike with a basket on it".
func (x *Reading) pronounTarget(ts []tokens.Token, e *analysis.Relation) int32 {
	pronoun := &ts[e.Candidate.Words[e.Candidate.N-1]+1]
	if mayReferTo(pronoun, &ts[x.Nodes[e.A].To-1], &x.Nodes[e.A]) {
		return e.A
	}
	if a := x.uniqueAntecedent(ts, pronoun, e.B); a >= 0 {
		return a
	}
	return e.A
}

// uniqueAntecedent returns the only object before b that fits the number of a pronoun, or -1 if there is none or
// several.
func (x *Reading) uniqueAntecedent(ts []tokens.Token, pronoun *tokens.Token, b int32) int32 {
	found := int32(-1)
	for a := max(0, b-maxLookBack); a < b; a++ {
		n := &x.Nodes[a]
		if n.IsAttribute || ts[n.From].Tag == penn.PRP || n.Class == tokens.ClassBody || ts[n.To-1].IsOneOf(media) || !mayReferTo(pronoun, &ts[n.To-1], n) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = a
	}
	return found
}
