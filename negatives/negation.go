package negatives

import "capgraph/schemas"

// planNegations plans one negation for each sub-graph, the caption among them where it is one.
func (g *Generator) planNegations(caption int) {
	if !g.enabled[Negate] {
		return
	}
	for i := range g.said[caption] {
		s := &g.said[caption][i]
		g.plans = append(g.plans, plan{method: Negate, caption: caption, said: s, slot: noSlot, sentence: s.sentence})
	}
}

// negation says that something is not there, or that a thing is not where or does not do what it
// does: "there is no dog on grass", "a dog that is not on grass" (CREPE).
func (g *Generator) negation(pl *plan, r *random) {
	p := pl.said.phrase
	category := schemas.CategoryObject
	if p.relation != nil {
		category = schemas.CategoryRelation
	}
	known := g.known.object(pl.caption, pl.said.part.Subject)
	if p.relation != nil && p.relation.be && !g.known.several[known.class] && r.Next()%2 == 0 {
		g.text = appendNot(g.text[:0], &p)
	} else {
		g.text = appendNo(g.text[:0], &p)
	}
	if pl.of() == 0 {
		g.text = appendAsCaption(g.text, g.out.Positives[0].Text)
	}
	g.emitText(pl, schemas.ChangedNegation, category)
}

// appendNo says that there is no such thing.
func appendNo(dst []byte, p *phrase) []byte {
	p.subject.quantity = "no"
	if p.template != nil {
		p.template = &template{lead: true}
	}
	return appendPhrase(dst, p)
}

// appendNot says that a thing is not in its relation.
func appendNot(dst []byte, p *phrase) []byte {
	dst = appendNounPhrase(dst, &p.subject, false)
	dst = append(append(append(dst, p.subject.who()...), is(p.subject.isPlural())...), " not "...)
	dst = append(append(dst, p.relation.key...), ' ')
	return appendNounPhrase(dst, &p.object, false)
}
