package negatives

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// planCaption plans the edits of the caption itself: NegCLIP's swaps and
// CE-CLIP's replacements.
func (g *Generator) planCaption(img *Image, caption int) {
	c := &img.Captions[caption]
	if len(c.Tokens) == 0 {
		return
	}
	g.caption = &g.captions[caption]
	g.caption.read(c, g.known.objects[g.known.first[caption]:])
	base := plan{caption: caption, slot: noSlot}
	g.planFills(c, base)
	for _, m := range []Method{SwapAdjectives, SwapNouns, SwapAdverbs, SwapVerbPhrases} {
		if g.enabled[m] || m == SwapNouns && g.enabled[SwapNounPhrases] {
			base.method = m
			g.plans = append(g.plans, base)
		}
	}
}

// planFills plans the replacement of each adjective, number, action and object.
func (g *Generator) planFills(c *Caption, base plan) {
	w := g.caption
	noun := ""
	for i := range w.tokens {
		if !w.is(i, nouns|proper|verbs|tagJJ|tagCD) {
			continue
		}
		t := &w.tokens[i]
		slot := slot{text: w.lower[i], caption: w, first: int32(i), last: int32(i)}
		base.a, base.b = i, i
		switch {
		case w.is(i, tagJJ) && w.inName(i): // "hot" of "hot dog"
		case w.is(i, tagJJ) && g.enabled[FillAttribute]:
			head := w.headAfter(i)
			if head < 0 {
				continue
			}
			base.method, base.b = FillAttribute, head
			of := w.noun(g.words, head, head)
			slot.kind, slot.id, slot.head, slot.of = SlotAttribute, g.words.property(slot.text).id, of.word, of.kind
			g.add(base, &slot)
		case w.is(i, tagCD) && g.enabled[FillQuantity] && w.headAfter(i) >= 0 && len(g.words.lexicon.Values(w.lower[i])) > 0:
			base.method, base.b = FillQuantity, w.headAfter(i)
			slot.kind, slot.id, slot.head = SlotQuantity, g.words.property(slot.text).id, w.noun(g.words, base.b, base.b).word
			g.add(base, &slot)
		case isAction(t) && (w.attributive(i) || !w.verbal(i)):
		case isAction(t) && g.enabled[FillAction]:
			base.method = FillAction
			slot.kind, slot.before, slot.complement = SlotAction, noun, complement(w.tokens, w.lower, i)
			slot.id, slot.of = g.words.action(slot.text).id, g.words.noun(noun).kind
			g.add(base, &slot)
		case w.is(i, nouns|proper):
			first, last, named := g.objectAt(c, base.caption, i)
			if last != i {
				continue
			}
			noun = t.Lemma
			if slot.noun = w.noun(g.words, first, last); !g.enabled[FillObject] || named || slot.noun.name || slot.noun.vague || w.exemplary(first, last) {
				continue
			}
			base.method, base.a, base.b = FillObject, first, last
			slot.kind, slot.text, slot.of, slot.first, slot.last = SlotObject, slot.noun.key, slot.noun.kind, int32(first), int32(last)
			g.context(c, base.caption, last, &slot)
			g.add(base, &slot)
		}
	}
}

// objectAt is the object whose name the noun at i ends, and whether the caption names it: where the graph
// does not say where its objects stand, the last of the nouns that stand together. Its last token is another where i
// ends none.
func (g *Generator) objectAt(c *Caption, caption, i int) (first, last int, named bool) {
	w := g.caption
	if o := objectEnding(&c.Graph, w.tokens[i].End); o >= 0 && (!w.is(i+1, nouns|proper) || w.titled()) {
		return w.nameBegin(i, i), i, g.known.object(caption, o).name
	}
	placed := slices.ContainsFunc(c.Graph.Objects, func(o schemas.Object) bool { return o.End >= 0 })
	if placed || w.is(i, proper) || w.is(i+1, nouns|proper) {
		return i, noSlot, false
	}
	for first = i; w.is(first-1, nouns); {
		first--
	}
	return first, i, w.is(first-1, proper)
}

// exemplary holds for a noun at tokens first to last that is said along with others of its
// kind: each of "fries and a few other dishes".
func (w *captionWords) exemplary(first, last int) bool {
	if wordBefore(w.lower, first) == "other" {
		return true
	}
	if !w.is(last+1, tagCC) {
		return false
	}
	for i := last + 2; w.is(i, tagDT|tagJJ|tagCD); i++ {
		if w.lower[i] == "other" {
			return true
		}
	}
	return false
}

// context says which relation the object that ends at token last stands in.
func (g *Generator) context(c *Caption, caption, last int, s *slot) {
	gr := &c.Graph
	i := objectEnding(gr, g.caption.tokens[last].End)
	for j := range gr.Relations {
		if r := &gr.Relations[j]; i >= 0 && (r.Object == i || r.Subject == i && s.relation == nil) {
			g.stand(gr, caption, j, i, s)
			if r.Object == i {
				return
			}
		}
	}
}

