package rules

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// relateClauses corrects relations that cross the end of a phrase or a clause: see [Reading.relateVerbsAfterColours],
// [Reading.dropPlacesBeforeVerbs], [Reading.swapRelativePlaces] and [Reading.separateConjuncts].
func (x *Reading) relateClauses(ts []tokens.Token) {
	x.relateVerbsAfterColours(ts)
	x.dropPlacesBeforeVerbs(ts)
	x.swapRelativePlaces(ts)
	x.separateConjuncts(ts)
}

// relateVerbsAfterColours relates the subject and the object of a verb that follows a colour: "a guard in blue checks a
// ticket". It replaces a relation of the model from the colour, or with the preposition "in", to that object.
func (x *Reading) relateVerbsAfterColours(ts []tokens.Token) {
	x.added = x.added[:0]
	for i := range ts {
		verb := int32(i)
		if !isFinite(&ts[i]) || ts[i].IsBe || x.InNode[i] {
			continue
		}
		from, _ := wornColours(ts, i-1)
		if from < 0 {
			continue
		}
		worn := int32(from)
		b := x.objectFrom(verb)
		if b < 0 {
			break
		}
		said, ok := x.statedPredicate(ts, verb, b)
		a := objectBefore(x, -1, worn)
		if !ok || a < 0 {
			continue
		}
		own := x.edgesInto(b)
		k := slices.IndexFunc(own, func(e analysis.Relation) bool { return e.Candidate.IsForward() && e.Candidate.Words[0] <= verb })
		switch {
		case k < 0:
			x.added = append(x.added, analysis.Relation{A: int32(a), B: int32(b), Candidate: said})
		case own[k].Candidate.Words[0] < verb || x.Nodes[own[k].A].From >= worn:
			own[k].A, own[k].Candidate = int32(a), said
		}
	}
	x.mergeAddedEdges()
}

// dropPlacesBeforeVerbs removes a place before the verb from a predicate: in "the man on the left wears a shirt" he
// wears the shirt and is not on it.
func (x *Reading) dropPlacesBeforeVerbs(ts []tokens.Token) {
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.IsForward() || ts[c.Words[0]].Tag != penn.IN {
			continue
		}
		placed := false
		for i := c.Words[0] + 1; i < min(x.PhraseStart(int(e.B)), c.Words[0]+analysis.MaxPair) && ts[i].Kind != tokens.Mark && ts[i].Tag != penn.CC; i++ {
			if placed && !x.InNode[i] && isFinite(&ts[i]) {
				if said, ok := x.statedPredicate(ts, i, int(e.B)); ok {
					*c = said
				}
				break
			}
			placed = placed || ts[i].IsOneOf(tokens.Places)
		}
	}
}

// swapRelativePlaces swaps subject and object of a preposition before "which": in "a table on which there is a vase"
// the vase is on the table.
func (x *Reading) swapRelativePlaces(ts []tokens.Token) {
	for k := range x.Edges {
		c := &x.Edges[k].Candidate
		if !c.IsForward() {
			continue
		}
		last := c.Words[c.N-1]
		if next := tokens.AtOrBorder(ts, last+1); next.IsOneOf(" which whom ") && canBePreposition(&ts[last]) && !ts[last].IsOneOf(" of ") || next.IsOneOf(" which ") && c.N > 2 && ts[last].Low == "of" {
			c.Reversed = true
		}
	}
}

// separateConjuncts drops relations to an object that a conjunction joins with a whole phrase, not with the phrase's
// last noun:
//
//   - with an article after a bare noun, it is not in the container: "a mug of tea and a muffin", "a necklace made of
//     pearls, a ring, and earrings";
//   - with an article after the contents of a dish, it is no part of the dish: "a sandwich with cheese and a glass of
//     milk";
//   - a verb in the singular belongs to the whole phrase: "a wreath made of leaves and berries hangs on a door";
//   - the verb of a clause may be omitted after "the other": "one boy holds a kite and the other a ball";
//   - the noun of an absolute phrase is no object of the verb before it: "a girl sits on a wall, her legs crossed".
func (x *Reading) separateConjuncts(ts []tokens.Token) {
	crossed := false
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.IsForward() {
			continue
		}
		last, begin := c.Words[c.N-1], x.PhraseStart(int(e.B))
		portion := c.Words[0] > 0 && isDeterminer(&ts[c.Words[0]-1]) && ts[c.Words[0]].IsOneOf(partitives) // a new item: "and a loaf of bread"
		if portion || x.startsNewItem(ts, e, last) || x.isServedBeside(ts, e) || x.describesContainer(ts, e) || x.hasVerbOfWholePhrase(ts, e) || x.hasOmittedNoun(ts, c.Words[0], last, begin) || x.beginsAbsolute(ts, e.B, last) {
			c.N, crossed = 0, true
		}
	}
	if crossed {
		x.stripObjectWords(ts)
	}
}

