package negatives

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/slots"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// planFills plans the replacement of each adjective, number, action and object.
func (g *Generator) planFills(c *Caption, base plan) {
	w := g.caption
	noun := ""
	for i := range w.tokens {
		if !w.hasTag(i, nouns|proper|verbs|tagJJ|tagCD) {
			continue
		}
		t := &w.tokens[i]
		slot := slot{text: w.lower[i], caption: w, first: int32(i), last: int32(i)}
		base.a, base.b = i, i
		switch {
		case w.hasTag(i, tagJJ) && w.isInName(i): // "hot" of "hot dog"
		case w.hasTag(i, tagJJ) && g.enabled[methods.FillAttribute]:
			head := w.headAfter(i)
			if head < 0 {
				continue
			}
			base.method, base.b = methods.FillAttribute, head
			of := w.nounAt(head, head)
			slot.kind, slot.id, slot.head, slot.of = slots.Attribute, g.dict.words.Property(slot.text).Id, of.Word, of.Kind
			g.addPlan(base, &slot)
		case w.hasTag(i, tagCD) && g.enabled[methods.FillQuantity] && w.headAfter(i) >= 0 && len(g.dict.words.Lexicon.Values(w.lower[i])) > 0:
			base.method, base.b = methods.FillQuantity, w.headAfter(i)
			slot.kind, slot.id, slot.head = slots.Quantity, g.dict.words.Property(slot.text).Id, w.nounAt(base.b, base.b).Word
			g.addPlan(base, &slot)
		case grammar.IsAction(t) && (w.isAttributive(i) || !w.isVerbal(i)):
		case grammar.IsAction(t) && g.enabled[methods.FillAction]:
			base.method = methods.FillAction
			slot.kind, slot.before, slot.complement = slots.Action, noun, grammar.Complement(w.tokens, w.lower, i)
			slot.id, slot.of = g.dict.words.Action(slot.text).Id, g.dict.words.Noun(noun).Kind
			g.addPlan(base, &slot)
		case w.hasTag(i, nouns|proper):
			first, last, named := g.objectAt(c, base.caption, i)
			if last != i {
				continue
			}
			noun = t.Lemma
			if slot.noun = w.nounAt(first, last); !g.enabled[methods.FillObject] || named || slot.noun.Name || slot.noun.Vague || w.isOneOfList(first, last) {
				continue
			}
			base.method, base.a, base.b = methods.FillObject, first, last
			slot.kind, slot.text, slot.of, slot.first, slot.last = slots.Object, slot.noun.Key, slot.noun.Kind, int32(first), int32(last)
			g.findRelationOf(c, base.caption, last, &slot)
			g.addPlan(base, &slot)
		}
	}
}

// objectAt is the object whose name the noun at i ends, and whether the caption names it: where the graph
// does not say where its objects stand, the last of the nouns that stand together. Its last token is another where i
// ends none.
func (g *Generator) objectAt(c *Caption, caption, i int) (first, last int, named bool) {
	w := g.caption
	if o := objectEnding(&c.Graph, w.tokens[i].End); o >= 0 && (!w.hasTag(i+1, nouns|proper) || w.isTitle()) {
		return w.nameBegin(i, i), i, g.facts.objectAt(caption, o).Name
	}
	placed := slices.ContainsFunc(c.Graph.Objects, func(o schemas.Object) bool { return o.End >= 0 })
	if placed || w.hasTag(i, proper) || w.hasTag(i+1, nouns|proper) {
		return i, noSlot, false
	}
	for first = i; w.hasTag(first-1, nouns); {
		first--
	}
	return first, i, w.hasTag(first-1, proper)
}

// fitsCaption reports whether a choice for an object goes with all that its caption says
// of it.
func (g *Generator) fitsCaption(gr *schemas.SceneGraph, pl *plan, c words.Choice) bool {
	s := g.slots[pl.slot]
	i := objectEnding(gr, g.caption.tokens[pl.b].End)
	if i < 0 {
		return true
	}
	first := g.facts.objectAt(pl.caption, i).attributes
	for _, a := range g.facts.attributes[first : first+len(gr.Objects[i].Attributes)] {
		if !g.dict.attributeAppliesTo(s.noun, g.dict.filter.nounOf(c), a.is) {
			return false
		}
	}
	for j := range gr.Relations {
		if r := &gr.Relations[j]; r.Object == i || r.Subject == i {
			g.facts.setRelation(gr, pl.caption, j, i, &s)
			if fitting := g.dict.filter.fitting(&s); !fitting.any && !fitting.fits(c.Of.Things[c.At]) {
				return false
			}
		}
	}
	return true
}

