package negatives

import (
	"slices"

	"capgraph/internal/lexicon"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/whole"
	"capgraph/negatives/words"
)

// checkTruth returns the reason why a change by the author, of a type, may be true of the image.
// The tests are those for the generator's own negatives.
func (e *wholeEditor) checkTruth(kind string) Reason {
	d := &e.change.Difference
	switch kind {
	case whole.ReplaceObject:
		return e.checkThing(d.Gone.Things[0], d.Come.Things[0], d)
	case whole.ReplaceAttribute:
		return e.checkTrait(d.Gone.Traits[0], d.Come.Traits[0])
	case whole.ReplaceRelation:
		return e.checkRelation(d)
	case whole.SwapObjects:
		return e.checkReversed(d)
	case whole.SwapAttributes:
		return e.checkMovedTraits(d)
	case whole.AddObject:
		return e.checkAddition(d.Come.Things[0], d)
	}
	return e.checkAddedTrait(d.Come.Traits[0])
}

// checkThing is checkTruth for thing y in place of x.
func (e *wholeEditor) checkThing(x, y *words.Noun, d *whole.Difference) Reason {
	if reason := e.facts.checkObject(y, x, slices.Contains(d.Come.Many, y)); reason != noReason {
		return reason
	}
	if e.words.contradictsPronoun(y, x) {
		return ReasonGrammar
	}
	for _, t := range d.Gone.Traits {
		if t.Quantity && !quantifierFits(t.Is, y) {
			return ReasonImplausible
		}
	}
	for _, t := range e.change.Before.Relations {
		if t.Subject != x && t.Object != x {
			continue
		}
		s := slot{kind: slots.Object, of: x.Kind, noun: x, relation: e.dict.words.RelationOf(t.Is, ""), other: t.Object}
		if s.object = t.Object == x; s.object {
			s.other = t.Subject
		}
		if words.SameThing(y, s.other) {
			return ReasonSynonym
		}
		if s.isTrueRegardless(y) || e.dict.isLikelyAlsoTrue(&s, y) {
			return ReasonMayBeTrue
		}
	}
	return noReason
}

// checkTrait is checkTruth for attribute y in place of x.
func (e *wholeEditor) checkTrait(x, y whole.Trait) Reason {
	if x.Quantity {
		if !e.dict.words.Lexicon.AreExclusive(x.Is, y.Is) {
			return ReasonDimension
		}
		return noReason
	}
	p := e.dict.words.Property(y.Is)
	if !e.dict.words.AttributesExclude(e.dict.words.Property(x.Is), p) {
		return ReasonDimension
	}
	return e.checkExisting(x.Of, p.Core)
}

// checkExisting returns ReasonMayBeTrue if a thing that n names may have the attribute.
func (e *wholeEditor) checkExisting(n *words.Noun, p *words.Property) Reason {
	class := e.facts.classOf(n)
	if class >= 0 && (e.facts.mayHave(class, p) || e.facts.several[class] && !slices.Contains(e.change.Gone.Many, n)) {
		return ReasonMayBeTrue
	}
	return noReason
}

// checkRelation is checkTruth for one relation in place of another.
func (e *wholeEditor) checkRelation(d *whole.Difference) Reason {
	x, y, _ := d.ReplacedRelation()
	was, is := e.dict.words.RelationOf(x.Is, ""), e.dict.words.RelationOf(y.Is, "")
	switch {
	case is.Key == "" || !is.Sayable:
		return ReasonGrammar
	case !e.dict.words.Opposed(was, is, x.Subject.Kind.Actor()) && !e.dict.words.RelationsExclude(was, is), e.facts.mayHoldBoth(x.Subject, x.Object, e.facts.classOf(x.Subject), e.facts.classOf(x.Object), was, is):
		return ReasonMayBeTrue
	}
	return noReason
}

// checkReversed is checkTruth for two things that changed places. A relation between them must be
// reversed, or other relations must now be false. After "next to", "near" and "with" both texts may
// be true: "a blender on a counter next to a jar".
func (e *wholeEditor) checkReversed(d *whole.Difference) Reason {
	traded := func(n *words.Noun) *words.Noun {
		switch n {
		case d.Traded[0]:
			return d.Traded[1]
		case d.Traded[1]:
			return d.Traded[0]
		}
		return n
	}
	turned, near, moved := false, false, false
	for _, t := range e.change.Before.Relations {
		subject, object, is := traded(t.Subject), traded(t.Object), e.dict.words.RelationOf(t.Is, "")
		switch {
		case subject == t.Subject && object == t.Object:
		case is.Symmetric:
			near = true
		case words.SameThing(subject, object):
			return ReasonSynonym
		case e.facts.mayRelate(e.facts.classOf(subject), e.facts.classOf(object), is, nil, truth.Anything):
			return ReasonMayBeTrue
		default:
			turned = turned || subject == t.Object && object == t.Subject
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

// checkMovedTraits is checkTruth for attributes that changed places: each must exclude an attribute
// that its new thing had.
func (e *wholeEditor) checkMovedTraits(d *whole.Difference) Reason {
	for _, t := range d.Come.Traits {
		p := e.dict.words.Property(t.Is)
		excluded := slices.ContainsFunc(d.Gone.Traits, func(x whole.Trait) bool {
			return x.Of == t.Of && x.Quantity == t.Quantity && lexicon.ValuesAreExclusive(e.dict.words.Property(x.Is).Core.Values, p.Core.Values)
		})
		if !excluded {
			return ReasonDimension
		}
		if t.Quantity {
			continue
		}
		if reason := e.checkExisting(t.Of, p.Core); reason != noReason {
			return reason
		}
	}
	return noReason
}

// checkAddition is checkTruth for an added thing: it must not be one that captions often omit.
func (e *wholeEditor) checkAddition(n *words.Noun, d *whole.Difference) Reason {
	switch {
	case !words.IsNoun(n):
		return ReasonGrammar
	case e.facts.bare && n.Age == 'c', e.facts.mayBe(n), e.facts.isCommonlyOmitted(n):
		return ReasonMayBeTrue
	}
	for _, t := range d.Come.Relations {
		if words.SameThing(t.Subject, t.Object) {
			return ReasonSynonym
		}
	}
	return noReason
}

// checkAddedTrait is checkTruth for an added attribute: most things of the sort must not have it,
// and the captions must mention one that excludes it.
func (e *wholeEditor) checkAddedTrait(t whole.Trait) Reason {
	p := e.dict.words.Property(t.Is)
	switch {
	case !p.Sayable || !p.Core.Stands:
		return ReasonGrammar
	case p.Core.Size, p.Core.Age, p.Core.Number:
		return ReasonMayBeTrue
	}
	return e.checkExisting(t.Of, p.Core)
}
