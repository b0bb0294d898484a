package negatives

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// A half-truth is a positive that omits something of its caption, with something false added in its
// place. If the caption has a white dog, "a dog on grass" becomes "a brown dog on grass".

// planHalfTruths plans an addition to a positive for each attribute, relation and action that this
// positive omits. The caption itself omits nothing.
func planHalfTruths(job *captionJob) {
	c := job.caption
	r := grammar.NewRandom(job.seed, job.image, "half-truths "+c.Text)
	for i := range c.Graph.Objects {
		if job.enabled[methods.AddAttribute] && !grammar.IsLong(c) { // the positives of a long caption omit what other sentences state
			planAddedAttributes(job, int32(i), &r)
		}
		if job.enabled[methods.AddRelation] {
			planAddedRelation(job, int32(i), &r)
		}
	}
	if job.enabled[methods.AddObject] {
		for i := range c.Graph.Relations {
			planAddedObject(job, int32(i), &r)
		}
	}
}

// pickPart returns a random one of the caption's sub-graphs that fit, or nil.
func (job *captionJob) pickPart(r *random, fits func(s *statedPart) bool) *statedPart {
	var taken *statedPart
	n := uint64(0)
	for i := range job.parts {
		if s := &job.parts[i]; s.of != 0 && fits(s) {
			if n++; r.Next()%n == 0 {
				taken = s
			}
		}
	}
	return taken
}

// containsObject reports whether a sub-graph has an object. If so, attributes are those of the
// object's attributes that the sub-graph has, and second reports whether it is the object of the
// relation, not its subject.
func (s *statedPart) containsObject(object int32) (attributes uint64, second, has bool) {
	switch p := &s.part; {
	case p.Subject == object:
		return p.SubjectAttributes, false, true
	case p.Relation != scenegraph.NoRelation && p.Object == object:
		return p.ObjectAttributes, true, true
	}
	return 0, false, false
}

func planAddedAttributes(job *captionJob, object int32, r *random) {
	gr, known := &job.caption.Graph, job.objectAt(object)
	for i := range min(len(gr.Objects[object].Attributes), say.MaxAttributes) {
		is := &job.facts.attributes[known.attributes+i]
		if is.unsaid || is.is.Text == "" {
			continue
		}
		s := job.pickPart(r, func(s *statedPart) bool {
			attributes, _, has := s.containsObject(object)
			return has && attributes>>i&1 == 0 && !s.phrase.HasClause()
		})
		if s == nil {
			continue
		}
		_, second, _ := s.containsObject(object)
		job.addWithSharedSlot(plan{method: methods.AddAttribute, said: s, sentence: s.sentence, second: second, a: i},
			&slot{kind: slots.Attribute, text: is.is.Text, id: is.is.Id, head: known.Head, of: known.Noun.Kind})
	}
}

// planAddedRelation plans a positive of one object with an action added that contradicts what the
// object does in the image.
func planAddedRelation(job *captionJob, object int32, r *random) {
	gr, known := &job.caption.Graph, job.objectAt(object)
	does := slices.IndexFunc(gr.Relations, func(r schemas.Relation) bool { return r.Subject == object })
	if does < 0 || known.Noun.Vague || job.facts.several[known.class] && !known.Plural {
		return
	}
	s := job.pickPart(r, func(s *statedPart) bool {
		return s.part.Relation == scenegraph.NoRelation && s.part.Subject == object && !s.phrase.HasClause() && !s.phrase.Subject.HasAttributeAfter()
	})
	if s == nil {
		return
	}
	if relation := job.facts.pickContraryRelation(known, r); relation != nil {
		to := job.objectAt(gr.Relations[does].Object).Noun
		job.addPlan(plan{method: methods.AddRelation, said: s, sentence: s.sentence, a: does},
			&slot{kind: slots.Object, text: to.Key, noun: to, relation: relation, object: true, other: known.Noun})
	}
}

// pickContraryRelation returns a relation that the corpus has of an object and that excludes all
// the object does in the image. It returns nil if the object does nothing there, or if none is
// found.
func (f *facts) pickContraryRelation(o *knownObject, r *random) *words.Relation {
	list := o.Noun.Relations
	if len(list) == 0 {
		return nil
	}
	for range maxTries {
		is, does := f.dict.words.RelationOf(vocabulary.Pick(r, list), ""), false
		if !is.Replaces || is.Verb == "" || wordclass.Has(meanwhile, is.Verb) || f.lemmas.contains(is.Does.Hash) {
			continue
		}
		excluded := !slices.ContainsFunc(f.relations, func(x knownRelation) bool {
			if x.subject != o.class || x.relation.Verb == "" {
				return false
			}
			does = true
			return !f.dict.words.VerbsExclude(x.relation.Does, is.Does)
		})
		if !does {
			return nil
		}
		if excluded {
			return is
		}
	}
	return nil
}

