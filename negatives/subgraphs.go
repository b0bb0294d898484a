package negatives

import (
	"strings"

	"capgraph/internal/lexicon"
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
		g.planAttributes(pl, subject, g.known.object(caption, s.part.Subject), s.part.SubjectAttributes)
		o1 := g.known.object(caption, s.part.Subject)
		if s.part.Relation == scenegraph.NoRelation {
			if n := o1.noun; g.enabled[ReplaceObject] && !o1.name && !n.vague {
				pl.method = ReplaceObject
				g.addOnce(pl, &slot{kind: SlotObject, text: n.key, noun: n, of: n.kind})
			}
			continue
		}
		object := &gr.Objects[s.part.Object]
		second := pl
		second.second = true
		g.planAttributes(second, object, g.known.object(caption, s.part.Object), s.part.ObjectAttributes)

		rel := g.known.relation(caption, s.part.Relation)
		o2 := g.known.object(caption, s.part.Object)
		n1, n2 := o1.noun, o2.noun
		if g.enabled[SwapObjects] {
			pl.method = SwapObjects
			g.plans = append(g.plans, pl)
		}
		if g.enabled[SwapAttributes] && s.part.SubjectAttributes != 0 && s.part.ObjectAttributes != 0 {
			pl.method = SwapAttributes
			g.plans = append(g.plans, pl)
		}
		pl.method, second.method = ReplaceObject, ReplaceObject
		if g.enabled[ReplaceObject] && !o1.name && !n1.vague && !(withPart(rel, n2) && s.part.ObjectAttributes == 0) {
			g.addOnce(pl, &slot{kind: SlotObject, text: n1.key, noun: n1, of: n1.kind, relation: rel, other: n2})
		}
		if g.enabled[ReplaceObject] && !o2.name && !n2.vague && rel.prep != "for" { // what it is for nobody sees
			g.addOnce(second, &slot{kind: SlotObject, text: n2.key, noun: n2, of: n2.kind, relation: rel, object: true, other: n1})
		}
		relations := slot{kind: SlotRelation, text: rel.key, id: rel.id, head: o2.head, subject: o1.head, of: n1.kind}
		if g.enabled[ReplaceRelation] {
			pl.method = ReplaceRelation
			g.addOnce(pl, &relations)
		}
		if g.enabled[Combine] {
			pl.method = Combine
			g.addOnce(pl, &relations)
		}
		if g.enabled[Join] {
			pl.method = Join
			g.addOnce(pl, &relations)
		}
	}
}

// herded is false for what there is no such group of: "a herd of men".
func herded(quantity string, n *noun) bool {
	what := strings.TrimSuffix(quantity, " of")
	switch what = what[strings.LastIndexByte(what, ' ')+1:]; {
	case contains(" herd herds flock flocks pack packs litter swarm swarms ", what):
		return n.kind == animals
	case contains(" crowd crowds team teams crew mob ", what):
		return n.kind == people
	}
	return true
}

// ofWhat holds for the object of "of" and "full of".
func ofWhat(r *relation, second bool) bool { return second && (r.prep == "of" || r.key == "full of") }

// planAttributes plans the replacement of each attribute of one object, and of
// how many it is.
func (g *Generator) planAttributes(pl plan, o *schemas.Object, known *knownObject, mask uint64) {
	pl.method = ReplaceAttribute
	said := 0
	for i, a := range o.Attributes {
		if !g.enabled[ReplaceAttribute] || i >= 64 || mask>>i&1 == 0 || a.Text == "" || g.known.attributes[known.attributes+i].unsaid || said == maxAttributes {
			continue
		}
		said++
		pl.a = i
		is := g.known.attributes[known.attributes+i].is
		g.addOnce(pl, &slot{kind: SlotAttribute, text: is.text, id: is.id, head: known.head, of: known.noun.kind})
	}
	if quantity := g.countOf(pl, o, known); quantity != "" && g.enabled[ReplaceQuantity] {
		pl.method = ReplaceQuantity
		g.addOnce(pl, &slot{kind: SlotQuantity, text: quantity, id: g.words.property(quantity).id, head: known.head})
	}
}

// editSubGraph makes the negatives of one plan.
func (g *Generator) editSubGraph(pl *plan, r *random) {
	p := pl.said.phrase
	classes := g.known.objects[g.known.first[pl.caption]:]
	subject, object := classes[pl.said.part.Subject].class, classes[pl.said.part.Object].class
	switch pl.method {
	case SwapObjects:
		g.swapObjects(pl, &p, subject, object)
	case SwapAttributes:
		g.swapAttributes(pl, &p, subject, object)
	case ReplaceAttribute:
		g.replaceAttribute(pl, &p, subject, object, r)
	case ReplaceQuantity:
		g.replaceQuantity(pl, &p, r)
	case ReplaceObject:
		g.replaceObject(pl, &p, r)
	case ReplaceRelation:
		g.replaceRelation(pl, &p, subject, object, r)
	case Combine:
		g.combine(pl, &p, r)
	case Join:
		g.join(pl, &p, r)
	}
}

