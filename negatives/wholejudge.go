package negatives

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/whole"
	"capgraph/negatives/words"
)

// isPlausible reports whether the author's change is plausible, by the weights and the cut of the
// generator's method for the same change.
func (e *wholeEditor) isPlausible(kind string) bool {
	d := &e.change.Difference
	ask := func(as methods.Method) bool {
		_, enough := e.sink.rateClaim(as, whole.Prefix+kind, 0)
		return enough
	}
	switch kind {
	case whole.ReplaceObject:
		e.claimThing(d.Gone.Things[0], d.Come.Things[0])
		return ask(methods.FillObject)
	case whole.ReplaceAttribute:
		x, y := d.Gone.Traits[0], d.Come.Traits[0]
		if c := e.sink.judge.newClaim(nil); !y.Quantity {
			e.claimTrait(c, y, x.Is)
			return ask(methods.FillAttribute)
		}
		return ask(methods.FillQuantity)
	case whole.ReplaceRelation:
		x, y, _ := d.ReplacedRelation()
		c := e.sink.judge.newClaim(nil)
		c.Facts = append(c.Facts, plausible.Fact{Subject: x.Subject, Object: x.Object, Is: e.dict.words.RelationOf(y.Is, ""), Was: e.dict.words.RelationOf(x.Is, ""), Comes: false})
		return ask(methods.ReplaceRelation)
	case whole.SwapObjects:
		if !e.mayReverse(d.Traded) {
			return false
		}
		for i, x := range d.Traded {
			if e.claimThing(x, d.Traded[1-i]); !ask(methods.FillObject) {
				return false
			}
		}
		return true
	case whole.SwapAttributes:
		c := e.sink.judge.newClaim(nil)
		for _, y := range d.Come.Traits {
			if y.Quantity {
				continue
			}
			x := d.Gone.Traits[slices.IndexFunc(d.Gone.Traits, func(x whole.Trait) bool { return x.Of == y.Of && !x.Quantity })]
			e.claimTrait(c, y, x.Is)
		}
		return ask(methods.SwapAttributes)
	case whole.AddObject:
		e.claimAddition(d.Come.Things[0], d.Come.Relations)
		return ask(methods.AddObject)
	}
	e.claimTrait(e.sink.judge.newClaim(nil), d.Come.Traits[0], d.Come.Traits[0].Is)
	return ask(methods.AddAttribute)
}

// claimThing sets the claim that noun is, in place of was, has all the attributes and relations of
// was. A relation between the two is reversed.
func (e *wholeEditor) claimThing(was, is *words.Noun) {
	c := e.sink.judge.newClaim(nil)
	c.Was, c.Is = was, is
	now := func(n *words.Noun) *words.Noun {
		if n == is {
			return was
		}
		return n
	}
	for _, t := range e.change.Before.Relations {
		switch r := e.dict.words.RelationOf(t.Is, ""); {
		case t.Subject == was:
			c.AddFact(is, now(t.Object), r, false)
		case t.Object == was:
			c.AddFact(is, now(t.Subject), r, true)
		}
	}
	for _, t := range e.change.Before.Traits {
		if t.Of == was && !t.Quantity {
			c.Traits = append(c.Traits, plausible.Trait{Noun: is, Is: e.dict.words.Property(t.Is), Was: nil})
		}
	}
}

// claimTrait adds the claim of attribute is in place of was.
func (e *wholeEditor) claimTrait(c *plausible.Claim, is whole.Trait, was string) {
	c.Traits = append(c.Traits, plausible.Trait{Noun: is.Of, Is: e.dict.words.Property(is.Is).Core, Was: e.dict.words.Property(was).Core})
}

// mayReverse reports whether each relation between two things that change places may be reversed.
// It may between two living things of the same kind. A lifeless thing does not act on a living one;
// captions must have the new subject with the verb; and for on, in, under and above, captions must
// have the reversed relation.
func (e *wholeEditor) mayReverse(traded [2]*words.Noun) bool {
	known := e.dict.vocab.attested
	for _, t := range e.change.Before.Relations {
		subject, object, r := t.Object, t.Subject, e.dict.words.RelationOf(t.Is, "")
		switch {
		case subject != traded[0] && subject != traded[1], object != traded[0] && object != traded[1], subject.Alive() && subject.Kind == object.Kind:
		case r.Place == truth.On, r.Place == truth.In, r.Place == truth.Under, r.Place == truth.Above:
			if known.Counts[plausible.KeyOf(plausible.InClass, subject.HeadID, object.HeadID, r.Hashes.Class)] < vocabulary.NoSlip {
				return false
			}
		case r.Place == truth.Nowhere && r.Verb != "":
			if object.Alive() && !subject.Alive() || !known.HasSubject(subject, r) {
				return false
			}
		}
	}
	return true
}

// claimAddition sets the claim of an added thing and its relations.
func (e *wholeEditor) claimAddition(n *words.Noun, ties []whole.Relation) {
	c := e.sink.judge.newClaim(nil)
	c.Was, c.Is = n, n
	for _, t := range ties {
		switch r := e.dict.words.RelationOf(t.Is, ""); {
		case t.Subject == n:
			c.AddFact(n, t.Object, r, false)
		case t.Object == n:
			c.AddFact(n, t.Subject, r, true)
		}
	}
}