// objectEnding is the object that ends there, −1 where none does.
func objectEnding(gr *schemas.SceneGraph, end int32) int32 {
	for i := range gr.Objects {
		if gr.Objects[i].End == end {
			return int32(i)
		}
	}
	return -1
}

// stand puts an object's slot into a relation.
func (g *Generator) stand(gr *schemas.SceneGraph, caption, relation int, object int32, s *slot) {
	r := &gr.Relations[relation]
	other := r.Object
	if s.object = r.Object == object; s.object {
		other = r.Subject
	}
	s.relation, s.other = g.known.relation(caption, int32(relation)), g.known.object(caption, other).noun
}

// suitsAll holds where a choice for an object goes with all that its caption says
// of it.
func (g *Generator) suitsAll(gr *schemas.SceneGraph, pl *plan, c choice) bool {
	s := g.slots[pl.slot]
	i := objectEnding(gr, g.caption.tokens[pl.b].End)
	if i < 0 {
		return true
	}
	first := g.known.object(pl.caption, i).attributes
	for _, a := range g.known.attributes[first : first+len(gr.Objects[i].Attributes)] {
		if !g.keepsOf(s.noun, g.filtered.noun(c), a.is) {
			return false
		}
	}
	for j := range gr.Relations {
		if r := &gr.Relations[j]; r.Object == i || r.Subject == i {
			g.stand(gr, pl.caption, j, i, &s)
			if fitting := g.filtered.fitting(&s); !fitting.any && !fitting.suits(c.of.things[c.at]) {
				return false
			}
		}
	}
	return true
}

// attributive holds for a participle before its noun: "a bucking horse", "a tree
// lined street".
func (w *captionWords) attributive(i int) bool {
	return w.is(i, tagVBN) && w.is(i+1, nouns|tagJJ) ||
		w.is(i, tagVBG|tagVBN) && w.is(i-1, tagDT|tagJJ|tagPRPS|tagCD) && w.is(i+1, nouns|tagJJ)
}

// verbal is false for a participle that is a noun ("covered with writing") or
// says how something is ("looking bored").
func (w *captionWords) verbal(i int) bool {
	switch {
	case w.is(i, tagVBG):
		return !w.is(i-1, tagIN) || !contains(" of with ", w.lower[i-1]) || w.objectFollows(i)
	case w.is(i, tagVBN):
		before := i - 1
		for w.is(before, tagRB|tagRP) {
			before--
		}
		return !w.is(before, verbs) || !isAction(&w.tokens[before]) || w.tokens[before].Lemma == "get"
	}
	return true
}

// near holds where a word stands no further than two words from i.
func (w *captionWords) near(i int, word string) bool {
	for j := max(0, i-2); j <= min(i+2, len(w.lower)-1); j++ {
		if j != i && w.lower[j] == word {
			return true
		}
	}
	return false
}

// runEnd is the last of the noun tokens from i on: "tennis racket" is one word.
func (w *captionWords) runEnd(i int) int {
	for w.is(i+1, nouns|tagNNP|tagNNPS) {
		i++
	}
	return i
}

// inName holds for a word of an object's name before its last.
func (w *captionWords) inName(i int) bool {
	t := &w.tokens[i]
	return slices.ContainsFunc(w.objects, func(o schemas.Object) bool { return o.Begin <= t.Begin && t.End < o.End })
}

// nameBegin is the first token of the name of the object that the nouns at tokens
// first to last end: it may begin with an adjective.
func (w *captionWords) nameBegin(first, last int) int {
	for _, o := range w.objects {
		if o.End == w.tokens[last].End {
			for first > 0 && w.tokens[first-1].Begin >= o.Begin && o.Begin >= 0 {
				first--
			}
		}
	}
	return first
}

// headAfter is the noun that a modifier at i belongs to, −1 where there is none.
func (w *captionWords) headAfter(i int) int {
	for j := i + 1; j < len(w.tokens); j++ {
		switch {
		case w.is(j, nouns):
			return w.runEnd(j)
		case !w.is(j, tagJJ|tagCC|tagComma|tagVBN|tagVBG|tagCD|tagRB):
			return -1
		}
	}
	return -1
}

// key is the singular name of the nouns at tokens first to last.
func (w *captionWords) key(first, last int) string {
	lemma := w.tokens[last].Lemma
	if first == last {
		return lemma
	}
	return strings.ToLower(w.text[w.tokens[first].Begin:w.tokens[last].Begin]) + lemma
}

// editCaption makes the negatives of one plan.
func (g *Generator) editCaption(img *Image, pl *plan, r *random) {
	switch pl.method {
	case SwapNouns, SwapNounPhrases: // of which it makes the one or the other
		g.swapNouns(&img.Captions[pl.caption].Graph, pl, r)
	case SwapAdjectives:
		g.swapWords(pl, r, tagJJ)
	case SwapAdverbs:
		g.swapWords(pl, r, tagRB)
	case SwapVerbPhrases:
		g.swapVerbs(pl, r)
	case FillAttribute, FillQuantity:
		g.fillAttribute(pl, r)
	case FillAction:
		g.fillAction(pl, r)
	case FillObject:
		g.fillObject(&img.Captions[pl.caption].Graph, pl, r)
	}
}

