package negatives

import (
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/say"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// planSubGraphs plans the edits of a caption's sub-graphs (MosaiCLIP App. B).
func (g *Generator) planSubGraphs(img *Image, caption int) {
	c := &img.Captions[caption]
	gr := &c.Graph
	for i := range g.said[caption] {
		s := &g.said[caption][i]
		pl := plan{caption: caption, said: s, slot: noSlot, sentence: s.sentence}
		subject := &gr.Objects[s.part.Subject]
		g.planAttributes(pl, subject, g.facts.objectAt(caption, s.part.Subject), s.part.SubjectAttributes)
		o1 := g.facts.objectAt(caption, s.part.Subject)
		if s.part.Relation == scenegraph.NoRelation {
			if n := o1.Noun; g.enabled[methods.ReplaceObject] && !o1.Name && !n.Vague {
				pl.method = methods.ReplaceObject
				g.addPlanOnce(pl, &slot{kind: slots.Object, text: n.Key, noun: n, of: n.Kind})
			}
			continue
		}
		object := &gr.Objects[s.part.Object]
		second := pl
		second.second = true
		g.planAttributes(second, object, g.facts.objectAt(caption, s.part.Object), s.part.ObjectAttributes)

		rel := g.facts.relationAt(caption, s.part.Relation)
		o2 := g.facts.objectAt(caption, s.part.Object)
		n1, n2 := o1.Noun, o2.Noun
		if g.enabled[methods.SwapObjects] {
			pl.method = methods.SwapObjects
			g.plans = append(g.plans, pl)
		}
		if g.enabled[methods.SwapAttributes] && s.part.SubjectAttributes != 0 && s.part.ObjectAttributes != 0 {
			pl.method = methods.SwapAttributes
			g.plans = append(g.plans, pl)
		}
		pl.method, second.method = methods.ReplaceObject, methods.ReplaceObject
		if g.enabled[methods.ReplaceObject] && !o1.Name && !n1.Vague && !(isWithPart(rel, n2) && s.part.ObjectAttributes == 0) {
			g.addPlanOnce(pl, &slot{kind: slots.Object, text: n1.Key, noun: n1, of: n1.Kind, relation: rel, other: n2})
		}
		if g.enabled[methods.ReplaceObject] && !o2.Name && !n2.Vague && rel.Prep != "for" { // what it is for nobody sees
			g.addPlanOnce(second, &slot{kind: slots.Object, text: n2.Key, noun: n2, of: n2.Kind, relation: rel, object: true, other: n1})
		}
		relations := slot{kind: slots.Relation, text: rel.Key, id: rel.Id, head: o2.Head, subject: o1.Head, of: n1.Kind}
		if g.enabled[methods.ReplaceRelation] {
			pl.method = methods.ReplaceRelation
			g.addPlanOnce(pl, &relations)
		}
		if g.enabled[methods.Combine] {
			pl.method = methods.Combine
			g.addPlanOnce(pl, &relations)
		}
		if g.enabled[methods.Join] {
			pl.method = methods.Join
			g.addPlanOnce(pl, &relations)
		}
	}
}

// quantifierFits reports whether a collective fits n: "a herd of cows", not "a herd of men".
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

// ofWhat reports whether a part is the object of "of" or "full of".
func ofWhat(r *words.Relation, second bool) bool {
	return second && (r.Prep == "of" || r.Key == "full of")
}

// planAttributes plans the replacement of each attribute of one object, and of
// how many it is.
func (g *Generator) planAttributes(pl plan, o *schemas.Object, known *knownObject, mask uint64) {
	pl.method = methods.ReplaceAttribute
	said := 0
	for i, a := range o.Attributes {
		if !g.enabled[methods.ReplaceAttribute] || i >= 64 || mask>>i&1 == 0 || a.Text == "" || g.facts.attributes[known.attributes+i].unsaid || said == say.MaxAttributes {
			continue
		}
		said++
		pl.a = i
		is := g.facts.attributes[known.attributes+i].is
		g.addPlanOnce(pl, &slot{kind: slots.Attribute, text: is.Text, id: is.Id, head: known.Head, of: known.Noun.Kind})
	}
	if quantity := g.facts.replaceableCount(pl, o, known); quantity != "" && g.enabled[methods.ReplaceQuantity] {
		pl.method = methods.ReplaceQuantity
		g.addPlanOnce(pl, &slot{kind: slots.Quantity, text: quantity, id: g.dict.words.Property(quantity).Id, head: known.Head})
	}
}

// editSubGraph makes the negatives of one plan.
func (g *Generator) editSubGraph(pl *plan, r *random) {
	p := pl.said.phrase
	classes := g.facts.objects[g.facts.first[pl.caption]:]
	subject, object := classes[pl.said.part.Subject].class, classes[pl.said.part.Object].class
	switch pl.method {
	case methods.SwapObjects:
		g.swapObjects(pl, &p, subject, object)
	case methods.SwapAttributes:
		g.swapAttributes(pl, &p, subject, object)
	case methods.ReplaceAttribute:
		g.replaceAttribute(pl, &p, subject, object, r)
	case methods.ReplaceQuantity:
		g.replaceQuantity(pl, &p, r)
	case methods.ReplaceObject:
		g.replaceObject(pl, &p, r)
	case methods.ReplaceRelation:
		g.replaceRelation(pl, &p, subject, object, r)
	case methods.Combine:
		g.replaceAndSwap(pl, &p, r)
	case methods.Join:
		g.joinObject(pl, &p, r)
	}
}

// swapAttributes gives one attribute of each object to the other, of the same
// dimension: f_attr's shuffle.
func (g *Generator) swapAttributes(pl *plan, p *say.Phrase, subject, object int) {
	if reason := g.shuffle(pl, p, subject, object); reason != noReason {
		g.sink.dropPhrase(pl, p, reason)
		return
	}
	g.sink.emitPhrase(pl, p, schemas.ChangedAttribute, schemas.CategoryAttribute)
}

// shuffle moves attributes of a phrase and says why that is no negative.
func (g *Generator) shuffle(pl *plan, p *say.Phrase, subject, object int) Reason {
	a, b := &p.Subject, &p.Object
	i, j, ok := exchangeable(a, b)
	if !ok {
		return ReasonDimension
	}
	x, y := a.Attributes[i], b.Attributes[j]
	a.Attributes[i], b.Attributes[j] = y, x
	if g.facts.mayHave(object, x.Is) || g.facts.mayHave(subject, y.Is) {
		return ReasonKnownGraph
	}
	claim := g.sink.judge.newClaim(pl)
	claim.Traits = append(claim.Traits, plausible.Trait{Noun: a.Noun, Is: y.Is.Core, Was: x.Is.Core}, plausible.Trait{Noun: b.Noun, Is: x.Is.Core, Was: y.Is.Core})
	if !g.dict.attributeApplies(a.Noun, y.Is) || !g.dict.attributeApplies(b.Noun, x.Is) {
		return ReasonImplausible
	}
	return noReason
}

// exchangeable finds an attribute of each that excludes the other's.
func exchangeable(a, b *say.NounPhrase) (i, j int, ok bool) {
	for i := range a.N {
		for j := range b.N {
			x, y := &a.Attributes[i], &b.Attributes[j]
			if x.Post == y.Post && lexicon.ValuesAreExclusive(x.Is.Core.Values, y.Is.Core.Values) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// replaceAttribute puts another attribute in the place of one.
func (g *Generator) replaceAttribute(pl *plan, p *say.Phrase, subject, object int, r *random) {
	phrase, class := &p.Subject, subject
	if pl.second {
		phrase, class = &p.Object, object
	}
	slot := &g.slots[pl.slot]
	if !phrase.Plural && g.facts.several[class] {
		g.sink.drop(pl, slot.text, ReasonKnownGraph)
		return
	}
	place := attributeAt(phrase, slot.text)
	if place == nil {
		return
	}
	g.sampleCandidates(pl, r, func(chosen words.Choice) Reason {
		p := chosen.Of.Properties[chosen.At].Core
		if saysAlready(phrase, place, p.Text) {
			return ReasonGrammar
		}
		if g.facts.mayHave(class, p) {
			return ReasonKnownGraph
		}
		if !g.dict.filter.mayHaveAttribute(phrase.Noun, chosen) {
			return ReasonImplausible
		}
		claim := g.sink.judge.newClaim(pl)
		claim.Traits = append(claim.Traits, plausible.Trait{Noun: phrase.Noun, Is: p, Was: g.dict.words.Property(slot.text).Core})
		place.Is = g.dict.words.Reprefixed(slot.text, p)
		return noReason
	}, func() bool {
		return g.sink.emitPhrase(pl, p, schemas.ChangedAttribute, p.Category(schemas.CategoryAttribute))
	})
}

// saysAlready reports whether another attribute of the noun phrase is the word, as in
// "black and black".
func saysAlready(n *say.NounPhrase, but *say.Attribute, word string) bool {
	for i := range n.N {
		if a := &n.Attributes[i]; a != but && wordclass.Has(a.Is.Text, word) {
			return true
		}
	}
	return wordclass.Has(n.Noun.Key, word)
}

// attributeAt is the place in a noun phrase of an attribute.
func attributeAt(n *say.NounPhrase, text string) *say.Attribute {
	for i := range n.N {
		if n.Attributes[i].Is.Text == text {
			return &n.Attributes[i]
		}
	}
	return nil
}

// replaceObject puts another object in the place of one: f_rel.
func (g *Generator) replaceObject(pl *plan, p *say.Phrase, r *random) {
	phrase, other := &p.Subject, &p.Object
	if pl.second {
		phrase, other = other, phrase
	}
	original, slot := phrase.Noun, &g.slots[pl.slot]
	before, last := grammar.LastWords(phrase.Quantity)
	amount := !phrase.Plural && grammar.IsAmount(before, last)
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		n := g.dict.filter.nounOf(c)
		if reason := g.facts.objectFits(n, original, phrase.Plural); reason != noReason {
			return reason
		}
		if p.Relation != nil && words.SameThing(n, other.Noun) {
			return ReasonSynonym
		}
		if !quantifierFits(phrase.Quantity, n) {
			return ReasonImplausible
		}
		if amount && n.Usage.Countable() {
			return ReasonGrammar // "some sink"
		}
		if slot.isTrueRegardless(n) {
			return ReasonKnownGraph
		}
		if phrase.Article == say.NoArticle && phrase.Quantity == "" && !phrase.Plural && p.Relation != nil && ofWhat(p.Relation, pl.second) && say.ArticleAnew(n) != say.NoArticle {
			return ReasonGrammar // "a plate of a cup"
		}
		for i := range phrase.N {
			if !g.dict.attributeAppliesTo(original, n, phrase.Attributes[i].Is) {
				return ReasonImplausible
			}
		}
		if g.dict.isLikelyAlsoTrue(slot, n) {
			return ReasonKnownGraph
		}
		claim := g.sink.judge.newClaim(pl)
		claim.Was, claim.Is = original, n
		if p.Relation != nil {
			claim.Relates(n, other.Noun, p.Relation, pl.second)
		}
		for i := range phrase.N {
			claim.Traits = append(claim.Traits, plausible.Trait{Noun: n, Is: phrase.Attributes[i].Is, Was: nil})
		}
		claim.Settled = p.Relation == nil && words.OfOneSort(original, n)
		phrase.Replace(n)
		return noReason
	}, func() bool {
		return g.sink.emitPhrase(pl, p, schemas.ChangedObject, p.Category(schemas.CategoryRelation))
	})
}

// replaceRelation puts another relation in the place of one: f_rel.
func (g *Generator) replaceRelation(pl *plan, p *say.Phrase, subject, object int, r *random) {
	original := p.Relation
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		rel := c.Of.Relations[c.At]
		if !g.dict.hasRelationOf(p.Subject.Noun, rel) && !(c.Of.Opposite && g.dict.vocab.attested.Does(p.Subject.Noun, rel)) {
			return ReasonImplausible
		}
		if c.Of.Opposite && !g.dict.vocab.attested.MayStand(p.Subject.Noun, p.Object.Noun, rel) {
			return ReasonImplausible
		}
		if (rel.Place == truth.On || rel.Place == truth.In) && rel.Misplaced.Has(g.dict.words.Vocab.HeadID(p.Object.Noun.Key)) {
			return ReasonImplausible // "on a spoon"
		}
		if g.facts.mayHoldBoth(p.Subject.Noun, p.Object.Noun, subject, object, original, rel) {
			return ReasonKnownGraph
		}
		p.Relation = rel
		claim := g.sink.judge.newClaim(pl)
		claim.Facts = append(claim.Facts, plausible.Fact{Subject: p.Subject.Noun, Object: p.Object.Noun, Is: rel, Was: original, Comes: false})
		return noReason
	}, func() bool {
		return g.sink.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// mayHoldBoth reports whether a relation of x to y may be true of the image along with the one that
// it came for; subject and object are their classes.
func (f *facts) mayHoldBoth(x, y *words.Noun, subject, object int, was, is *words.Relation) bool {
	return y.Unbounded(was.Place, is.Place) || words.AlikeStill(x, was.Verb, is.Verb) ||
		is.Verb != "" && !wordclass.Has(grammar.Postures, is.Verb) && f.lemmas.contains(is.Does.Hash) ||
		f.mayRelate(subject, object, is, was, x.Kind.Actor())
}

// hasRelationOf reports whether the corpus has a relation of such a subject. Where it has no
// verb, or need not be plausible, it may also say too little of the subject to
// tell.
func (dict *dictionary) hasRelationOf(subject *words.Noun, r *words.Relation) bool {
	if dict.filter.plausible && r.Verb != "" {
		return vocabulary.Has(subject.Relations, r.Key)
	}
	return vocabulary.Occurs(subject.Relations, r.Key)
}

// replaceAndSwap replaces the relation and swaps the objects.
func (g *Generator) replaceAndSwap(pl *plan, p *say.Phrase, r *random) {
	p.Subject, p.Object = p.Object, p.Subject
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		p.Relation = c.Of.Relations[c.At]
		return noReason
	}, func() bool {
		return g.sink.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// joinObject connects the sub-graph with another object of the corpus, which has an
// attribute of the corpus, through another relation.
func (g *Generator) joinObject(pl *plan, p *say.Phrase, r *random) {
	objects := g.dict.words.Vocab.List(vocabulary.Object)
	if len(objects) == 0 {
		g.sink.drop(pl, "", ReasonNoCandidates)
		return
	}
	var joined say.NounPhrase
	relation := ""
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		n := g.dict.words.Noun(vocabulary.Pick(r, objects))
		if reason := g.facts.objectFits(n, p.Object.Noun, false); reason != noReason {
			return reason
		}
		relation, joined = c.Text(), say.NounPhrase{Noun: n, Article: say.ArticleAnew(n)}
		if list := n.Word.Attributes.List; len(list) > 0 {
			joined.Attributes[0], joined.N = say.Attribute{Is: g.dict.words.Property(words.Core(vocabulary.Pick(r, list)))}, 1
		}
		return noReason
	}, func() bool {
		said, ok := g.sink.inWordsOf(pl.said, p)
		if !ok {
			g.sink.dropPhrase(pl, p, ReasonGrammar)
			return false
		}
		g.sink.text = append(say.AppendPhrase(g.sink.text[:0], said), ' ')
		g.sink.text = append(append(g.sink.text, relation...), ' ')
		g.sink.text = say.AppendNounPhrase(g.sink.text, &joined, false)
		return g.sink.emitText(pl, schemas.ChangedJoin, schemas.CategoryRelation)
	})
}
