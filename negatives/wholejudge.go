package negatives

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// judgeWhole reports whether what the revision at hand changed, by a type, is plausible enough: by the
// weights and the cut of the method that changes the same.
func (g *Generator) judgeWhole(kind string) bool {
	d := &g.written.difference
	ask := func(as methods.Method) bool { return g.sink.isPlausible(as, wholePrefix+kind, 0) }
	switch kind {
	case WholeReplaceObject:
		g.claimThing(d.gone.things[0], d.come.things[0])
		return ask(methods.FillObject)
	case WholeReplaceAttribute:
		x, y := d.gone.traits[0], d.come.traits[0]
		if c := g.sink.judge.newClaim(nil); !y.quantity {
			g.claimTrait(c, y, x.is)
			return ask(methods.FillAttribute)
		}
		return ask(methods.FillQuantity)
	case WholeReplaceRelation:
		x, y, _ := d.findReplacedRelation()
		c := g.sink.judge.newClaim(nil)
		c.Facts = append(c.Facts, plausible.Fact{Subject: x.subject, Object: x.object, Is: g.dict.words.RelationOf(y.is, ""), Was: g.dict.words.RelationOf(x.is, ""), Comes: false})
		return ask(methods.ReplaceRelation)
	case WholeSwapObjects:
		if !g.mayReverse(d.traded) {
			return false
		}
		for i, x := range d.traded {
			if g.claimThing(x, d.traded[1-i]); !ask(methods.FillObject) {
				return false
			}
		}
		return true
	case WholeSwapAttributes:
		c := g.sink.judge.newClaim(nil)
		for _, y := range d.come.traits {
			if y.quantity {
				continue
			}
			x := d.gone.traits[slices.IndexFunc(d.gone.traits, func(x statedTrait) bool { return x.of == y.of && !x.quantity })]
			g.claimTrait(c, y, x.is)
		}
		return ask(methods.SwapAttributes)
	case WholeAddObject:
		g.claimAddition(d.come.things[0], d.come.relations)
		return ask(methods.AddObject)
	}
	g.claimTrait(g.sink.judge.newClaim(nil), d.come.traits[0], d.come.traits[0].is)
	return ask(methods.AddAttribute)
}

// claimThing claims a noun in the place of another in all that the caption says of that; where the two
// trade places, with the other in its own.
func (g *Generator) claimThing(was, is *words.Noun) {
	c := g.sink.judge.newClaim(nil)
	c.Was, c.Is = was, is
	now := func(n *words.Noun) *words.Noun {
		if n == is {
			return was
		}
		return n
	}
	for _, t := range g.written.before.relations {
		switch r := g.dict.words.RelationOf(t.is, ""); {
		case t.subject == was:
			c.Relates(is, now(t.object), r, false)
		case t.object == was:
			c.Relates(is, now(t.subject), r, true)
		}
	}
	for _, t := range g.written.before.traits {
		if t.of == was && !t.quantity {
			c.Traits = append(c.Traits, plausible.Trait{Noun: is, Is: g.dict.words.Property(t.is), Was: nil})
		}
	}
}

// claimTrait claims an attribute in the place of another.
func (g *Generator) claimTrait(c *plausible.Claim, is statedTrait, was string) {
	c.Traits = append(c.Traits, plausible.Trait{Noun: is.of, Is: g.dict.words.Property(is.is).Core, Was: g.dict.words.Property(was).Core})
}

// mayReverse reports whether each relation between two things that trade places may be the other way round: what is
// done to one of a kind is done by others of it, a thing acts on nobody, captions have such a subject of the verb,
// and what is on, in, under or above another thing then is so in captions too.
func (g *Generator) mayReverse(traded [2]*words.Noun) bool {
	known := g.dict.vocab.attested
	for _, t := range g.written.before.relations {
		subject, object, r := t.object, t.subject, g.dict.words.RelationOf(t.is, "")
		switch {
		case subject != traded[0] && subject != traded[1], object != traded[0] && object != traded[1], subject.Alive() && subject.Kind == object.Kind:
		case r.Place == truth.On, r.Place == truth.In, r.Place == truth.Under, r.Place == truth.Above:
			if known.Counts[plausible.Of(plausible.InClass, subject.HeadID, object.HeadID, r.Hashes.Class)] < vocabulary.NoSlip {
				return false
			}
		case r.Place == truth.Nowhere && r.Verb != "":
			if object.Alive() && !subject.Alive() || !known.Does(subject, r) {
				return false
			}
		}
	}
	return true
}

// claimAddition claims a thing that was added, in the place of none but itself.
func (g *Generator) claimAddition(n *words.Noun, ties []statedRelation) {
	c := g.sink.judge.newClaim(nil)
	c.Was, c.Is = n, n
	for _, t := range ties {
		switch r := g.dict.words.RelationOf(t.is, ""); {
		case t.subject == n:
			c.Relates(n, t.object, r, false)
		case t.object == n:
			c.Relates(n, t.subject, r, true)
		}
	}
}