func (g *Generator) fillAttribute(pl *plan, r *random) {
	w := g.caption
	slot := &g.slots[pl.slot]
	head := w.nounAt(pl.b, pl.b)
	class := g.facts.classOf(head)
	if slot.kind == slots.Quantity && !w.hasTag(pl.b, tagNNS) {
		g.sink.drop(pl, slot.text, ReasonGrammar)
		return
	}
	if slot.kind == slots.Attribute && class >= 0 && g.facts.several[class] && !w.hasTag(pl.b, tagNNS) {
		g.sink.drop(pl, slot.text, ReasonKnownGraph)
		return
	}
	word := ""
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		if slot.kind == slots.Attribute && class >= 0 && g.facts.mayHave(class, c.Of.Properties[c.At].Core) {
			return ReasonKnownGraph
		}
		if slot.kind == slots.Attribute && !g.dict.filter.mayHaveAttribute(head, c) {
			return ReasonImplausible
		}
		if claim := g.sink.judge.newClaim(pl); slot.kind == slots.Attribute {
			claim.Traits = append(claim.Traits, plausible.Trait{Noun: head, Is: c.Of.Properties[c.At].Core, Was: g.dict.words.Property(slot.text).Core})
		}
		if word = words.Core(c.Text()); w.hasNear(pl.a, word) {
			return ReasonGrammar
		}
		return noReason
	}, func() bool { return g.sink.emitSplices(pl, schemas.ChangedAttribute, splice{pl.a, pl.a, word}) })
}

func (g *Generator) fillObject(gr *schemas.SceneGraph, pl *plan, r *random) {
	w := g.caption
	slot := &g.slots[pl.slot]
	plural := w.hasTag(pl.b, tagNNS|tagNNPS)
	word := ""
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		n := g.dict.filter.nounOf(c)
		if plural { // words of a context are inflected
			n = g.dict.words.Singular(n)
		}
		if reason := g.facts.objectFits(n, slot.noun, plural); reason != noReason {
			return reason
		}
		if !g.caption.fitsArticle(pl.a, pl.b, n) {
			return ReasonGrammar
		}
		if i := pl.a; g.caption.isCounted(run{i, i, pl.b}) && !quantifierFits(g.caption.tokens[i-2].Lemma, n) {
			return ReasonImplausible
		}
		if slot.isTrueRegardless(n) {
			return ReasonKnownGraph
		}
		if w.contradictsPronoun(n, slot.noun) {
			return ReasonGrammar
		}
		if !g.fitsCaption(gr, pl, c) {
			return ReasonImplausible
		}
		g.claimObject(gr, pl, n)
		if g.dict.isLikelyAlsoTrue(slot, n) {
			return ReasonKnownGraph
		}
		word = n.Key
		if plural {
			word = n.Many
		}
		return noReason
	}, func() bool { return g.sink.emitSplices(pl, schemas.ChangedObject, splice{pl.a, pl.b, word}) })
}

// contradictsPronoun reports whether a pronoun tells the sex of a noun and another that stands for it is of
// the other, or a thing: "a man with her phone".
func (w *captionWords) contradictsPronoun(n, original *words.Noun) bool {
	return original.Sex != 0 && n.Sex != original.Sex && w.hasPronounOf(original.Sex) && (n.Sex != 0 || !n.Alive())
}

// hasPronounOf reports whether a pronoun of the sex is in the caption.
func (w *captionWords) hasPronounOf(sex byte) bool {
	list := " his him he himself "
	if sex == 'f' {
		list = " her hers she herself "
	}
	return slices.ContainsFunc(w.lower, func(word string) bool { return wordclass.Has(list, word) })
}

// fitsArticle reports whether a noun can stand at tokens first to last as to its
// article: no "a snow", and no bare "dog".
func (w *captionWords) fitsArticle(first, last int, n *words.Noun) bool {
	if w.hasTag(last, tagNNS|tagNNPS) {
		return n.Usage.Pluralises()
	}
	i := first - 1
	for w.hasTag(i, tagJJ|tagVBN|tagVBG|tagCD) {
		i--
	}
	switch {
	case w.hasTag(i, tagDT) && (w.lower[i] == "a" || w.lower[i] == "an"):
		return n.Usage.Countable()
	case i == 0 && grammar.IsAmount("", w.lower[i]), i > 0 && grammar.IsAmount(w.tokens[i-1].Lemma, w.lower[i]):
		return !n.Usage.Countable()
	case w.hasTag(i, tagDT|tagPRPS|tagPOS|tagWPS):
		return true
	}
	return n.Usage.Mass() || n.Usage == vocabulary.Uses{} || !w.nounAt(first, last).Usage.Mass() && !w.hasTag(i, tagIN|tagTO)
}