// startsNewItem reports whether the object of e has an article, a number or a possessive, while the first object after
// "of", token of, has none. It is false for pictures, which can show both: "a painting of oranges, a bowl, and a
// pitcher".
func (x *Reading) startsNewItem(ts []tokens.Token, e *analysis.Relation, of int32) bool {
	if ts[of].Low != "of" || ts[x.Nodes[e.A].To-1].IsOneOf(media) {
		return false
	}
	first := x.objectFrom(of)
	if first < 0 || first >= int(e.B) || ts[x.Nodes[first].From].Capital || x.PhraseStart(first) != of+1 {
		return false // both are items: "of the tea and a muffin"
	}
	for m := int(e.B); m > first; m, _ = x.joinedObject(ts, m) {
		if begin := x.PhraseStart(m); ts[begin-1].IsOneOf(" a an the ") || ts[begin-1].Tag == penn.CD || ts[begin-1].Tag == penn.PRPS {
			return true
		}
	}
	return false
}

// isServedBeside reports whether e states that a dish has an object which is beside it: an article and a conjunction
// separate the object from the contents of the dish: "a sandwich with cheese and a glass of milk", "a salad with
// tomatoes and a fork".
func (x *Reading) isServedBeside(ts []tokens.Token, e *analysis.Relation) bool {
	c := &e.Candidate
	first := x.nextObject(int(e.A))
	if c.N != 1 || ts[c.Words[0]].Low != "with" || first < 0 || first >= int(e.B) || x.PhraseStart(first) != c.Words[0]+1 {
		return false
	}
	food, beside := &x.Nodes[e.A], &x.Nodes[e.B]
	begin := x.PhraseStart(int(e.B))
	head := &ts[food.To-1]
	apart := (food.Class == tokens.ClassFood || head.IsOneOf(otherFood) && (!head.IsAlive() || food.To > food.From+1)) && beside.Class != tokens.ClassFood ||
		head.IsOneOf(plates) && ts[beside.To-1].IsOneOf(vessels)
	return apart && x.conjoinedObject(ts, int(e.B)) >= 0 && (isDeterminer(&ts[begin-1]) || ts[begin].Tag == penn.CD)
}

// describesContainer reports whether e is about the contents of a container, but the text says it of the container and
// another thing: "a jug of lemonade and a croissant on a tray".
func (x *Reading) describesContainer(ts []tokens.Token, e *analysis.Relation) bool {
	m := x.nextObject(int(e.A))
	begin := x.PhraseStart(int(e.A))
	if m < 0 || m >= int(e.B) || begin < 2 || ts[begin-1].Low != "of" || e.Candidate.Words[0] < x.Nodes[m].To || ts[x.Nodes[e.A].From].Capital {
		return false
	}
	return x.conjoinedObject(ts, m) == int(e.A) && ts[x.PhraseStart(m)-1].IsOneOf(" a an ") && !ts[begin-2].IsMeasure
}

// hasVerbOfWholePhrase reports whether e has a verb in the singular whose subject is coordinated with the object right
// before the verb. Then the verb belongs to the whole phrase.
func (x *Reading) hasVerbOfWholePhrase(ts []tokens.Token, e *analysis.Relation) bool {
	verb := e.Candidate.Words[0]
	if ts[verb].Tag != penn.VBZ || x.Nodes[e.A].To == verb {
		return false
	}
	m := objectBefore(x, int(e.A), verb)
	if m == int(e.A) || x.Nodes[m].To != verb {
		return false
	}
	for m > int(e.A) {
		m, _ = x.joinedObject(ts, m)
	}
	return m == int(e.A) && x.incomingRelation(e.A) >= 0
}

// A written range of tokens is a quotation, such as the text of a sign.
type written struct{ from, to int32 }

// saying are words before a quotation, quoting are words after one.
var saying, quoting = wordclass.Words("saying"), wordclass.Words("quoting")

