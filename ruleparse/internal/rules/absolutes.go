package rules

import (
	"slices"
	"strings"

	"capgraph/ruleparse/internal/penn"
	"capgraph/schemas"
)

// phraseBegin returns the first token of an object's noun phrase.
func (b *graphBuilder) phraseBegin(object int32) int32 {
	m := tokenIndex(b.ts, b.graph.Objects[object].Begin)
	for m > 0 {
		if t := &b.ts[m-1]; !isDeterminer(t) && t.Tag != penn.JJ && t.Tag != penn.CD && !penn.IsNoun(t.Tag) {
			break
		}
		m--
	}
	return m
}

// governor returns the preposition right before an object's noun phrase, or -1.
func (b *graphBuilder) governor(object int32) int32 {
	if m := b.phraseBegin(object) - 1; m >= 0 && b.ts[m].Tag == penn.IN {
		return m
	}
	return -1
}

// setPredicate makes token at the predicate of relation r.
func (b *graphBuilder) setPredicate(r *schemas.Relation, at int32) {
	t := &b.ts[at]
	r.Predicate, r.Lemma, r.Begin, r.End = t.Low, t.Low, t.Begin, t.End
}

// removeMadeFromPlaces corrects the place of a thing that is made of others: in "a salad made of lettuce and tomatoes
// in a bowl" the salad is "in" the bowl, not "made in" it.
func (b *graphBuilder) removeMadeFromPlaces() {
	for i := range b.graph.Relations {
		r := &b.graph.Relations[i]
		if !strings.HasPrefix(r.Lemma, "make ") || isMadeOf(r) {
			continue
		}
		isSame := func(o schemas.Relation) bool { return o.Subject == r.Subject && isMadeOf(&o) }
		if at := b.governor(r.Object); at >= 0 && slices.ContainsFunc(b.graph.Relations, isSame) {
			b.setPredicate(r, at)
		}
	}
}

// moveToPossessed corrects the subject of a place after a comma and a possessive phrase: in "a horse runs across a
// field, its tail in the air" the tail is in the air.
func (b *graphBuilder) moveToPossessed() {
	g := b.graph
	for i := range g.Relations {
		r := &g.Relations[i]
		at := b.governor(r.Object)
		if at < 1 || b.ts[at].Begin <= max(r.Begin, g.Objects[r.Subject].Begin) {
			continue
		}
		for k := range g.Objects {
			if o := &g.Objects[k]; int32(k) == r.Subject || o.End <= 0 || o.End != b.ts[at-1].End {
				continue
			}
			if m := b.phraseBegin(int32(k)); m > 0 && b.ts[m].Tag == penn.PRPS && b.ts[m-1].Tag == penn.Comma {
				r.Subject = int32(k)
				b.setPredicate(r, at)
			}
		}
	}
}

// dropAbsolutes drops an object after a comma from the objects of a verb before the comma, if the text places it at
// something of the subject: in "a child sleeps on a sofa, a blanket over his legs" the child does not sleep on the
// blanket.
func (b *graphBuilder) dropAbsolutes() {
	g := b.graph
	g.Relations = slices.DeleteFunc(g.Relations, func(r schemas.Relation) bool {
		m := b.phraseBegin(r.Object)
		if r.Begin < 0 || m < 1 || b.ts[m-1].Tag != penn.Comma || r.Begin >= b.ts[m].Begin {
			return false
		}
		comma := b.ts[m-1].Begin
		isShared := func(o schemas.Relation) bool {
			return o.Subject == r.Subject && o.Begin == r.Begin && o.Object != r.Object && g.Objects[o.Object].End <= comma
		}
		isPlaced := func(o schemas.Relation) bool {
			return o.Subject == r.Object && o.Begin >= g.Objects[r.Object].End && b.ts[b.phraseBegin(o.Object)].Tag == penn.PRPS
		}
		return slices.ContainsFunc(g.Relations, isShared) && slices.ContainsFunc(g.Relations, isPlaced)
	})
}
