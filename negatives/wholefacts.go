package negatives

import (
	"slices"

	"capgraph/internal/lexicon"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
)

// mayBeTrue says why what the revision at hand changed, by a type, may be true of the image;
// the filters are those of negatives that the generator makes itself.
func (g *Generator) mayBeTrue(kind string) Reason {
	d := &g.written.difference
	switch kind {
	case WholeReplaceObject:
		return g.checkThing(d.gone.things[0], d.come.things[0], d)
	case WholeReplaceAttribute:
		return g.checkTrait(d.gone.traits[0], d.come.traits[0])
	case WholeReplaceRelation:
		return g.checkRelation(d)
	case WholeSwapObjects:
		return g.checkReversed(d)
	case WholeSwapAttributes:
		return g.checkMovedTraits(d)
	case WholeAddObject:
		return g.checkAddition(d.come.things[0], d)
	}
	return g.checkAddedTrait(d.come.traits[0])
}

// checkThing is for one thing in the place of another.
func (g *Generator) checkThing(x, y *words.Noun, d *difference) Reason {
	if reason := g.facts.objectFits(y, x, slices.Contains(d.come.many, y)); reason != noReason {
		return reason
	}
	if g.caption.contradictsPronoun(y, x) {
		return ReasonGrammar
	}
	for _, t := range d.gone.traits {
		if t.quantity && !quantifierFits(t.is, y) {
			return ReasonImplausible
		}
	}
	for _, t := range g.written.before.relations {
		if t.subject != x && t.object != x {
			continue
		}
		s := slot{kind: slots.Object, of: x.Kind, noun: x, relation: g.dict.words.RelationOf(t.is, ""), other: t.object}
		if s.object = t.object == x; s.object {
			s.other = t.subject
		}
		if words.SameThing(y, s.other) {
			return ReasonSynonym
		}
		if s.isTrueRegardless(y) || g.dict.isLikelyAlsoTrue(&s, y) {
			return ReasonKnownGraph
		}
	}
	return noReason
}

// checkTrait is for one attribute in the place of another.
func (g *Generator) checkTrait(x, y statedTrait) Reason {
	if x.quantity {
		if !g.dict.words.Lexicon.AreExclusive(x.is, y.is) {
			return ReasonDimension
		}
		return noReason
	}
	p := g.dict.words.Property(y.is)
	if !g.dict.words.AttributesExclude(g.dict.words.Property(x.is), p, g.dict.filter.any) {
		return ReasonDimension
	}
	return g.checkExisting(x.of, p.Core)
}

// checkExisting reports whether one of the things of a name may have an attribute.
func (g *Generator) checkExisting(n *words.Noun, p *words.Property) Reason {
	class := g.facts.classOf(n)
	if class >= 0 && (g.facts.mayHave(class, p) || g.facts.several[class] && !slices.Contains(g.written.difference.gone.many, n)) {
		return ReasonKnownGraph
	}
	return noReason
}

// checkRelation is for one relation in the place of another.
func (g *Generator) checkRelation(d *difference) Reason {
	x, y, _ := d.findReplacedRelation()
	was, is := g.dict.words.RelationOf(x.is, ""), g.dict.words.RelationOf(y.is, "")
	switch {
	case is.Key == "" || !is.Sayable:
		return ReasonGrammar
	case !g.dict.words.Opposed(was, is, x.subject.Kind.Actor()) && !g.dict.words.RelationsExclude(was, is), g.facts.mayHoldBoth(x.subject, x.object, g.facts.classOf(x.subject), g.facts.classOf(x.object), was, is):
		return ReasonKnownGraph
	}
	return noReason
}

// checkReversed is for two things that traded places: a relation of one to the other is turned round, or
// others are said of the wrong one. Where they are next to, near or with something, both may well be where one
// is said to be: "a blender on a counter next to a jar".
func (g *Generator) checkReversed(d *difference) Reason {
	traded := func(n *words.Noun) *words.Noun {
		switch n {
		case d.traded[0]:
			return d.traded[1]
		case d.traded[1]:
			return d.traded[0]
		}
		return n
	}
	turned, near, moved := false, false, false
	for _, t := range g.written.before.relations {
		subject, object, is := traded(t.subject), traded(t.object), g.dict.words.RelationOf(t.is, "")
		switch {
		case subject == t.subject && object == t.object:
		case is.Symmetric:
			near = true
		case words.SameThing(subject, object):
			return ReasonSynonym
		case g.facts.mayRelate(g.facts.classOf(subject), g.facts.classOf(object), is, nil, truth.Anything):
			return ReasonKnownGraph
		default:
			turned = turned || subject == t.object && object == t.subject
			moved = true
		}
	}
	switch {
	case turned, moved && !near:
		return noReason
	case near:
		return ReasonSymmetric
	}
	return ReasonSynonym
}

// checkMovedTraits is for attributes that traded places: each excludes one that its new thing had.
func (g *Generator) checkMovedTraits(d *difference) Reason {
	for _, t := range d.come.traits {
		p := g.dict.words.Property(t.is)
		excluded := slices.ContainsFunc(d.gone.traits, func(x statedTrait) bool {
			return x.of == t.of && x.quantity == t.quantity && lexicon.ValuesAreExclusive(g.dict.words.Property(x.is).Core.Values, p.Core.Values)
		})
		if !excluded {
			return ReasonDimension
		}
		if t.quantity {
			continue
		}
		if reason := g.checkExisting(t.of, p.Core); reason != noReason {
			return reason
		}
	}
	return noReason
}

// checkAddition is for a further thing: none that may be there said or not.
func (g *Generator) checkAddition(n *words.Noun, d *difference) Reason {
	switch {
	case !words.IsNoun(n):
		return ReasonGrammar
	case g.facts.bare && n.Age == 'c', g.facts.mayBe(n), g.facts.isCommonlyOmitted(n):
		return ReasonKnownGraph
	}
	for _, t := range d.come.relations {
		if words.SameThing(t.subject, t.object) {
			return ReasonSynonym
		}
	}
	return noReason
}

// isCommonlyOmitted reports whether a thing may be in the image though no caption names it.
func (f *facts) isCommonlyOmitted(n *words.Noun) bool {
	return n.Unsaid || n.Scenery || n.Intangible || n.Kind == truth.Clothing || n.Kind == truth.Body || n.Kind == truth.Weather || slices.ContainsFunc(f.nouns, n.Furnishes)
}

// checkAddedTrait is for a further attribute: none that most things of a sort have, nor one of which the
// image says something that does not exclude it.
func (g *Generator) checkAddedTrait(t statedTrait) Reason {
	p := g.dict.words.Property(t.is)
	switch {
	case !p.Sayable || !p.Core.Stands:
		return ReasonGrammar
	case p.Core.Size, p.Core.Age, p.Core.Number:
		return ReasonKnownGraph
	}
	return g.checkExisting(t.of, p.Core)
}
