package negatives

import (
	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/schemas"
)

// planNegations plans one negation for each sub-graph, the caption among them if it is one.
func (g *Generator) planNegations(caption int) {
	if !g.enabled[methods.Negate] {
		return
	}
	for i := range g.said[caption] {
		s := &g.said[caption][i]
		g.plans = append(g.plans, plan{method: methods.Negate, caption: caption, said: s, slot: noSlot, sentence: s.sentence})
	}
}

// negate says that something is not there, or that a thing is not where or does not do what it
// does: "there is no dog on grass", "a dog that is not on grass" (CREPE).
func (g *Generator) negate(pl *plan, r *random) {
	p := pl.said.phrase
	category := schemas.CategoryObject
	if p.Relation != nil {
		category = schemas.CategoryRelation
	}
	known := g.facts.objectAt(pl.caption, pl.said.part.Subject)
	if p.Relation != nil && p.Relation.Be && !g.facts.several[known.class] && r.Next()%2 == 0 {
		g.sink.text = say.AppendNot(g.sink.text[:0], &p)
	} else {
		g.sink.text = say.AppendNo(g.sink.text[:0], &p)
	}
	if pl.positiveIndex() == 0 {
		g.sink.text = say.AppendAsCaption(g.sink.text, g.sink.pool.Positives[0].Text)
	}
	g.sink.emitText(pl, schemas.ChangedNegation, category)
}
