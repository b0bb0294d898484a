package negatives

import "capgraph/schemas"

// claim is what a negative says that its positive does not, for the judge.
type claim struct {
	// was is the noun that another replaced, is that other; nil where no noun was.
	was, is *noun
	facts   []fact
	traits  []trait
	// settled holds for a thing of one sort with another that is in no relation: what is said of the
	// one can be said of the other.
	settled bool
	deed    *deed   // around the verb that another replaced, nil where none was
	action  *action // that other
}

// fact is a relation of one noun to another, and the one that was said instead; they are
// the same where a noun is new, and comes says whether that is the subject.
type fact struct {
	subject, object *noun
	is, was         *relation
	comes           bool
}

// trait is an attribute of a noun, and the one that was said instead; nil where the noun is
// new.
type trait struct {
	noun    *noun
	is, was *property
}

// claims begins the claim of a plan.
func (g *Generator) claims(pl *plan) *claim {
	c := &g.claim
	*c, g.claimant = claim{facts: c.facts[:0], traits: c.traits[:0]}, pl
	return c
}

// relates adds a fact in which a noun comes.
func (c *claim) relates(n, other *noun, r *relation, object bool) {
	f := fact{n, other, r, r, true}
	if object {
		f = fact{other, n, r, r, false}
	}
	c.facts = append(c.facts, f)
}

// claimsObject claims a noun in the place of the object of a caption that a plan fills.
func (g *Generator) claimsObject(gr *schemas.SceneGraph, pl *plan, n *noun) {
	c, s := g.claims(pl), g.slots[pl.slot]
	c.was, c.is = s.noun, n
	c.settled = s.relation == nil && ofOneSort(s.noun, n)
	i := objectEnding(gr, g.caption.tokens[pl.b].End)
	if i < 0 {
		return
	}
	first := g.known.object(pl.caption, i).attributes
	for _, a := range g.known.attributes[first : first+len(gr.Objects[i].Attributes)] {
		c.traits = append(c.traits, trait{n, a.is, nil})
	}
	for j := range gr.Relations {
		if r := &gr.Relations[j]; r.Object == i || r.Subject == i {
			g.stand(gr, pl.caption, j, i, &s)
			c.relates(n, s.other, s.relation, s.object)
		}
	}
}
