package rules

import (
	"slices"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// retagVerbs tags as a verb what is tagged as a noun right after a person or an animal: "a child smiles at the camera",
// "another man watches", "a woman posing for a photo".
//
// It does the same after a place, or after a word that selects one of several subjects: "the man on the right wears a
// hat", "the other wears a cap". A word after "have" becomes a participle, even if its form is the verb's base form:
// "has just hit the ball".
func (x *Reading) retagVerbs(ts []tokens.Token) {
	for i := range ts {
		if !ts[i].IsOneOf(" has have had 've ") {
			continue
		}
		verb := i + 1
		for verb < len(ts) && ts[verb].Tag == penn.RB {
			verb++
		}
		if verb < len(ts) && (ts[verb].Tag == penn.VB || ts[verb].Tag == penn.VBP) {
			ts[verb].Tag = penn.VBN
		}
	}
	for i := 3; i < len(ts); i++ {
		t := &ts[i]
		placed := ts[i-1].IsOneOf(tokens.Places) && ts[i-2].Low == "the" && ts[i-3].Tag == penn.IN
		other := ts[i-1].IsOneOf(" another other second ") && isDeterminer(tokens.AtOrBorder(ts, int32(i)+1))
		if t.Tag == penn.NNS && t.Flags&tokens.VerbS != 0 && !x.InNode[i] && (placed || other) {
			t.Tag = penn.VBZ
		}
	}
	for k := range x.Nodes {
		n := &x.Nodes[k]
		if n.IsAttribute || int(n.To) == len(ts) || !n.IsAlive && (int(n.To)+1 == len(ts) || ts[n.To+1].Low != "while") || ts[n.To-1].Tag != penn.NN && ts[n.To-1].Tag != penn.NNP {
			continue
		}
		t := &ts[n.To]
		if m := x.nodeAt(n.To); m >= 0 && !x.Nodes[m].IsAttribute || !canFollowVerb(ts, n.To+1) {
			continue
		}
		switch {
		case t.Tag == penn.NNS && t.Flags&tokens.VerbS != 0:
			t.Tag = penn.VBZ
		case t.Tag == penn.NN && t.Flags&tokens.VerbIng != 0:
			t.Tag = penn.VBG
		}
	}
}

// canFollowVerb reports whether token i can follow a verb that has no object: it is a preposition, an adverb or a
// conjunction, or ends the clause.
func canFollowVerb(ts []tokens.Token, i int32) bool {
	if int(i) == len(ts) || ts[i].Kind == tokens.Mark {
		return true
	}
	switch ts[i].Tag {
	case penn.IN, penn.TO, penn.RB, penn.CC:
		return ts[i].Low != "of"
	}
	return false
}

// completeVerbs adds the preposition before an object to a verb that has another object: in "rides a skateboard down a
// ramp" the predicate of the ramp is "ride down". It replaces a preposition that belongs to another object.
func (x *Reading) completeVerbs(ts []tokens.Token) {
	var buf [analysis.MaxPair]int32
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		a, b := &x.Nodes[e.A], &x.Nodes[e.B]
		if first, last := c.Words[0], c.Words[max(c.N, 1)-1]; c.N == 2 && ts[first].Tag == penn.VBN && ts[last].Tag == penn.IN && last > first+1 && ts[first+1].Low == "with" {
			c.Words[0], c.N = last, 1 // a bowl "filled with oranges on a counter" is on the counter
			continue
		}
		if !c.IsForward() || !penn.IsVerb(ts[c.Words[0]].Tag) || b.From-a.To > analysis.MaxPair || c.Words[0] < a.To {
			continue
		}
		words := analysis.PredicateWords(ts, x.InNode, int(a.To), int(b.From), analysis.MaxBetween, buf[:0])
		if k := slices.Index(words, c.Words[c.N-1]); k >= 0 && len(words)-k == 2 && int(c.N) < analysis.MaxPredicate && (canBePreposition(&ts[words[k+1]]) || ts[words[k+1]].Low == "of" && strings.HasPrefix(ts[words[k]].Low, "consist")) && !analysis.AreSeparated(ts, x.InNode, words[k]+1, words[k+1]) {
			c.Words[c.N] = words[k+1]
			c.N++
			continue
		}
		last := len(words) - 1
		for last > 0 && !analysis.AreSeparated(ts, x.InNode, words[last-1]+1, words[last]) {
			last--
		}
		if last <= 0 || words[last] <= c.Words[c.N-1] {
			continue
		}
		run := words[last:]
		if slices.ContainsFunc(run, func(i int32) bool { return ts[i].Tag == penn.PRP || penn.IsVerb(ts[i].Tag) }) {
			continue
		}
		if canBePreposition(&ts[run[0]]) && penn.IsVerb(ts[c.Words[c.N-1]].Tag) && int(c.N)+len(run) <= analysis.MaxPredicate {
			c.N += uint8(copy(c.Words[c.N:], run))
		}
	}
}

