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
		return g.thingMayBe(d.gone.things[0], d.come.things[0], d)
	case WholeReplaceAttribute:
		return g.traitMayBe(d.gone.traits[0], d.come.traits[0])
	case WholeReplaceRelation:
		return g.tiesMayBe(d)
	case WholeSwapObjects:
		return g.turnedMayBe(d)
	case WholeSwapAttributes:
		return g.movedMayBe(d)
	case WholeAddObject:
		return g.addedMayBe(d.come.things[0], d)
	}
	return g.furtherMayBe(d.come.traits[0])
}

// thingMayBe is for one thing in the place of another.
func (g *Generator) thingMayBe(x, y *words.Noun, d *difference) Reason {
	if reason := g.objectFits(y, x, slices.Contains(d.come.many, y)); reason != noReason {
		return reason
	}
	if g.caption.deniesSex(y, x) {
		return ReasonGrammar
	}
	for _, t := range d.gone.traits {
		if t.quantity && !herded(t.is, y) {
			return ReasonImplausible
		}
	}
	for _, t := range g.written.before.ties {
		if t.subject != x && t.object != x {
			continue
		}
		s := slot{kind: slots.Object, of: x.Kind, noun: x, relation: g.words.RelationOf(t.is, ""), other: t.object}
		if s.object = t.object == x; s.object {
			s.other = t.subject
		}
		if words.SameThing(y, s.other) {
			return ReasonSynonym
		}
		if s.anyway(y) || g.already(&s, y) {
			return ReasonKnownGraph
		}
	}
	return noReason
}

// traitMayBe is for one attribute in the place of another.
func (g *Generator) traitMayBe(x, y saidTrait) Reason {
	if x.quantity {
		if !g.words.Lexicon.AreExclusive(x.is, y.is) {
			return ReasonDimension
		}
		return noReason
	}
	p := g.words.Property(y.is)
	if !g.words.AttributesExclude(g.words.Property(x.is), p, g.opts.AnyDimension) {
		return ReasonDimension
	}
	return g.hasAlready(x.of, p.Core)
}

// hasAlready holds where one of the things of a name may have an attribute.
func (g *Generator) hasAlready(n *words.Noun, p *words.Property) Reason {
	class := g.known.classOf(n)
	if class >= 0 && (g.known.mayHave(class, p) || g.known.several[class] && !slices.Contains(g.written.difference.gone.many, n)) {
		return ReasonKnownGraph
	}
	return noReason
}

// tiesMayBe is for one relation in the place of another.
func (g *Generator) tiesMayBe(d *difference) Reason {
	x, y, _ := d.related()
	was, is := g.words.RelationOf(x.is, ""), g.words.RelationOf(y.is, "")
	switch {
	case is.Key == "" || !is.Sayable:
		return ReasonGrammar
	case !g.words.Opposed(was, is, x.subject.Kind.Actor()) && !g.words.RelationsExclude(was, is), g.alsoHolds(x.subject, x.object, g.known.classOf(x.subject), g.known.classOf(x.object), was, is):
		return ReasonKnownGraph
	}
	return noReason
}

// turnedMayBe is for two things that traded places: a relation of one to the other is turned round, or
// others are said of the wrong one. Where they are next to, near or with something, both may well be where one
// is said to be: "a blender on a counter next to a jar".
func (g *Generator) turnedMayBe(d *difference) Reason {
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
	for _, t := range g.written.before.ties {
		subject, object, is := traded(t.subject), traded(t.object), g.words.RelationOf(t.is, "")
		switch {
		case subject == t.subject && object == t.object:
		case is.Symmetric:
			near = true
		case words.SameThing(subject, object):
			return ReasonSynonym
		case g.known.mayRelate(g.words, g.known.classOf(subject), g.known.classOf(object), is, nil, truth.Anything):
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

// movedMayBe is for attributes that traded places: each excludes one that its new thing had.
func (g *Generator) movedMayBe(d *difference) Reason {
	for _, t := range d.come.traits {
		p := g.words.Property(t.is)
		excluded := slices.ContainsFunc(d.gone.traits, func(x saidTrait) bool {
			return x.of == t.of && x.quantity == t.quantity && lexicon.ValuesAreExclusive(g.words.Property(x.is).Core.Values, p.Core.Values)
		})
		if !excluded {
			return ReasonDimension
		}
		if t.quantity {
			continue
		}
		if reason := g.hasAlready(t.of, p.Core); reason != noReason {
			return reason
		}
	}
	return noReason
}

// addedMayBe is for a further thing: none that may be there said or not.
func (g *Generator) addedMayBe(n *words.Noun, d *difference) Reason {
	switch {
	case !words.IsNoun(n):
		return ReasonGrammar
	case g.known.bare && n.Age == 'c', g.known.mayBe(n), g.mayGoUnsaid(n):
		return ReasonKnownGraph
	}
	for _, t := range d.come.ties {
		if words.SameThing(t.subject, t.object) {
			return ReasonSynonym
		}
	}
	return noReason
}

// mayGoUnsaid holds for what may be in the image though no caption says so.
func (g *Generator) mayGoUnsaid(n *words.Noun) bool {
	return n.Unsaid || n.Scenery || n.Intangible || n.Kind == truth.Clothing || n.Kind == truth.Body || n.Kind == truth.Weather || slices.ContainsFunc(g.known.nouns, n.Furnishes)
}

// furtherMayBe is for a further attribute: none that most things of a sort have, nor one of which the
// image says something that does not exclude it.
func (g *Generator) furtherMayBe(t saidTrait) Reason {
	p := g.words.Property(t.is)
	switch {
	case !p.Sayable || !p.Core.Stands:
		return ReasonGrammar
	case p.Core.Size, p.Core.Age, p.Core.Number:
		return ReasonKnownGraph
	}
	return g.hasAlready(t.of, p.Core)
}
