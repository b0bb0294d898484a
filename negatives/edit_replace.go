package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/plausible"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// replaceQuantity replaces the number of an object.
func replaceQuantity(job *captionJob, pl *plan) {
	p := pl.said.phrase
	n := &p.Subject
	if pl.second {
		n = &p.Object
	}
	if job.slots[pl.slot].text == grammar.JustOne && n.Quantity == "" && job.dict.words.Vocab.KeepsOne(&job.random) {
		return
	}
	job.sample(pl, func(c choice) Reason {
		n.Quantity = c.text()
		n.Plural = n.Plural || grammar.IsSeveral(n.Quantity)
		job.sink.judge.newClaim(pl)
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, &p, schemas.ChangedAttribute, p.Category(schemas.CategoryAttribute))
	})
}

// quantifierFits reports whether a word for a group fits noun n: "a herd of cows", not "a herd of
// men".
func quantifierFits(quantity string, n *words.Noun) bool {
	what := strings.TrimSuffix(quantity, " of")
	switch what = what[strings.LastIndexByte(what, ' ')+1:]; {
	case wordclass.Has(" herd herds flock flocks pack packs litter swarm swarms ", what):
		return n.Kind == truth.Animals
	case wordclass.Has(" crowd crowds team teams crew mob ", what):
		return n.Kind == truth.People
	}
	return true
}

// followsOf reports whether the edited noun follows "of" or "full of" in relation r. second is set if
// it is the object of r.
func followsOf(r *words.Relation, second bool) bool {
	return second && (r.Prep == "of" || r.Key == "full of")
}

// replaceAttribute replaces an attribute in a sub-graph.
func replaceAttribute(job *captionJob, pl *plan) {
	p := pl.said.phrase
	class, object := job.classesOf(pl)
	if pl.second {
		class = object
	}
	putAttribute(job, pl, &p, class)
}

// putAttribute emits phrase p with other attributes in the plan's slot. class is the class of the
// object with the attribute.
func putAttribute(job *captionJob, pl *plan, p *say.Phrase, class int) {
	phrase := &p.Subject
	if pl.second {
		phrase = &p.Object
	}
	slot := &job.slots[pl.slot]
	if !phrase.Plural && job.facts.several[class] || phrase.Some {
		job.sink.drop(pl, slot.text, ReasonMayBeTrue)
		return
	}
	of := pl.said.part.Subject
	if pl.second {
		of = pl.said.part.Object
	}
	place := attributeAt(phrase, slot.text)
	if place == nil {
		return
	}
	job.sample(pl, func(chosen choice) Reason {
		p := chosen.property().Core
		if saysAlready(phrase, place, p.Text) {
			return ReasonGrammar
		}
		if job.facts.mayHave(class, p) {
			return ReasonMayBeTrue
		}
		if job.clashesIn(phrase, place, of, unchanged, p) {
			return ReasonDimension
		}
		if !phrase.Noun.IsSeen() || !job.dict.filter.mayHaveAttribute(phrase.Noun, chosen) {
			return ReasonImplausible
		}
		claim := job.sink.judge.newClaim(pl)
		claim.Traits = append(claim.Traits, plausible.Trait{Noun: phrase.Noun, Is: p, Was: job.dict.words.Property(slot.text).Core})
		place.Is = job.dict.words.Reprefixed(slot.text, p)
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, p, schemas.ChangedAttribute, p.Category(schemas.CategoryAttribute))
	})
}

// saysAlready reports whether word is an attribute of the noun phrase other than but, as in "black
// and black".
func saysAlready(n *say.NounPhrase, but *say.Attribute, word string) bool {
	for i := range n.N {
		if a := &n.Attributes[i]; a != but && wordclass.Has(a.Is.Text, word) {
			return true
		}
	}
	return wordclass.Has(n.Noun.Key, word)
}

// attributesBut returns all attributes of a noun phrase except but.
func attributesBut(n *say.NounPhrase, but *say.Attribute) (list []*words.Property) {
	for i := range n.N {
		if a := &n.Attributes[i]; a != but {
			list = append(list, a.Is.Core)
		}
	}
	return list
}

// attributeAt returns the attribute of a noun phrase with a given text, or nil.
func attributeAt(n *say.NounPhrase, text string) *say.Attribute {
	for i := range n.N {
		if n.Attributes[i].Is.Text == text {
			return &n.Attributes[i]
		}
	}
	return nil
}

