package negatives

import (
	"capgraph/negatives/plausible"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// swapAttributes swaps an attribute of the subject with one of the object, of the same dimension
// (the shuffle of f_attr).
func swapAttributes(job *captionJob, pl *plan) {
	p := pl.said.phrase
	if reason := shuffleAttributes(job, pl, &p); reason != noReason {
		job.sink.dropPhrase(pl, &p, reason)
		return
	}
	job.sink.emitPhrase(pl, &p, schemas.ChangedAttribute, schemas.CategoryAttribute)
}

// shuffleAttributes swaps attributes within a phrase. It returns the reason why the result is no negative, or
// noReason.
func shuffleAttributes(job *captionJob, pl *plan, p *say.Phrase) Reason {
	a, b := &p.Subject, &p.Object
	i, j, ok := findExchangeable(job.dict, a, b)
	if !ok {
		return ReasonDimension
	}
	x, y, part := a.Attributes[i], b.Attributes[j], pl.said.part
	if job.clashesIn(a, &a.Attributes[i], part.Subject, part.Object, y.Is) || job.clashesIn(b, &b.Attributes[j], part.Object, part.Subject, x.Is) {
		return ReasonDimension
	}
	a.Attributes[i], b.Attributes[j] = y, x
	subject, object := job.classesOf(pl)
	switch same := words.SameThing(a.Noun, b.Noun); {
	case same && !p.Relation.IsDirected(a.Noun, b.Noun): // "a small boat near a large ship", the other way around
		return ReasonSymmetric
	case !same && job.facts.mayHave(object, x.Is) && job.facts.mayHave(subject, y.Is):
		return ReasonMayBeTrue
	}
	claim := job.sink.judge.newClaim(pl)
	claim.Certain = true
	claim.Traits = append(claim.Traits, plausible.Trait{Noun: a.Noun, Is: y.Is.Core, Was: x.Is.Core}, plausible.Trait{Noun: b.Noun, Is: x.Is.Core, Was: y.Is.Core})
	if !job.dict.attributeIsExchangeable(a.Noun, b.Noun, y.Is) || !job.dict.attributeIsExchangeable(b.Noun, a.Noun, x.Is) {
		return ReasonImplausible
	}
	return noReason
}

// findExchangeable returns the indices of an attribute of a and one of b that exclude each other.
func findExchangeable(dict *dictionary, a, b *say.NounPhrase) (i, j int, ok bool) {
	for i := range a.N {
		for j := range b.N {
			x, y := &a.Attributes[i], &b.Attributes[j]
			if x.Post == y.Post && dict.excludeEachOther(x.Is, y.Is) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// swapObjects swaps the subject and the object of a relation (the shuffled objects of f_rel).
func swapObjects(job *captionJob, pl *plan) {
	p := pl.said.phrase
	p.Subject, p.Object = p.Object, p.Subject
	claim := job.sink.judge.newClaim(pl)
	claim.Facts = append(claim.Facts, plausible.Fact{Subject: p.Subject.Noun, Object: p.Object.Noun, Is: p.Relation, Was: p.Relation, Comes: false})
	subject, object := job.classesOf(pl)
	claim.Certain = p.Relation.IsDirected(p.Object.Noun, p.Subject.Noun)
	if reason := job.facts.checkReversal(&p, subject, object); reason != noReason {
		job.sink.dropPhrase(pl, &p, reason)
		return
	}
	job.sink.emitPhrase(pl, &p, schemas.ChangedRelation, schemas.CategoryRelation)
}

// checkReversal returns the reason why a phrase with its relation reversed is no negative, or
// noReason. subject and object are the classes of its ends before.
func (f *facts) checkReversal(p *say.Phrase, subject, object int) Reason {
	switch {
	case p.Relation.Symmetric:
		return ReasonSymmetric
	case words.SameThing(p.Subject.Noun, p.Object.Noun) && !(words.AreTwoRoles(p.Subject.Noun, p.Object.Noun) && p.Relation.IsDirected(p.Object.Noun, p.Subject.Noun)):
		return ReasonSynonym
	case p.Subject.Noun.Vague, p.Object.Noun.Vague, !p.Relation.Be: // "pizza of a slice"
		return ReasonGrammar
	case object != subject && f.mayRelate(object, subject, p.Relation, nil, truth.Anything):
		return ReasonMayBeTrue
	case p.Relation.IsDirected(p.Object.Noun, p.Subject.Noun): // false, but no less plausible
	case p.Relation.Verb != "" && !f.dict.hasRelationOf(p.Subject.Noun, p.Relation), f.dict.filter.plausible && p.ThingActs(), !f.dict.areRelated(p.Subject.Noun, p.Object.Noun), !f.dict.hasLikelyPlace(p):
		return ReasonImplausible
	}
	return noReason
}
