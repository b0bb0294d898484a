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

// A half-truth is a positive that leaves something of its caption unsaid, with something wrong in
// that place: "a dog on grass" of a white dog becomes "a brown dog on grass".

// planHalfTruths plans one addition for each attribute, each relation and each object that does
// something, to one of the positives that leave it unsaid. The caption leaves nothing unsaid.
func planHalfTruths(job *captionJob) {
	c := job.caption
	r := grammar.NewRandom(job.seed, job.image, "half-truths "+c.Text)
	for i := range c.Graph.Objects {
		if job.enabled[methods.AddAttribute] && !grammar.IsLong(c) { // whose parts leave out what other sentences say
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

// pickPart takes one of a caption's sub-graphs that fit, all alike; nil if there is none.
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

// containsObject reports whether a sub-graph has an object, and with which of its attributes;
// second says that it is the object of the relation.
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
			return has && attributes>>i&1 == 0 && !s.phrase.Clause()
		})
		if s == nil {
			continue
		}
		_, second, _ := s.containsObject(object)
		job.addOnce(plan{method: methods.AddAttribute, said: s, sentence: s.sentence, second: second, a: i},
			&slot{kind: slots.Attribute, text: is.is.Text, id: is.is.Id, head: known.Head, of: known.Noun.Kind})
	}
}

// planAddedRelation has an object do something else than it does in all of the image.
func planAddedRelation(job *captionJob, object int32, r *random) {
	gr, known := &job.caption.Graph, job.objectAt(object)
	does := slices.IndexFunc(gr.Relations, func(r schemas.Relation) bool { return r.Subject == object })
	if does < 0 || known.Noun.Vague || job.facts.several[known.class] && !known.Plural {
		return
	}
	s := job.pickPart(r, func(s *statedPart) bool {
		return s.part.Relation == scenegraph.NoRelation && s.part.Subject == object && !s.phrase.Clause() && !s.phrase.Subject.Follows()
	})
	if s == nil {
		return
	}
	if relation := job.facts.pickContraryRelation(known, r); relation != nil {
		to := job.objectAt(gr.Relations[does].Object).Noun
		job.add(plan{method: methods.AddRelation, said: s, sentence: s.sentence, a: does},
			&slot{kind: slots.Object, text: to.Key, noun: to, relation: relation, object: true, other: known.Noun})
	}
}

// pickContraryRelation is a relation that the corpus has of an object and that excludes what it
// does in the image; nil if it does nothing there, or nothing else is found.
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

// planAddedObject plans a further thing beside one end of a relation.
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
	if n.Noun.Vague || n.Follows() {
		return
	}
	job.addOnce(plan{method: methods.AddObject, said: s, sentence: s.sentence, second: second},
		&slot{kind: slots.Object, text: n.Noun.Key, noun: n.Noun, of: n.Noun.Kind, relation: rel, object: second, other: other.Noun})
}

// addAttribute says what was left unsaid, for balance, and then another attribute in its place.
func addAttribute(job *captionJob, pl *plan) {
	p, part := pl.said.phrase, pl.said.part
	n, object, said := &p.Subject, part.Subject, part.SubjectAttributes
	if pl.second {
		n, object, said = &p.Object, part.Object, part.ObjectAttributes
	}
	job.readNounPhrase(n, object, said|1<<pl.a)
	if p.Relation != nil {
		p.Subject.Idle()
	}
	job.sink.truth = say.AppendPhrase(job.sink.truth[:0], &p)
	putAttribute(job, pl, &p, job.objectAt(object).class)
}

// addRelation says of one object that it does something to another.
func addRelation(job *captionJob, pl *plan) {
	p := pl.said.phrase
	p.Relate()
	p.Relation = job.relationAt(int32(pl.a))
	job.readNounPhrase(&p.Object, job.caption.Graph.Relations[pl.a].Object, 0)
	job.sink.truth = say.AppendPhrase(job.sink.truth[:0], &p)
	s := &job.slots[pl.slot]
	p.Relation = s.relation
	job.sample(pl, func(c choice) Reason {
		n := job.dict.filter.nounOf(c)
		switch reason := job.facts.objectFits(n, s.noun, false); {
		case reason != noReason:
			return reason
		case words.SameThing(n, s.other):
			return ReasonSynonym
		case say.ArticleAnew(n) == say.NoArticle && !n.Mass:
			return ReasonGrammar // "holding camera"
		case job.dict.filter.plausible && !job.dict.vocab.attested.Relate(s.other, n, s.relation):
			return ReasonImplausible
		case s.isTrueRegardless(n):
			return ReasonMayBeTrue
		}
		claim := job.sink.judge.newClaim(pl)
		claim.Was, claim.Is = s.noun, n
		claim.Relates(n, s.other, s.relation, true)
		p.Object = say.NounPhrase{Noun: n, Article: say.ArticleAnew(n)}
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, &p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// isNamedAlong reports whether captions that say one thing say the other too if it is there: who
// and what is alive, vehicles, dishes, and what somebody holds.
func isNamedAlong(x, n *words.Noun, held bool) bool {
	switch x.Kind {
	case truth.Animals:
		return n.Alive()
	case truth.People, truth.Vehicles, truth.Food:
		return n.Kind == x.Kind
	}
	return held && x.Kind == 0 && n.Kind == 0
}

// addObject adds a thing with the same relation as another one.
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
		switch reason := job.facts.objectFits(x, n.Noun, false); {
		case reason != noReason:
			return reason
		case words.SameThing(x, s.other):
			return ReasonSynonym
		case say.ArticleAnew(x) != say.AnArticle:
			return ReasonGrammar
		case s.isTrueRegardless(x), job.dict.isLikelyAlsoTrue(s, x), job.facts.isCommonlyOmitted(x), job.facts.isOmittedBesideOthers(s, x):
			return ReasonMayBeTrue
		case job.dict.filter.plausible && (s.other.Kind == truth.Clothing || !isNamedAlong(x, n.Noun, pl.second && s.other.Alive())): // two in a suit
			return ReasonImplausible
		}
		claim := job.sink.judge.newClaim(pl)
		claim.Was, claim.Is = n.Noun, x
		claim.Relates(x, s.other, s.relation, pl.second)
		if job.dict.filter.plausible && !job.dict.vocab.attested.Besides(x, n.Noun, claim.Facts[0]) {
			return ReasonImplausible
		}
		n.Also = x
		return noReason
	}, func() bool {
		return job.sink.emitPhrase(pl, &p, schemas.ChangedObject, schemas.CategoryRelation)
	})
}
