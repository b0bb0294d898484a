package negatives

import (
	"slices"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// A half-truth is a positive that leaves something of its caption unsaid, with something wrong in
// that place: "a dog on grass" of a white dog becomes "a brown dog on grass".

// planHalfTruths plans one addition for each attribute, each relation and each object that does
// something, to one of the positives that leave it unsaid. The caption leaves nothing unsaid.
func (g *Generator) planHalfTruths(img *Image, caption int) {
	c := &img.Captions[caption]
	r := newRandom(g.seed, img.Key, "half-truths "+c.Text)
	for i := range c.Graph.Objects {
		if g.enabled[AddAttribute] {
			g.planAddedAttributes(&c.Graph, caption, int32(i), &r)
		}
		if g.enabled[AddRelation] {
			g.planAddedRelation(&c.Graph, caption, int32(i), &r)
		}
	}
	if g.enabled[AddObject] {
		for i := range c.Graph.Relations {
			g.planAddedObject(caption, int32(i), &r)
		}
	}
}

// oneOf takes one of a caption's sub-graphs that fit, all alike; nil where there is none.
func (g *Generator) oneOf(caption int, r *random, fits func(s *said) bool) *said {
	var taken *said
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

// holds says whether a sub-graph has an object, and with which of its attributes; second says that it
// is the object of the relation.
func (s *said) holds(object int32) (attributes uint64, second, has bool) {
	switch p := &s.part; {
	case p.Subject == object:
		return p.SubjectAttributes, false, true
	case p.Relation != scenegraph.NoRelation && p.Object == object:
		return p.ObjectAttributes, true, true
	}
	return 0, false, false
}

// clause holds where the one attribute of an object is said after it: "a bus that is red".
func (p *phrase) clause() bool { return p.template != nil && p.template.that && p.subject.n == 1 }

// follows holds where an attribute is said after the noun.
func (n *nounPhrase) follows() bool {
	return slices.ContainsFunc(n.attributes[:n.n], func(a attribute) bool { return a.post })
}

func (g *Generator) planAddedAttributes(gr *schemas.SceneGraph, caption int, object int32, r *random) {
	known := g.known.object(caption, object)
	for i := range min(len(gr.Objects[object].Attributes), maxAttributes) {
		is := &g.known.attributes[known.attributes+i]
		if is.unsaid || is.is.text == "" {
			continue
		}
		s := g.oneOf(caption, r, func(s *said) bool {
			attributes, _, has := s.holds(object)
			return has && attributes>>i&1 == 0 && !s.phrase.clause()
		})
		if s == nil {
			continue
		}
		_, second, _ := s.holds(object)
		g.addOnce(plan{method: AddAttribute, caption: caption, said: s, sentence: s.sentence, second: second, a: i},
			&slot{kind: SlotAttribute, text: is.is.text, id: is.is.id, head: known.head, of: known.noun.kind})
	}
}

// planAddedRelation has an object do something else than it does in all of the image.
func (g *Generator) planAddedRelation(gr *schemas.SceneGraph, caption int, object int32, r *random) {
	known := g.known.object(caption, object)
	does := slices.IndexFunc(gr.Relations, func(r schemas.Relation) bool { return r.Subject == object })
	if does < 0 || known.noun.vague || g.known.several[known.class] && !known.plural {
		return
	}
	s := g.oneOf(caption, r, func(s *said) bool {
		return s.part.Relation == scenegraph.NoRelation && s.part.Subject == object && !s.phrase.clause() && !s.phrase.subject.follows()
	})
	if s == nil {
		return
	}
	if relation := g.otherDeed(known, r); relation != nil {
		to := g.known.object(caption, gr.Relations[does].Object).noun
		g.add(plan{method: AddRelation, caption: caption, said: s, sentence: s.sentence, a: does},
			&slot{kind: SlotObject, text: to.key, noun: to, relation: relation, object: true, other: known.noun})
	}
}

// otherDeed is a relation that the corpus has of an object and that excludes what it does in the
// image; nil where it does nothing there, or nothing else is found.
func (g *Generator) otherDeed(o *knownObject, r *random) *relation {
	list := o.noun.relations
	if len(list) == 0 {
		return nil
	}
	for range maxTries {
		is, does := g.words.relationOf(pick(r, list), ""), false
		if !is.replaces || is.verb == "" || contains(meanwhile, is.verb) || g.known.lemmas.has(is.does.hash) {
			continue
		}
		excluded := !slices.ContainsFunc(g.known.relations, func(x knownRelation) bool {
			if x.subject != o.class || x.relation.verb == "" {
				return false
			}
			does = true
			return !g.words.verbsExclude(x.relation.does, is.does)
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

// meanwhile are verbs of what somebody may do unsaid, whatever else is said: "a man holding a cup" of one
// who rides a horse.
const meanwhile = " hold carry wear attend "

// planAddedObject puts a further thing beside one of those of a relation.
func (g *Generator) planAddedObject(caption int, relation int32, r *random) {
	s := g.oneOf(caption, r, func(s *said) bool { return s.part.Relation == relation })
	if s == nil {
		return
	}
	rel := g.known.relation(caption, relation)
	n, other, second := &s.phrase.subject, &s.phrase.object, false
	if rel.takesSeveral() && !rel.symmetric || rel.key == "with" {
		n, other, second = other, n, true
	}
	if n.noun.vague || n.follows() {
		return
	}
	g.addOnce(plan{method: AddObject, caption: caption, said: s, sentence: s.sentence, second: second},
		&slot{kind: SlotObject, text: n.noun.key, noun: n.noun, of: n.noun.kind, relation: rel, object: second, other: other.noun})
}

// editHalfTruth makes the half-truths of one plan: what was left unsaid is said, for balance, and then
// something else in its place.
func (g *Generator) editHalfTruth(gr *schemas.SceneGraph, pl *plan, r *random) {
	p, part := pl.said.phrase, pl.said.part
	n := &p.subject
	if pl.second {
		n = &p.object
	}
	switch pl.method {
	case AddAttribute:
		object, said := part.Subject, part.SubjectAttributes
		if pl.second {
			object, said = part.Object, part.ObjectAttributes
		}
		g.readNounPhrase(n, gr, pl.caption, object, said|1<<pl.a)
		if p.relation != nil {
			p.subject.idle()
		}
		g.truth = appendPhrase(g.truth[:0], &p)
		class := g.known.object(pl.caption, object).class
		g.replaceAttribute(pl, &p, class, class, r)
	case AddRelation:
		p.relate()
		p.relation = g.known.relation(pl.caption, int32(pl.a))
		g.readNounPhrase(&p.object, gr, pl.caption, gr.Relations[pl.a].Object, 0)
		g.truth = appendPhrase(g.truth[:0], &p)
		g.addRelation(pl, &p, r)
	case AddObject:
		n.also = n.noun
		g.truth = appendPhrase(g.truth[:0], &p)
		g.addObject(pl, &p, n, r)
	}
}

// truthOf is what a plan's half-truth says with the truth in it; empty for other plans.
func (g *Generator) truthOf(pl *plan) string {
	if !pl.method.adds() {
		return ""
	}
	return g.out.Keep(g.truth)
}

// relate gives a phrase of one object the template of a relation that begins as its own.
func (p *phrase) relate() {
	if p.template == nil {
		return
	}
	p.template = &relationTemplates[slices.IndexFunc(relationTemplates, func(t template) bool { return t.lead == p.template.lead && !t.be })]
}

// addRelation says of one object that it does something to another.
func (g *Generator) addRelation(pl *plan, p *phrase, r *random) {
	s := &g.slots[pl.slot]
	p.relation = s.relation
	g.try(pl, r, func(c choice) Reason {
		n := g.filtered.noun(c)
		switch reason := g.objectFits(n, s.noun, false); {
		case reason != noReason:
			return reason
		case sameThing(n, s.other):
			return ReasonSynonym
		case articleAnew(n) == noArticle && !n.mass:
			return ReasonGrammar // "holding camera"
		case g.filtered.plausible && !g.vocab.attested.relate(s.other, n, s.relation):
			return ReasonImplausible
		case s.anyway(n):
			return ReasonKnownGraph
		}
		claim := g.claims(pl)
		claim.was, claim.is = s.noun, n
		claim.relates(n, s.other, s.relation, true)
		p.object = nounPhrase{noun: n, article: articleAnew(n)}
		return noReason
	}, func() bool {
		return g.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// mayBePassedOver holds for what captions leave out beside other things: birds, what is on a road or
// parked, and what is said of a whole sort ("a farm animal").
func (g *Generator) mayBePassedOver(s *slot, x *noun) bool {
	return contains(" bird insect bug bee fly butterfly ", x.head) || g.words.noun(x.head).general ||
		x.kind == vehicles && (g.known.kinds>>ways&1 != 0 || s.relation.verb == "park")
}

// goesAlong holds where captions that say one thing say the other too where it is there: who and what
// is alive, vehicles, dishes, and what somebody holds.
func goesAlong(x, n *noun, held bool) bool {
	switch x.kind {
	case animals:
		return n.alive()
	case people, vehicles, food:
		return n.kind == x.kind
	}
	return held && x.kind == 0 && n.kind == 0
}

// addObject says of a further thing what is said of one, or does so to it.
func (g *Generator) addObject(pl *plan, p *phrase, n *nounPhrase, r *random) {
	s := &g.slots[pl.slot]
	g.try(pl, r, func(c choice) Reason {
		x := g.filtered.noun(c)
		switch reason := g.objectFits(x, n.noun, false); {
		case reason != noReason:
			return reason
		case sameThing(x, s.other):
			return ReasonSynonym
		case articleAnew(x) != anArticle:
			return ReasonGrammar
		case s.anyway(x), g.already(s, x), g.mayGoUnsaid(x), g.mayBePassedOver(s, x):
			return ReasonKnownGraph
		case g.filtered.plausible && (s.other.kind == clothing || !goesAlong(x, n.noun, pl.second && s.other.alive())): // two in a suit
			return ReasonImplausible
		}
		claim := g.claims(pl)
		claim.was, claim.is = n.noun, x
		claim.relates(x, s.other, s.relation, pl.second)
		if g.filtered.plausible && !g.vocab.attested.besides(x, n.noun, claim.facts[0]) {
			return ReasonImplausible
		}
		n.also = x
		return noReason
	}, func() bool {
		return g.emitPhrase(pl, p, schemas.ChangedObject, schemas.CategoryRelation)
	})
}