// swapAttributes gives one attribute of each object to the other, of the same
// dimension: f_attr's shuffle.
func (g *Generator) swapAttributes(pl *plan, p *phrase, subject, object int) {
	if reason := g.shuffle(pl, p, subject, object); reason != noReason {
		g.dropPhrase(pl, p, reason)
		return
	}
	g.emitPhrase(pl, p, schemas.ChangedAttribute, schemas.CategoryAttribute)
}

// shuffle moves attributes of a phrase and says why that is no negative.
func (g *Generator) shuffle(pl *plan, p *phrase, subject, object int) Reason {
	a, b := &p.subject, &p.object
	i, j, ok := g.exchangeable(a, b)
	if !ok {
		return ReasonDimension
	}
	x, y := a.attributes[i], b.attributes[j]
	a.attributes[i], b.attributes[j] = y, x
	if g.known.mayHave(object, x.is) || g.known.mayHave(subject, y.is) {
		return ReasonKnownGraph
	}
	claim := g.claims(pl)
	claim.traits = append(claim.traits, trait{a.noun, y.is.core, x.is.core}, trait{b.noun, x.is.core, y.is.core})
	if !g.keeps(a.noun, y.is) || !g.keeps(b.noun, x.is) {
		return ReasonImplausible
	}
	return noReason
}