// replaceObject replaces an object of a sub-graph (f_rel of MosaiCLIP).
func replaceObject(job *captionJob, pl *plan) {
	p := pl.said.phrase
	phrase, other := &p.Subject, &p.Object
	if pl.second {
		phrase, other = other, phrase
	}
	original, slot := phrase.Noun, &job.slots[pl.slot]
	if pl.second && other.Some {
		job.sink.drop(pl, slot.text, ReasonMayBeTrue)
		return
	}
	before, last := grammar.LastWords(phrase.Quantity)
	amount := !phrase.Plural && grammar.IsAmount(before, last)
	made := lift{object: pl.said.part.Subject}
	if pl.second {
		made.object = pl.said.part.Object
	}
	beside := (p.Relation != nil || phrase.N == 0) && job.mayBeBeside(made.object, p.Relation, pl.second)
	job.sample(pl, func(c choice) Reason {
		made.choice = c
		n := job.dict.filter.nounOf(c)
		switch reason := job.facts.checkObject(n, original, phrase.Plural); {
		case reason != noReason:
			return reason
		case p.Relation != nil && words.SameThing(n, other.Noun):
			return ReasonSynonym
		case !quantifierFits(phrase.Quantity, n):
			return ReasonImplausible
		case amount && n.Usage.Countable():
			return ReasonGrammar // "some sink"
		case slot.isTrueRegardless(n), beside:
			return ReasonMayBeTrue
		case phrase.Article == say.NoArticle && phrase.Quantity == "" && !phrase.Plural && p.Relation != nil && followsOf(p.Relation, pl.second) && say.ArticleAnew(n) != say.NoArticle:
			return ReasonGrammar // "a plate of a cup"
		case slices.ContainsFunc(phrase.Attributes[:phrase.N], func(a say.Attribute) bool { return !job.dict.attributeAppliesTo(original, n, a.Is) }):
			return ReasonImplausible
		case job.dict.isLikelyAlsoTrue(slot, n):
			return ReasonMayBeTrue
		}
		claim := job.sink.judge.newClaim(pl)
		claim.Was, claim.Is = original, n
		if p.Relation != nil {
			claim.AddFact(n, other.Noun, p.Relation, pl.second)
		}
		for i := range phrase.N {
			claim.Traits = append(claim.Traits, plausible.Trait{Noun: n, Is: phrase.Attributes[i].Is, Was: nil})
		}
		claim.Settled = p.Relation == nil && (words.MayReplaceAlone(original, n) || mayReplaceWithoutCounts(phrase, n))
		phrase.Replace(n)
		return noReason
	}, func() bool {
		is := job.sink.emitPhrase(pl, &p, schemas.ChangedObject, p.Category(schemas.CategoryRelation))
		if is {
			job.lifts = append(job.lifts, made)
		}
		return is
	})
}

// leastAlone is the least concreteness of a noun that may replace another one without counts of the
// corpus. Nouns of unknown concreteness have 50.
const leastAlone = 51

// mayReplaceWithoutCounts reports whether n may replace the noun of a phrase without counts of the corpus: all
// attributes of the phrase are colours or sizes, and both nouns are concrete things of one kind.
func mayReplaceWithoutCounts(of *say.NounPhrase, n *words.Noun) bool {
	for _, a := range of.Attributes[:of.N] {
		if !a.Is.Core.Colour && !a.Is.Core.Size {
			return false
		}
	}
	return areConcreteOfOneKind(of.Noun, n)
}

// areConcreteOfOneKind reports whether two nouns are concrete things of one kind. It is false for kinds
// that captions often omit, such as land or weather.
func areConcreteOfOneKind(a, b *words.Noun) bool {
	switch a.Kind {
	case 0, truth.Animals, truth.Food, truth.Drinks, truth.Clothing, truth.Vehicles, truth.Furniture:
		return a.Kind == b.Kind && a.Concrete >= leastAlone && b.Concrete >= leastAlone && !a.Intangible && !b.Intangible
	}
	return false
}