// planAddedObject plans a relation with a further thing beside its subject or its object: "a cat
// and a dog on a sofa".
func planAddedObject(job *captionJob, relation int32, r *random) {
	s := job.pickPart(r, func(s *statedPart) bool { return s.part.Relation == relation })
	if s == nil {
		return
	}
	rel := job.relationAt(relation)
	n, other, second := &s.phrase.Subject, &s.phrase.Object, false
	if rel.TakesSeveral() && !rel.Symmetric || rel.Key == "with" {
		n, other, second = other, n, true
	}
	if n.Noun.Vague || n.HasAttributeAfter() {
		return
	}
	job.addWithSharedSlot(plan{method: methods.AddObject, said: s, sentence: s.sentence, second: second},
		&slot{kind: slots.Object, text: n.Noun.Key, noun: n.Noun, of: n.Noun.Kind, relation: rel, object: second, other: other.Noun})
}

// addAttribute adds an attribute to a positive, in place of the true one that it omits. It also
// writes the text with the true one, for a balanced comparison.
func addAttribute(job *captionJob, pl *plan) {
	p, part := pl.said.phrase, pl.said.part
	n, object, said := &p.Subject, part.Subject, part.SubjectAttributes
	if pl.second {
		n, object, said = &p.Object, part.Object, part.ObjectAttributes
	}
	job.readNounPhrase(n, object, said|1<<pl.a)
	if p.Relation != nil {
		p.Subject.RemoveVerbs()
	}
	job.sink.truth = say.AppendPhrase(job.sink.truth[:0], &p)
	putAttribute(job, pl, &p, job.objectAt(object).class)
}

// addRelation adds an action and its object to a positive of one object, in place of the true ones
// that it omits.
func addRelation(job *captionJob, pl *plan) {
	p := pl.said.phrase
	p.UseRelationTemplate()
	p.Relation = job.relationAt(int32(pl.a))
	job.readNounPhrase(&p.Object, job.caption.Graph.Relations[pl.a].Object, 0)
	job.sink.truth = say.AppendPhrase(job.sink.truth[:0], &p)
	s := &job.slots[pl.slot]
	p.Relation = s.relation
	job.sample(pl, func(c choice) Reason {
		n := job.dict.filter.nounOf(c)
		switch reason := job.facts.checkObject(n, s.noun, false); {
		case reason != noReason:
			return reason
		case words.SameThing(n, s.other):
			return ReasonSynonym
		case say.ArticleAnew(n) == say.NoArticle && !n.Mass:
			return ReasonGrammar // "holding camera"
		case job.dict.filter.plausible && !job.dict.vocab.attested.HasRelation(s.other, n, s.relation):
			return ReasonImplausible
		case s.isTrueRegardless(n):
			return ReasonMayBeTrue
		}
		claim := job.sink.judge.newClaim(pl)
		claim.Was, claim.Is = s.noun, n
		claim.AddFact(n, s.other, s.relation, true)
		p.Object = say.NounPhrase{Noun: n, Article: say.ArticleAnew(n)}
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, &p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// isNamedAlong reports whether captions that name n usually name x too if it is there: living
// things, vehicles, food, and things that somebody holds.
func isNamedAlong(x, n *words.Noun, held bool) bool {
	switch x.Kind {
	case truth.Animals:
		return n.Alive()
	case truth.People, truth.Vehicles, truth.Food:
		return n.Kind == x.Kind
	}
	return held && x.Kind == 0 && n.Kind == 0
}

// addObject adds a thing to the subject or the object of a positive's relation.
func addObject(job *captionJob, pl *plan) {
	p := pl.said.phrase
	n := &p.Subject
	if pl.second {
		n = &p.Object
	}
	n.Also = n.Noun
	job.sink.truth = say.AppendPhrase(job.sink.truth[:0], &p)
	s := &job.slots[pl.slot]
	job.sample(pl, func(c choice) Reason {
		x := job.dict.filter.nounOf(c)
		switch reason := job.facts.checkObject(x, n.Noun, false); {
		case reason != noReason:
			return reason
		case words.SameThing(x, s.other):
			return ReasonSynonym
		case say.ArticleAnew(x) != say.AnArticle:
			return ReasonGrammar
		case s.isTrueRegardless(x), job.dict.isLikelyAlsoTrue(s, x), job.facts.isCommonlyOmitted(x), job.facts.isOmittedBesideOthers(s, x):
			return ReasonMayBeTrue
		case job.dict.filter.plausible && (s.other.Kind == truth.Clothing || !isNamedAlong(x, n.Noun, pl.second && s.other.Alive())): // one garment, or a thing that captions often omit
			return ReasonImplausible
		}
		claim := job.sink.judge.newClaim(pl)
		claim.Was, claim.Is = n.Noun, x
		claim.AddFact(x, s.other, s.relation, pl.second)
		if job.dict.filter.plausible && !job.dict.vocab.attested.MayBeAdded(x, n.Noun, claim.Facts[0]) {
			return ReasonImplausible
		}
		n.Also = x
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, &p, schemas.ChangedObject, schemas.CategoryRelation)
	})
}
