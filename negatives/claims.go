package negatives

import (
	"capgraph/negatives/plausible"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// claimObject claims a noun in the place of the object of a caption that a plan fills.
func (g *Generator) claimObject(gr *schemas.SceneGraph, pl *plan, n *words.Noun) {
	c, s := g.sink.judge.newClaim(pl), g.slots[pl.slot]
	c.Was, c.Is = s.noun, n
	c.Settled = s.relation == nil && words.OfOneSort(s.noun, n)
	i := objectEnding(gr, g.caption.tokens[pl.b].End)
	if i < 0 {
		return
	}
	first := g.facts.objectAt(pl.caption, i).attributes
	for _, a := range g.facts.attributes[first : first+len(gr.Objects[i].Attributes)] {
		c.Traits = append(c.Traits, plausible.Trait{Noun: n, Is: a.is, Was: nil})
	}
	for j := range gr.Relations {
		if r := &gr.Relations[j]; r.Object == i || r.Subject == i {
			g.facts.setRelation(gr, pl.caption, j, i, &s)
			c.Relates(n, s.other, s.relation, s.object)
		}
	}
}
