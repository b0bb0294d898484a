package rules

import (
	"slices"

	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// markAbsent marks objects as denied that the text says are missing: "a wheel is missing from the car", "a man with a
// missing tooth". If only a part or some are missing, the object stays, without its quantity: "a piece of the pizza is
// missing".
func (b *graphBuilder) markAbsent() {
	for i := range b.ts {
		k := -1
		if b.ts[i].IsOneOf(" absent gone missing ") {
			k = b.x.absentObject(b.ts, int32(i))
		}
		if k < 0 || b.objectOf[k] < 0 {
			continue
		}
		o := &b.graph.Objects[b.objectOf[k]]
		at := b.ts[i].Begin
		o.Attributes = slices.DeleteFunc(o.Attributes, func(a schemas.Attribute) bool { return a.Begin == at })
		b.graph.Relations = slices.DeleteFunc(b.graph.Relations, func(r schemas.Relation) bool { return r.Begin <= at && at < r.End })
		begin := b.x.PhraseStart(k)
		if begin > 2 && isDeterminer(&b.ts[begin-1]) && b.ts[begin-2].Low == "of" && !b.ts[begin-3].IsOneOf(" all both ") {
			o.Quantity = ""
		} else {
			o.Status = schemas.Denied
		}
	}
}

// absentObject returns the object that is missing according to token i, a word such as "missing", or -1.
func (x *Reading) absentObject(ts []tokens.Token, i int32) int {
	be := i - 1
	for be > 0 && (ts[be].Tag == penn.RB || ts[be].Tag == penn.DT) { // skips adverbs: "are all missing", "is now gone"
		be--
	}
	next := tokens.AtOrBorder(ts, i+1)
	switch {
	case be < 1:
		return -1
	case !ts[be].IsBe:
		k := x.objectFrom(i + 1)
		if k < 0 || x.PhraseStart(k) > i+1 || !isDeterminer(&ts[i-1]) || ts[x.Nodes[k].To-1].IsOneOf(likenesses) || ts[x.Nodes[k].To-1].IsOneOf(media) {
			return -1
		}
		return k // an adjective before the object: "a missing tooth"
	case isDeterminer(next) || next.Tag == penn.CD || next.Tag == penn.JJ || penn.IsNoun(next.Tag):
		return -1 // a verb with an object: "is missing a tooth"
	case isRelativePronoun(&ts[be-1]):
		be--
		return x.objectEndingAt(be)
	}
	k := x.objectEndingAt(be)
	for range maxPhraseRelations {
		e := -1
		if k >= 0 {
			e = x.incomingRelation(int32(k))
		}
		if e < 0 || !modifiesNoun(ts, &x.Edges[e].Candidate) {
			break
		}
		k = int(x.Edges[e].A) // the head of the phrase: "the wheel of the car is missing"
	}
	return k
}

// objectEndingAt returns the object whose last token is right before token i, or -1.
func (x *Reading) objectEndingAt(i int32) int {
	if k := x.nodeAt(i - 1); k >= 0 && !x.Nodes[k].IsAttribute {
		return k
	}
	return -1
}
