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
func (g *Generator) planHalfTruths(img *Image, caption int) {
	c := &img.Captions[caption]
	r := grammar.NewRandom(g.seed, img.Key, "half-truths "+c.Text)
	for i := range c.Graph.Objects {
		if g.enabled[methods.AddAttribute] {
			g.planAddedAttributes(&c.Graph, caption, int32(i), &r)
		}
		if g.enabled[methods.AddRelation] {
			g.planAddedRelation(&c.Graph, caption, int32(i), &r)
		}
	}
	if g.enabled[methods.AddObject] {
		for i := range c.Graph.Relations {
			g.planAddedObject(caption, int32(i), &r)
		}
	}
}

// pickPart takes one of a caption's sub-graphs that fit, all alike; nil if there is none.
func (g *Generator) pickPart(caption int, r *random, fits func(s *statedPart) bool) *statedPart {
	var taken *statedPart
	n := uint64(0)
	for i := range g.said[caption] {
		if s := &g.said[caption][i]; s.of != 0 && fits(s) {
			if n++; r.Next()%n == 0 {
				taken = s
			}
		}
	}
	return taken
}

// containsObject reports whether a sub-graph has an object, and with which of its attributes; second says that it
// is the object of the relation.
func (s *statedPart) containsObject(object int32) (attributes uint64, second, has bool) {
	switch p := &s.part; {
	case p.Subject == object:
		return p.SubjectAttributes, false, true
	case p.Relation != scenegraph.NoRelation && p.Object == object:
		return p.ObjectAttributes, true, true
	}
	return 0, false, false
}

func (g *Generator) planAddedAttributes(gr *schemas.SceneGraph, caption int, object int32, r *random) {
	known := g.facts.objectAt(caption, object)
	for i := range min(len(gr.Objects[object].Attributes), say.MaxAttributes) {
		is := &g.facts.attributes[known.attributes+i]
		if is.unsaid || is.is.Text == "" {
			continue
		}
		s := g.pickPart(caption, r, func(s *statedPart) bool {
			attributes, _, has := s.containsObject(object)
			return has && attributes>>i&1 == 0 && !s.phrase.Clause()
		})
		if s == nil {
			continue
		}
		_, second, _ := s.containsObject(object)
		g.addPlanOnce(plan{method: methods.AddAttribute, caption: caption, said: s, sentence: s.sentence, second: second, a: i},
			&slot{kind: slots.Attribute, text: is.is.Text, id: is.is.Id, head: known.Head, of: known.Noun.Kind})
	}
}

// planAddedRelation has an object do something else than it does in all of the image.
func (g *Generator) planAddedRelation(gr *schemas.SceneGraph, caption int, object int32, r *random) {
	known := g.facts.objectAt(caption, object)
	does := slices.IndexFunc(gr.Relations, func(r schemas.Relation) bool { return r.Subject == object })
	if does < 0 || known.Noun.Vague || g.facts.several[known.class] && !known.Plural {
		return
	}
	s := g.pickPart(caption, r, func(s *statedPart) bool {
		return s.part.Relation == scenegraph.NoRelation && s.part.Subject == object && !s.phrase.Clause() && !s.phrase.Subject.Follows()
	})
	if s == nil {
		return
	}
	if relation := g.facts.pickContraryRelation(known, r); relation != nil {
		to := g.facts.objectAt(caption, gr.Relations[does].Object).Noun
		g.addPlan(plan{method: methods.AddRelation, caption: caption, said: s, sentence: s.sentence, a: does},
			&slot{kind: slots.Object, text: to.Key, noun: to, relation: relation, object: true, other: known.Noun})
	}
}

// pickContraryRelation is a relation that the corpus has of an object and that excludes what it does in the
// image; nil if it does nothing there, or nothing else is found.
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

// planAddedObject puts a further thing beside one of those of a relation.
func (g *Generator) planAddedObject(caption int, relation int32, r *random) {
	s := g.pickPart(caption, r, func(s *statedPart) bool { return s.part.Relation == relation })
	if s == nil {
		return
	}
	rel := g.facts.relationAt(caption, relation)
	n, other, second := &s.phrase.Subject, &s.phrase.Object, false
	if rel.TakesSeveral() && !rel.Symmetric || rel.Key == "with" {
		n, other, second = other, n, true
	}
	if n.Noun.Vague || n.Follows() {
		return
	}
	g.addPlanOnce(plan{method: methods.AddObject, caption: caption, said: s, sentence: s.sentence, second: second},
		&slot{kind: slots.Object, text: n.Noun.Key, noun: n.Noun, of: n.Noun.Kind, relation: rel, object: second, other: other.Noun})
}

