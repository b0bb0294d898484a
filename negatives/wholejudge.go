package negatives

import "slices"

// judgeWhole says whether what the revision at hand changed, by a type, is plausible enough: by the
// weights and the cut of the method that changes the same.
func (g *Generator) judgeWhole(kind string, caption int) bool {
	d := &g.written.difference
	ask := func(as Method) bool { return g.plausible(as, wholePrefix+kind, caption, 0) }
	switch kind {
	case WholeReplaceObject:
		g.claimsThing(d.gone.things[0], d.come.things[0])
		return ask(FillObject)
	case WholeReplaceAttribute:
		x, y := d.gone.traits[0], d.come.traits[0]
		if c := g.claims(nil); !y.quantity {
			g.claimsTrait(c, y, x.is)
			return ask(FillAttribute)
		}
		return ask(FillQuantity)
	case WholeReplaceRelation:
		x, y, _ := d.related()
		c := g.claims(nil)
		c.facts = append(c.facts, fact{x.subject, x.object, g.words.relationOf(y.is, ""), g.words.relationOf(x.is, ""), false})
		return ask(ReplaceRelation)
	case WholeSwapObjects:
		if !g.mayTurn(d.traded) {
			return false
		}
		for i, x := range d.traded {
			if g.claimsThing(x, d.traded[1-i]); !ask(FillObject) {
				return false
			}
		}
		return true
	case WholeSwapAttributes:
		c := g.claims(nil)
		for _, y := range d.come.traits {
			if y.quantity {
				continue
			}
			x := d.gone.traits[slices.IndexFunc(d.gone.traits, func(x saidTrait) bool { return x.of == y.of && !x.quantity })]
			g.claimsTrait(c, y, x.is)
		}
		return ask(SwapAttributes)
	case WholeAddObject:
		g.claimsFurther(d.come.things[0], d.come.ties)
		return ask(AddObject)
	}
	g.claimsTrait(g.claims(nil), d.come.traits[0], d.come.traits[0].is)
	return ask(AddAttribute)
}

// claimsThing claims a noun in the place of another in all that the caption says of that; where the two
// trade places, with the other in its own.
func (g *Generator) claimsThing(was, is *noun) {
	c := g.claims(nil)
	c.was, c.is = was, is
	now := func(n *noun) *noun {
		if n == is {
			return was
		}
		return n
	}
	for _, t := range g.written.before.ties {
		switch r := g.words.relationOf(t.is, ""); {
		case t.subject == was:
			c.relates(is, now(t.object), r, false)
		case t.object == was:
			c.relates(is, now(t.subject), r, true)
		}
	}
	for _, t := range g.written.before.traits {
		if t.of == was && !t.quantity {
			c.traits = append(c.traits, trait{is, g.words.property(t.is), nil})
		}
	}
}

// claimsTrait claims an attribute in the place of another.
func (g *Generator) claimsTrait(c *claim, is saidTrait, was string) {
	c.traits = append(c.traits, trait{is.of, g.words.property(is.is).core, g.words.property(was).core})
}

// mayTurn holds where each relation between two things that trade places may be the other way round: what is
// done to one of a kind is done by others of it, a thing acts on nobody, captions have such a subject of the verb,
// and what is on, in, under or above another thing then is so in captions too.
func (g *Generator) mayTurn(traded [2]*noun) bool {
	known := g.vocab.attested
	for _, t := range g.written.before.ties {
		subject, object, r := t.object, t.subject, g.words.relationOf(t.is, "")
		switch {
		case subject != traded[0] && subject != traded[1], object != traded[0] && object != traded[1], subject.alive() && subject.kind == object.kind:
		case r.place == on, r.place == in, r.place == under, r.place == above:
			if known.counts[of(inClass, subject.headID, object.headID, r.hashes.class)] < noSlip {
				return false
			}
		case r.place == nowhere && r.verb != "":
			if object.alive() && !subject.alive() || !known.does(subject, r) {
				return false
			}
		}
	}
	return true
}

// claimsFurther claims a thing that was added, in the place of none but itself.
func (g *Generator) claimsFurther(n *noun, ties []saidTie) {
	c := g.claims(nil)
	c.was, c.is = n, n
	for _, t := range ties {
		switch r := g.words.relationOf(t.is, ""); {
		case t.subject == n:
			c.relates(n, t.object, r, false)
		case t.object == n:
			c.relates(n, t.subject, r, true)
		}
	}
}