// canBePreposition reports whether t can be the preposition of a verb.
func canBePreposition(t *tokens.Token) bool {
	if t.IsOneOf(" of while as that because if ") {
		return false
	}
	return t.Tag == penn.IN || t.Tag == penn.TO || t.Tag == penn.RP || t.Tag == penn.RB && t.IsOneOf(analysis.Particles)
}

// perfectParticiple returns the participle that belongs to the auxiliary "have" at token i, or -1. A participle before
// a noun does not count: "has striped curtains".
func perfectParticiple(ts []tokens.Token, i int32) int32 {
	if !ts[i].IsOneOf(" has have had 've ") {
		return -1
	}
	verb := i + 1
	for int(verb) < len(ts) && (ts[verb].Tag == penn.RB || ts[verb].Low == "been") {
		verb++
	}
	if int(verb) >= len(ts) || ts[verb].Flags&(tokens.VerbParticiple|tokens.VerbIng) == 0 {
		return -1
	}
	if next := tokens.AtOrBorder(ts, verb+1); ts[verb-1].Low == "been" || isDeterminer(next) || next.Tag == penn.IN || next.Tag == penn.TO {
		return verb
	}
	return -1
}

// extendPredicates adds the words between a predicate and its object to the predicate, unless they name an object:
//
//   - after a verb, a noun or a pronoun with its preposition: "holding something in his hand", "sitting down in the
//     middle of the grass";
//   - after "to", the verb: "kneels down to pet two dogs";
//   - after a preposition, a noun and the next preposition: "a cat on a background of leaves" is not on leaves, and
//     "rooms with views towards a lake" do not have a lake.
func (x *Reading) extendPredicates(ts []tokens.Token) {
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.IsForward() || c.N == 0 {
			continue
		}
		last, begin := c.Words[c.N-1], x.PhraseStart(int(e.B))
		if begin-last < 2 || begin-last > analysis.MaxPair {
			continue
		}
		alone := c.N == 1 && penn.IsVerb(ts[last].Tag) && !ts[last].IsBe
		if alone || canBePreposition(&ts[last]) && ts[last-1].Low != "next" {
			x.extendTo(ts, c, begin)
		}
	}
}

// extendTo adds to c the words from c to token begin, without articles, adjectives and adverbs. It changes c only if
// all of them can be in a predicate and the last can precede an object.
func (x *Reading) extendTo(ts []tokens.Token, c *analysis.Candidate, begin int32) {
	d := *c
	for i := d.Words[d.N-1] + 1; i < begin; i++ {
		t := &ts[i]
		verb := t.Tag == penn.VB && ts[i-1].Tag == penn.TO
		switch {
		case x.InNode[i]:
			return
		case penn.IsNoun(t.Tag) && !t.IsMeasure, verb, canBePreposition(t), t.Low == "of", t.Tag == penn.PRP && !t.IsOneOf(" i he she they we "):
			if d.N == analysis.MaxPredicate {
				return
			}
			d.Words[d.N] = i
			d.N++
		case !isDeterminer(t) && t.Tag != penn.CD && t.Tag != penn.JJ && t.Tag != penn.RB && !t.IsMeasure:
			return
		}
	}
	if d.N == c.N {
		return
	}
	before, last, led := &ts[d.Words[d.N-2]], &ts[d.Words[d.N-1]], &ts[c.Words[c.N-1]]
	switch {
	case last.Low == "of":
		if d.N-c.N < 2 || !before.IsOneOf(regions) {
			return
		}
	case last.Tag == penn.VB:
	case !canBePreposition(last) || last.Tag == penn.TO && canBePreposition(led) || last.IsOneOf(" about but like than ") || canBePreposition(led) && !penn.IsNoun(before.Tag):
		return
	}
	*c = d
}