// editHalfTruth makes the half-truths of one plan: what was left unsaid is said, for balance, and then
// something else in its place.
func (g *Generator) editHalfTruth(gr *schemas.SceneGraph, pl *plan, r *random) {
	p, part := pl.said.phrase, pl.said.part
	n := &p.Subject
	if pl.second {
		n = &p.Object
	}
	switch pl.method {
	case methods.AddAttribute:
		object, said := part.Subject, part.SubjectAttributes
		if pl.second {
			object, said = part.Object, part.ObjectAttributes
		}
		g.readNounPhrase(n, gr, pl.caption, object, said|1<<pl.a)
		if p.Relation != nil {
			p.Subject.Idle()
		}
		g.sink.truth = say.AppendPhrase(g.sink.truth[:0], &p)
		class := g.facts.objectAt(pl.caption, object).class
		g.replaceAttribute(pl, &p, class, class, r)
	case methods.AddRelation:
		p.Relate()
		p.Relation = g.facts.relationAt(pl.caption, int32(pl.a))
		g.readNounPhrase(&p.Object, gr, pl.caption, gr.Relations[pl.a].Object, 0)
		g.sink.truth = say.AppendPhrase(g.sink.truth[:0], &p)
		g.addRelation(pl, &p, r)
	case methods.AddObject:
		n.Also = n.Noun
		g.sink.truth = say.AppendPhrase(g.sink.truth[:0], &p)
		g.addObject(pl, &p, n, r)
	}
}

// addRelation says of one object that it does something to another.
func (g *Generator) addRelation(pl *plan, p *say.Phrase, r *random) {
	s := &g.slots[pl.slot]
	p.Relation = s.relation
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		n := g.dict.filter.nounOf(c)
		switch reason := g.facts.objectFits(n, s.noun, false); {
		case reason != noReason:
			return reason
		case words.SameThing(n, s.other):
			return ReasonSynonym
		case say.ArticleAnew(n) == say.NoArticle && !n.Mass:
			return ReasonGrammar // "holding camera"
		case g.dict.filter.plausible && !g.dict.vocab.attested.Relate(s.other, n, s.relation):
			return ReasonImplausible
		case s.isTrueRegardless(n):
			return ReasonKnownGraph
		}
		claim := g.sink.judge.newClaim(pl)
		claim.Was, claim.Is = s.noun, n
		claim.Relates(n, s.other, s.relation, true)
		p.Object = say.NounPhrase{Noun: n, Article: say.ArticleAnew(n)}
		return noReason
	}, func() bool {
		return g.sink.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// isOmittedBesideOthers reports whether captions often leave a thing out that is beside others:
// birds, vehicles on a road or parked, general words ("a farm animal").
func (f *facts) isOmittedBesideOthers(s *slot, x *words.Noun) bool {
	return wordclass.Has(" bird insect bug bee fly butterfly ", x.Head) || f.dict.words.Noun(x.Head).General ||
		x.Kind == truth.Vehicles && (f.kinds>>truth.Ways&1 != 0 || s.relation.Verb == "park")
}

// isNamedAlong reports whether captions that say one thing say the other too if it is there: who and what
// is alive, vehicles, dishes, and what somebody holds.
func isNamedAlong(x, n *words.Noun, held bool) bool {
	switch x.Kind {
	case truth.Animals:
		return n.Alive()
	case truth.People, truth.Vehicles, truth.Food:
		return n.Kind == x.Kind
	}
	return held && x.Kind == 0 && n.Kind == 0
}

// addObject says of a further thing what is said of one, or does so to it.
func (g *Generator) addObject(pl *plan, p *say.Phrase, n *say.NounPhrase, r *random) {
	s := &g.slots[pl.slot]
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		x := g.dict.filter.nounOf(c)
		switch reason := g.facts.objectFits(x, n.Noun, false); {
		case reason != noReason:
			return reason
		case words.SameThing(x, s.other):
			return ReasonSynonym
		case say.ArticleAnew(x) != say.AnArticle:
			return ReasonGrammar
		case s.isTrueRegardless(x), g.dict.isLikelyAlsoTrue(s, x), g.facts.isCommonlyOmitted(x), g.facts.isOmittedBesideOthers(s, x):
			return ReasonKnownGraph
		case g.dict.filter.plausible && (s.other.Kind == truth.Clothing || !isNamedAlong(x, n.Noun, pl.second && s.other.Alive())): // two in a suit
			return ReasonImplausible
		}
		claim := g.sink.judge.newClaim(pl)
		claim.Was, claim.Is = n.Noun, x
		claim.Relates(x, s.other, s.relation, pl.second)
		if g.dict.filter.plausible && !g.dict.vocab.attested.Besides(x, n.Noun, claim.Facts[0]) {
			return ReasonImplausible
		}
		n.Also = x
		return noReason
	}, func() bool {
		return g.sink.emitPhrase(pl, p, schemas.ChangedObject, schemas.CategoryRelation)
	})
}
