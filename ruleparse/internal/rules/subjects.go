package rules

import (
	"slices"

	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// correctSubjects corrects the subjects of relations.
func (b *graphBuilder) correctSubjects() {
	b.dropParts()
	b.moveFromMaterials()
	b.removeMadeFromPlaces()
	b.moveToPossessed()
	b.dropAbsolutes()
}

// dropParts removes relations that describe only one of several: in "two women, one in a red coat
// and the other in a blue dress" neither woman has an object of her own in the graph.
func (b *graphBuilder) dropParts() {
	g := b.graph
	g.Relations = slices.DeleteFunc(g.Relations, func(r schemas.Relation) bool {
		m := tokenIndex(b.ts, r.Begin)
		if r.Begin < 0 { // a predicate in two places: "sit on a bench, one in a coat"
			for m = tokenIndex(b.ts, g.Objects[r.Object].Begin) - 1; m > 0 && b.ts[m].Tag != penn.IN && b.ts[m].Tag != penn.Comma; m-- {
			}
		}
		part, before := tokens.AtOrBorder(b.ts, m-1), tokens.AtOrBorder(b.ts, m-2)
		return part.IsOneOf(" another one other second ") && !before.IsOneOf(" each one ") && part.Begin >= g.Objects[r.Subject].End && (b.isPlural(r.Subject) || g.Objects[r.Subject].Quantity == "one")
	})
}

// isPlural reports whether an object stands for several things.
func (b *graphBuilder) isPlural(object int32) bool {
	o := &b.graph.Objects[object]
	return o.Quantity != "" && o.Quantity != "one" || o.End > 0 && tokenBefore(b.ts, o.End).Tag == penn.NNS
}

// moveFromMaterials changes the subject of relations from the materials of a thing to the thing: "a
// salad made of lettuce, tomatoes and onions is on a plate". If the last material of the list was
// not related to the thing, it adds that relation.
func (b *graphBuilder) moveFromMaterials() {
	g := b.graph
	for i := range g.Relations {
		m := g.Relations[i]
		if !isMadeOf(&m) || m.Begin < 0 || g.Objects[m.Object].Begin < m.Begin {
			continue
		}
		end := g.Objects[m.Object].End
		for k := range g.Relations {
			r := &g.Relations[k]
			isLast := r.Subject != m.Object && b.inOneList(end, g.Objects[r.Subject].Begin) && b.isRightBefore(r.Subject, r.Begin)
			if r.Subject == m.Subject || r.Begin < end || !isFinite(tokenFrom(b.ts, r.Begin)) || r.Subject != m.Object && !isLast {
				continue
			}
			if made := (schemas.Relation{Subject: m.Subject, Object: r.Subject, Predicate: m.Predicate, Lemma: m.Lemma, Begin: m.Begin, End: m.End}); isLast && !hasRelation(g, &made) {
				g.Relations = append(g.Relations, made)
			}
			g.Relations[k].Subject = m.Subject
		}
	}
	for i := len(g.Relations) - 1; i > 0; i-- { // removes the copies that came from several materials
		if r := &g.Relations[i]; slices.ContainsFunc(g.Relations[:i], func(o schemas.Relation) bool {
			return o.Subject == r.Subject && o.Object == r.Object && o.Lemma == r.Lemma && o.Begin == r.Begin
		}) {
			g.Relations = slices.Delete(g.Relations, i, i+1)
		}
	}
}

// isMadeOf reports whether a relation states a thing's material.
func isMadeOf(r *schemas.Relation) bool {
	return slices.Contains([]string{"make of", "make from", "make out of"}, r.Lemma)
}

// inOneList reports whether the words between bytes from and to only continue a list.
func (b *graphBuilder) inOneList(from, to int32) bool {
	joined := false
	for m := int(tokenIndex(b.ts, from)); m < len(b.ts) && b.ts[m].Begin < to; m++ {
		t := &b.ts[m]
		switch {
		case t.Tag == penn.CC:
			joined = true
		case t.Tag == penn.Comma, t.Tag == penn.JJ, penn.IsNoun(t.Tag), t.Tag == penn.VBN:
		default:
			return false
		}
	}
	return joined
}

// isRightBefore reports whether an object ends right before a verb.
func (b *graphBuilder) isRightBefore(object, verb int32) bool {
	return tokenFrom(b.ts, b.graph.Objects[object].End).Begin == verb
}

// tokenBefore returns the last token that begins before byte at, or tokens.AtOrBorder's border
// token if there is none.
func tokenBefore(ts []tokens.Token, at int32) *tokens.Token {
	return tokens.AtOrBorder(ts, tokenIndex(ts, at)-1)
}