// attachLoneObjects relates an object without relations to the object before it by the preposition between them:
// "riding skis down a snow covered slope". It does not use verbs, whose subject is seldom the object before: "residents
// of the town say the barriers are gone".
func (x *Reading) attachLoneObjects(ts []tokens.Token) {
	x.isRelated = x.isRelated[:0]
	for range x.Nodes {
		x.isRelated = append(x.isRelated, false)
	}
	for _, e := range x.Edges {
		x.isRelated[e.A], x.isRelated[e.B] = true, true
	}
	x.added = x.added[:0]
	for b := range x.Nodes {
		if x.Nodes[b].IsAttribute || x.isRelated[b] || x.modifiesNext(ts, b) {
			continue
		}
		a := x.previousObject(b)
		if a < 0 {
			continue
		}
		from := x.Nodes[a].To
		for i := from; i < x.Nodes[b].From; i++ {
			from = max(from, reciprocalEnd(ts, int(i))) // skips reciprocals: "standing near each other in"
		}
		if c, ok := x.statedPredicate(ts, from, b); ok && !slices.ContainsFunc(c.Words[:c.N], func(i int32) bool {
			return penn.IsVerb(ts[i].Tag) || ts[i].IsOneOf(conjunctions) && ts[i].Tag == penn.IN
		}) {
			x.added = append(x.added, analysis.Relation{A: int32(a), B: int32(b), Candidate: c})
		}
	}
	x.mergeAddedEdges()
}

// modifiesNext reports whether object b is the first noun of a compound, or has "'s" after it.
func (x *Reading) modifiesNext(ts []tokens.Token, b int) bool {
	to := x.Nodes[b].To
	return b+1 < len(x.Nodes) && x.Nodes[b+1].From == to || int(to) < len(ts) && ts[to].Tag == penn.POS
}

// statedPredicate returns the predicate between token from and object b: a preposition, or a verb with or without a
// preposition. It returns false if other words are between.
func (x *Reading) statedPredicate(ts []tokens.Token, from int32, b int) (analysis.Candidate, bool) {
	to := x.PhraseStart(b)
	c := analysis.Candidate{Position: analysis.Between}
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.InNode[i] || t.Kind == tokens.Mark || t.Tag == penn.CC || i > from && (t.Tag == penn.WDT || t.Tag == penn.WP) || t.Tag == penn.PRP:
			return c, false
		case belongsToPredicate(ts, i) && !(t.IsMeasure && i > from):
			if c.N == analysis.MaxPredicate {
				return c, false
			}
			c.Words[c.N] = i
			c.N++
		case !analysis.IsSilent(t) && !isQualifier(t):
			return c, false
		}
	}
	return c, c.N > 0
}

// belongsToPredicate reports whether token i, before an object, is a verb or a preposition, even one tagged as an
// adverb: "down a slope", "next to".
func belongsToPredicate(ts []tokens.Token, i int32) bool {
	t, next := &ts[i], &ts[i+1]
	switch t.Tag {
	case penn.IN, penn.TO, penn.RP:
		return true
	}
	return penn.IsVerb(t.Tag) && !t.IsBe || t.Low == "next" && next.Low == "to" ||
		canBePreposition(t) && (isDeterminer(next) || canBePreposition(next))
}

// isNegated reports whether the text negates c: "a dish that was not served to the guests", "eating
// without using his hands".
func isNegated(ts []tokens.Token, c *analysis.Candidate) bool {
	first, last := c.Words[0], c.Words[c.N-1]
	from := max(0, first-analysis.MaxPair)
	for first > from && (ts[first-1].IsBe || ts[first-1].Tag == penn.TO || ts[first-1].Tag == penn.RB && !isNegation(ts, first-1) || perfectParticiple(ts, first-1) >= 0) {
		first--
	}
	if first > 0 && ts[first-1].Low == "without" && penn.IsVerb(ts[first].Tag) {
		return true
	}
	for i := max(first-1, 0); i < last; i++ {
		if isNegation(ts, i) {
			return true
		}
	}
	return false
}

// isNegation reports whether token i is a "not" that negates, unlike "not only" and "not just".
func isNegation(ts []tokens.Token, i int32) bool {
	return ts[i].IsOneOf(" n't n’t never not ") && !(int(i)+1 < len(ts) && ts[i+1].IsOneOf(" just only "))
}