// exchangeable finds an attribute of each that excludes the other's.
func (g *Generator) exchangeable(a, b *nounPhrase) (i, j int, ok bool) {
	for i := range a.n {
		for j := range b.n {
			x, y := &a.attributes[i], &b.attributes[j]
			if x.post == y.post && lexicon.ValuesExclude(x.is.core.values, y.is.core.values) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// category is that of a negative which changes something of a relation: f_obj where the sub-graph has
// one object.
func (p *phrase) category(ofRelation string) string {
	if p.relation != nil {
		return ofRelation
	}
	return schemas.CategoryObject
}

// replaceAttribute puts another attribute in the place of one.
func (g *Generator) replaceAttribute(pl *plan, p *phrase, subject, object int, r *random) {
	phrase, class := &p.subject, subject
	if pl.second {
		phrase, class = &p.object, object
	}
	slot := &g.slots[pl.slot]
	if !phrase.plural && g.known.several[class] {
		g.drop(pl, slot.text, ReasonKnownGraph)
		return
	}
	place := attributeAt(phrase, slot.text)
	if place == nil {
		return
	}
	g.try(pl, r, func(chosen choice) Reason {
		p := chosen.of.properties[chosen.at].core
		if saysAlready(phrase, place, p.text) {
			return ReasonGrammar
		}
		if g.known.mayHave(class, p) {
			return ReasonKnownGraph
		}
		if !g.filtered.goesWith(phrase.noun, chosen) {
			return ReasonImplausible
		}
		claim := g.claims(pl)
		claim.traits = append(claim.traits, trait{phrase.noun, p, g.words.property(slot.text).core})
		place.is = g.words.reprefixed(slot.text, p)
		return noReason
	}, func() bool {
		return g.emitPhrase(pl, p, schemas.ChangedAttribute, p.category(schemas.CategoryAttribute))
	})
}

// saysAlready holds where another attribute of the noun phrase is the word, as in
// "black and black".
func saysAlready(n *nounPhrase, but *attribute, word string) bool {
	for i := range n.n {
		if a := &n.attributes[i]; a != but && contains(a.is.text, word) {
			return true
		}
	}
	return contains(n.noun.key, word)
}

// attributeAt is the place in a noun phrase of an attribute.
func attributeAt(n *nounPhrase, text string) *attribute {
	for i := range n.n {
		if n.attributes[i].is.text == text {
			return &n.attributes[i]
		}
	}
	return nil
}

// reprefixed gives p the preposition that the attribute it replaces begins with.
func (w *words) reprefixed(attribute string, p *property) *property {
	c := core(attribute)
	if len(c) == len(attribute) {
		return p
	}
	return w.property(attribute[:len(attribute)-len(c)] + p.text)
}

// replaceObject puts another object in the place of one: f_rel.
func (g *Generator) replaceObject(pl *plan, p *phrase, r *random) {
	phrase, other := &p.subject, &p.object
	if pl.second {
		phrase, other = other, phrase
	}
	original, slot := phrase.noun, &g.slots[pl.slot]
	before, last := lastWords(phrase.quantity)
	amount := !phrase.plural && isAmount(before, last)
	g.try(pl, r, func(c choice) Reason {
		n := g.filtered.noun(c)
		if reason := g.objectFits(n, original, phrase.plural); reason != noReason {
			return reason
		}
		if p.relation != nil && sameThing(n, other.noun) {
			return ReasonSynonym
		}
		if !herded(phrase.quantity, n) {
			return ReasonImplausible
		}
		if amount && n.usage.countable() {
			return ReasonGrammar // "some sink"
		}
		if slot.anyway(n) {
			return ReasonKnownGraph
		}
		if phrase.article == noArticle && phrase.quantity == "" && !phrase.plural && p.relation != nil && ofWhat(p.relation, pl.second) && articleAnew(n) != noArticle {
			return ReasonGrammar // "a plate of a cup"
		}
		for i := range phrase.n {
			if !g.keepsOf(original, n, phrase.attributes[i].is) {
				return ReasonImplausible
			}
		}
		if g.already(slot, n) {
			return ReasonKnownGraph
		}
		claim := g.claims(pl)
		claim.was, claim.is = original, n
		if p.relation != nil {
			claim.relates(n, other.noun, p.relation, pl.second)
		}
		for i := range phrase.n {
			claim.traits = append(claim.traits, trait{n, phrase.attributes[i].is, nil})
		}
		claim.settled = p.relation == nil && ofOneSort(original, n)
		phrase.replace(n)
		return noReason
	}, func() bool {
		return g.emitPhrase(pl, p, schemas.ChangedObject, p.category(schemas.CategoryRelation))
	})
}

// replaceRelation puts another relation in the place of one: f_rel.
func (g *Generator) replaceRelation(pl *plan, p *phrase, subject, object int, r *random) {
	original := p.relation
	g.try(pl, r, func(c choice) Reason {
		rel := c.of.relations[c.at]
		if !g.does(p.subject.noun, rel) && !(c.of.opposite && g.vocab.attested.does(p.subject.noun, rel)) {
			return ReasonImplausible
		}
		if c.of.opposite && !g.vocab.attested.mayStand(p.subject.noun, p.object.noun, rel) {
			return ReasonImplausible
		}
		if (rel.place == on || rel.place == in) && rel.misplaced.has(g.words.vocab.headID(p.object.noun.key)) {
			return ReasonImplausible // "on a spoon"
		}
		if g.alsoHolds(p.subject.noun, p.object.noun, subject, object, original, rel) {
			return ReasonKnownGraph
		}
		p.relation = rel
		claim := g.claims(pl)
		claim.facts = append(claim.facts, fact{p.subject.noun, p.object.noun, rel, original, false})
		return noReason
	}, func() bool {
		return g.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// alsoHolds holds where a relation of x to y may be true of the image along with the one that
// it came for; subject and object are their classes.
func (g *Generator) alsoHolds(x, y *noun, subject, object int, was, is *relation) bool {
	return y.unbounded(was.place, is.place) || alikeStill(x, was.verb, is.verb) ||
		is.verb != "" && !contains(postures, is.verb) && g.known.lemmas.has(is.does.hash) ||
		g.known.mayRelate(g.words, subject, object, is, was, x.kind.actor())
}

// does holds where the corpus has a relation of such a subject. Where it has no
// verb, or need not be plausible, it may also say too little of the subject to
// tell.
func (g *Generator) does(subject *noun, r *relation) bool {
	if g.filtered.plausible && r.verb != "" {
		return has(subject.relations, r.key)
	}
	return occurs(subject.relations, r.key)
}

// occurs holds where a list has a word, or says too little to tell.
func occurs(list []Candidate, word string) bool {
	return len(list) < few || has(list, word)
}

func has(list []Candidate, word string) bool {
	for i := range list {
		if list[i].Text == word {
			return true
		}
	}
	return false
}

// combine replaces the relation and swaps the objects.
func (g *Generator) combine(pl *plan, p *phrase, r *random) {
	p.subject, p.object = p.object, p.subject
	g.try(pl, r, func(c choice) Reason {
		p.relation = c.of.relations[c.at]
		return noReason
	}, func() bool {
		return g.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
	})
}

// join connects the sub-graph with another object of the corpus, which has an
// attribute of the corpus, through another relation.
func (g *Generator) join(pl *plan, p *phrase, r *random) {
	objects := g.words.vocab.list(CountObject)
	if len(objects) == 0 {
		g.drop(pl, "", ReasonNoCandidates)
		return
	}
	var joined nounPhrase
	relation := ""
	g.try(pl, r, func(c choice) Reason {
		n := g.words.noun(pick(r, objects))
		if reason := g.objectFits(n, p.object.noun, false); reason != noReason {
			return reason
		}
		relation, joined = c.text(), nounPhrase{noun: n, article: articleAnew(n)}
		if list := n.word.attributes.list; len(list) > 0 {
			joined.attributes[0], joined.n = attribute{is: g.words.property(core(pick(r, list)))}, 1
		}
		return noReason
	}, func() bool {
		said, ok := g.inWords(pl.said, p)
		if !ok {
			g.dropPhrase(pl, p, ReasonGrammar)
			return false
		}
		g.text = append(appendPhrase(g.text[:0], said), ' ')
		g.text = append(append(g.text, relation...), ' ')
		g.text = appendNounPhrase(g.text, &joined, false)
		return g.emitText(pl, schemas.ChangedJoin, schemas.CategoryRelation)
	})
}