// emitSplices makes a negative of the caption. It says whether it did.
func (g *Generator) emitSplices(pl *plan, changed string, s ...splice) bool {
	pl.sentence = sentenceAt(g.caption.tokens, g.caption.tokens[s[0].first].Begin)
	g.text = g.caption.apply(g.text[:0], s)
	if g.caption.doubled(s) {
		g.drop(pl, view(g.text), ReasonGrammar)
		return false
	}
	return g.emit(pl, changed, schemas.CategoryNone)
}

func (g *Generator) fillAttribute(pl *plan, r *random) {
	w := g.caption
	slot := &g.slots[pl.slot]
	head := w.noun(g.words, pl.b, pl.b)
	class := g.known.classOf(head)
	if slot.kind == SlotQuantity && !w.is(pl.b, tagNNS) {
		g.drop(pl, slot.text, ReasonGrammar)
		return
	}
	if slot.kind == SlotAttribute && class >= 0 && g.known.several[class] && !w.is(pl.b, tagNNS) {
		g.drop(pl, slot.text, ReasonKnownGraph)
		return
	}
	word := ""
	g.try(pl, r, func(c choice) Reason {
		if slot.kind == SlotAttribute && class >= 0 && g.known.mayHave(class, c.of.properties[c.at].core) {
			return ReasonKnownGraph
		}
		if slot.kind == SlotAttribute && !g.filtered.goesWith(head, c) {
			return ReasonImplausible
		}
		if claim := g.claims(pl); slot.kind == SlotAttribute {
			claim.traits = append(claim.traits, trait{head, c.of.properties[c.at].core, g.words.property(slot.text).core})
		}
		if word = core(c.text()); w.near(pl.a, word) {
			return ReasonGrammar
		}
		return noReason
	}, func() bool { return g.emitSplices(pl, schemas.ChangedAttribute, splice{pl.a, pl.a, word}) })
}

func (g *Generator) fillObject(gr *schemas.SceneGraph, pl *plan, r *random) {
	w := g.caption
	slot := &g.slots[pl.slot]
	plural := w.is(pl.b, tagNNS|tagNNPS)
	word := ""
	g.try(pl, r, func(c choice) Reason {
		n := g.filtered.noun(c)
		if plural { // words of a context are inflected
			n = g.words.singular(n)
		}
		if reason := g.objectFits(n, slot.noun, plural); reason != noReason {
			return reason
		}
		if !g.slotTakes(pl.a, pl.b, n) {
			return ReasonGrammar
		}
		if i := pl.a; g.caption.counted(run{i, i, pl.b}) && !herded(g.caption.tokens[i-2].Lemma, n) {
			return ReasonImplausible
		}
		if slot.anyway(n) {
			return ReasonKnownGraph
		}
		if w.deniesSex(n, slot.noun) {
			return ReasonGrammar
		}
		if !g.suitsAll(gr, pl, c) {
			return ReasonImplausible
		}
		g.claimsObject(gr, pl, n)
		if g.already(slot, n) {
			return ReasonKnownGraph
		}
		word = n.key
		if plural {
			word = n.many
		}
		return noReason
	}, func() bool { return g.emitSplices(pl, schemas.ChangedObject, splice{pl.a, pl.b, word}) })
}

// deniesSex holds where a pronoun tells the sex of a noun and another that stands for it is of
// the other, or a thing: "a man with her phone".
func (w *captionWords) deniesSex(n, original *noun) bool {
	return original.sex != 0 && n.sex != original.sex && w.saysSex(original.sex) && (n.sex != 0 || !n.alive())
}

// saysSex holds where a pronoun of the sex is in the caption.
func (w *captionWords) saysSex(sex byte) bool {
	list := " his him he himself "
	if sex == 'f' {
		list = " her hers she herself "
	}
	return slices.ContainsFunc(w.lower, func(word string) bool { return contains(list, word) })
}

// slotTakes holds where a noun can stand at tokens first to last as to its
// article: no "a snow", and no bare "dog".
func (g *Generator) slotTakes(first, last int, n *noun) bool {
	w := g.caption
	if w.is(last, tagNNS|tagNNPS) {
		return n.usage.pluralises()
	}
	i := first - 1
	for w.is(i, tagJJ|tagVBN|tagVBG|tagCD) {
		i--
	}
	switch {
	case w.is(i, tagDT) && (w.lower[i] == "a" || w.lower[i] == "an"):
		return n.usage.countable()
	case i == 0 && isAmount("", w.lower[i]), i > 0 && isAmount(w.tokens[i-1].Lemma, w.lower[i]):
		return !n.usage.countable()
	case w.is(i, tagDT|tagPRPS|tagPOS|tagWPS):
		return true
	}
	return n.usage.mass() || n.usage == usage{} || !w.noun(g.words, first, last).usage.mass() && !w.is(i, tagIN|tagTO)
}