// replaceRelation replaces the relation of a sub-graph (f_rel of MosaiCLIP).
func replaceRelation(job *captionJob, pl *plan) {
	p := pl.said.phrase
	subject, object := job.classesOf(pl)
	original := p.Relation
	if p.Subject.Some { // the others of the group may do that
		job.sink.drop(pl, original.Key, ReasonMayBeTrue)
		return
	}
	job.sample(pl, func(c choice) Reason {
		rel := c.relation()
		if reason := checkRelation(job, pl, c, &relationEnds{p.Subject.Noun, p.Object.Noun, subject, object, original}); reason != noReason {
			return reason
		}
		p.Relation = rel
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, &p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// relationEnds are the subject and the object of a relation, the classes of both, and the original
// relation.
type relationEnds struct {
	subject, object           *words.Noun
	subjectClass, objectClass int
	original                  *words.Relation
}

// checkRelation returns the reason why candidate c cannot replace a relation. If it can,
// checkRelation sets the judge's claim and returns noReason.
func checkRelation(job *captionJob, pl *plan, c choice, of *relationEnds) Reason {
	rel := c.relation()
	if !job.dict.hasRelationOf(of.subject, rel) && !(c.of.opposite && job.dict.vocab.attested.HasSubject(of.subject, rel)) {
		return ReasonImplausible
	}
	if c.of.opposite && !job.dict.vocab.attested.AllowsRelation(of.subject, of.object, rel) {
		return ReasonImplausible
	}
	if size := of.subject.Size(); job.dict.filter.plausible && rel.Place == truth.On && size > truth.Small && size > of.object.Size() { // "a building on a motorbike"
		return ReasonImplausible
	}
	if (rel.Place == truth.On || rel.Place == truth.In) && rel.Misplaced.Has(job.dict.words.Vocab.HeadID(of.object.Key)) {
		return ReasonImplausible // "on a spoon"
	}
	if words.SameThing(of.subject, of.object) && of.original.Place.IsInverseOf(rel.Place) { // "a car behind a car" of "a car in front of a car"
		return ReasonSymmetric
	}
	if job.facts.mayHoldBoth(of.subject, of.object, of.subjectClass, of.objectClass, of.original, rel) {
		return ReasonMayBeTrue
	}
	claim := job.sink.judge.newClaim(pl)
	claim.Facts = append(claim.Facts, plausible.Fact{Subject: of.subject, Object: of.object, Is: rel, Was: of.original, Comes: false})
	return noReason
}

// replaceAndSwap replaces the relation of a sub-graph and swaps its subject and object.
func replaceAndSwap(job *captionJob, pl *plan) {
	p := pl.said.phrase
	p.Subject, p.Object = p.Object, p.Subject
	job.sample(pl, func(c choice) Reason {
		p.Relation = c.relation()
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, &p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// joinObject appends another relation with an object and one of its attributes, all from the
// corpus, to the text of a sub-graph.
func joinObject(job *captionJob, pl *plan) {
	p := pl.said.phrase
	objects := job.dict.words.Vocab.List(vocabulary.Object)
	if len(objects) == 0 {
		job.sink.drop(pl, "", ReasonNoCandidates)
		return
	}
	var joined say.NounPhrase
	relation := ""
	job.sample(pl, func(c choice) Reason {
		n := job.dict.words.Noun(vocabulary.Pick(&job.random, objects))
		if reason := job.facts.checkObject(n, p.Object.Noun, false); reason != noReason {
			return reason
		}
		relation, joined = c.text(), say.NounPhrase{Noun: n, Article: say.ArticleAnew(n)}
		if list := n.Word.Attributes.List; len(list) > 0 {
			joined.Attributes[0], joined.N = say.Attribute{Is: job.dict.words.Property(words.Core(vocabulary.Pick(&job.random, list)))}, 1
		}
		return noReason
	}, func() bool {
		said, ok := job.sink.rephraseLike(pl.said, &p)
		if !ok {
			job.sink.dropPhrase(pl, said, ReasonGrammar)
			return false
		}
		job.sink.text = append(say.AppendPhrase(job.sink.text[:0], said), ' ')
		job.sink.text = append(append(job.sink.text, relation...), ' ')
		job.sink.text = say.AppendNounPhrase(job.sink.text, &joined, false)
		return job.sink.emitText(pl, schemas.ChangedJoin, schemas.CategoryRelation)
	})
}