// maxWritten is the most tokens between two quotation marks.
const maxWritten = 24

// findWritten finds quotations: after a word such as "reads", or between "with" and "on it". The words in them are no
// objects, and no predicate includes words on both sides: in 'a sign that says "STOP" next to a truck' the sign is next
// to the truck.
func (x *Reading) findWritten(ts []tokens.Token) {
	x.written = x.written[:0]
	for i := int32(1); int(i) < len(ts); i++ {
		with := ts[i-1].Low == "with"
		if !isQuote(&ts[i]) || !with && !ts[i-1].IsOneOf(saying) {
			continue
		}
		to := i + 1
		for int(to) < len(ts) && to < i+maxWritten && !isQuote(&ts[to]) {
			to++
		}
		if with && !(i > 1 && ts[i-2].Tag == penn.VBN) && !(int(to)+1 < len(ts) && ts[to+1].IsOneOf(quoting)) { // a name, not a quotation: with "Spot" beside him
			continue
		}
		if int(to) < len(ts) && isQuote(&ts[to]) && to > i+1 {
			x.written = append(x.written, written{i + 1, to})
			i = to
		}
	}
	if len(x.written) == 0 {
		return
	}
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		for _, w := range x.written {
			verb := w.from - 2
			if !c.IsForward() || c.N == 0 || !slices.Contains(c.Words[:c.N], verb) || x.Nodes[e.B].From < w.to {
				continue
			}
			if said, ok := x.statedPredicate(ts, w.to+1, int(e.B)); ok {
				*c = said
			} else {
				c.N = 0
			}
		}
	}
	x.stripObjectWords(ts)
}

// isQuote reports whether t is a quotation mark.
func isQuote(t *tokens.Token) bool {
	return t.Kind == tokens.Mark && t.IsOneOf(" \" “ ” ' ‘ ’ `` '' ")
}

// isWritten reports whether node n overlaps a quotation.
func (x *Reading) isWritten(n *analysis.Node) bool {
	return slices.ContainsFunc(x.written, func(w written) bool { return n.From < w.to && n.To > w.from })
}

// addWritten adds each quotation as an attribute, with status Depicted, to the object that it is written on.
func (b *graphBuilder) addWritten() {
	for _, w := range b.x.written {
		if owner := objectBefore(b.x, -1, w.from-1); owner >= 0 && b.objectOf[owner] >= 0 {
			insertAttribute(&b.graph.Objects[b.objectOf[owner]], schemas.Attribute{
				Text: phraseText(b.low, b.ts, w.from, w.to), Form: schemas.Post, Begin: b.ts[w.from].Begin, End: b.ts[w.to-1].End, Status: schemas.Depicted,
			})
		}
	}
}

// hasOmittedNoun reports whether "the other" or a similar phrase, as a subject without a noun, stands between a
// predicate and its object.
func (x *Reading) hasOmittedNoun(ts []tokens.Token, first, last, begin int32) bool {
	if !penn.IsVerb(ts[first].Tag) {
		return false
	}
	for i := last + 2; i < begin; i++ {
		if !x.InNode[i] && ts[i].IsOneOf(" other others second ") && ts[i-1].Low == "the" && ts[i+1].Tag != penn.NN && (isDeterminer(&ts[i+1]) || ts[i+1].Tag == penn.CD || ts[i+1].Tag == penn.IN) {
			return true
		}
	}
	return false
}

// beginsAbsolute reports whether object b, after token last, begins an absolute phrase, which has no finite verb: ",
// her legs crossed", ", the woman knitting".
func (x *Reading) beginsAbsolute(ts []tokens.Token, b, last int32) bool {
	begin, to := x.PhraseStart(int(b)), x.Nodes[b].To
	if begin < 2 || ts[begin-2].Tag != penn.Comma || begin-2 <= last || int(to) >= len(ts) {
		return false
	}
	owned := ts[begin-1].Tag == penn.PRPS
	if !owned && !(ts[begin-1].Low == "the" && x.Nodes[b].IsPerson) {
		return false
	}
	switch t := &ts[to]; {
	case penn.IsVerb(t.Tag), t.Flags&tokens.VerbIng != 0:
		return true
	default:
		return owned && (t.Tag == penn.IN && !t.IsOneOf(conjunctions) || t.Tag == penn.JJ || t.Tag == penn.RP || t.Tag == penn.RB)
	}
}
