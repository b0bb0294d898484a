package negatives

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// planWordFills plans the replacements of single words in the caption itself: adjectives, numbers, actions and objects.
func planWordFills(job *captionJob, base plan) {
	w := &job.words
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
		case w.hasTag(i, tagJJ) && job.enabled[methods.FillAttribute]:
			head := w.headAfter(i)
			if head < 0 {
				continue
			}
			base.method, base.b = methods.FillAttribute, head
			of := w.nounAt(head, head)
			slot.kind, slot.id, slot.head, slot.of = slots.Attribute, job.dict.words.Property(slot.text).Id, of.Word, of.Kind
			job.addPlan(base, &slot)
		case w.hasTag(i, tagCD) && job.enabled[methods.FillQuantity] && w.headAfter(i) >= 0 && len(job.dict.words.Lexicon.Values(w.lower[i])) > 0:
			if base.method, base.b = methods.FillQuantity, w.headAfter(i); job.dict.filter.plausible && (!w.nounAt(base.b, base.b).IsCounted() || !w.countsAt(i)) {
				continue
			}
			slot.kind, slot.id, slot.head = slots.Quantity, job.dict.words.Property(slot.text).Id, w.nounAt(base.b, base.b).Word
			job.addPlan(base, &slot)
		case grammar.IsAction(t) && (w.isAttributive(i) || !w.isVerbal(i)):
		case grammar.IsAction(t) && job.enabled[methods.FillAction]:
			base.method = methods.FillAction
			slot.kind, slot.before, slot.complement = slots.Action, noun, grammar.Complement(w.tokens, w.lower, i)
			slot.id, slot.of = job.dict.words.Action(slot.text).Id, job.dict.words.Noun(noun).Kind
			job.addPlan(base, &slot)
		case w.hasTag(i, nouns|proper):
			first, last, named := objectNamedAt(job, i)
			if last != i {
				continue
			}
			noun = t.Lemma
			if slot.noun = w.nounAt(first, last); !job.enabled[methods.FillObject] || named || slot.noun.Name || slot.noun.Vague || w.isOneOfList(first, last) || job.dict.filter.plausible && w.isTitle() && len(w.tokens) > longestTitle {
				continue
			}
			base.method, base.a, base.b = methods.FillObject, first, last
			slot.kind, slot.text, slot.of, slot.first, slot.last = slots.Object, slot.noun.Key, slot.noun.Kind, int32(first), int32(last)
			findRelationOf(job, last, &slot)
			if slot.relation == nil && w.isGoverned(first) {
				continue
			}
			job.addPlan(base, &slot)
		}
	}
}

// longestTitle is the most words of a title whose noun is replaced. The words of a longer title fit
// its own noun only: "Gray Wool Felt with Grosgrain Trim Fedora Hat".
const longestTitle = 5

// isGoverned reports whether a verb or a preposition is before the noun phrase of the noun at i, as in "to skip the
// climb". If the graph has no such relation, nothing is known of what fits there.
func (w *captionWords) isGoverned(i int) bool {
	for i--; w.hasTag(i, tagDT|tagPRPS|tagJJ|tagJJR|tagJJS|tagCD); i-- {
	}
	return w.hasTag(i, tagIN|tagTO|verbs) && !w.followsQuantifier(run{i + 1, i + 1, i + 1}) // "lots of bread"
}

// objectNamedAt returns the tokens of the object name whose last token is i, and whether it is a proper name. If the
// graph has no offsets, the name is the run of nouns. last is noSlot if no name ends at i.
func objectNamedAt(job *captionJob, i int) (first, last int, named bool) {
	c, w := job.caption, &job.words
	if o := objectEndingAt(&c.Graph, w.tokens[i].End); o >= 0 && (!w.hasTag(i+1, nouns|proper) || w.isTitle()) {
		return w.nameBegin(i, i), i, job.objectAt(o).Name
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

// fitsCaption reports whether a candidate for an object fits all the attributes and relations that the caption gives
// the object.
func fitsCaption(job *captionJob, pl *plan, c choice) bool {
	gr := &job.caption.Graph
	s := job.slots[pl.slot]
	i := objectEndingAt(gr, job.words.tokens[pl.b].End)
	if i < 0 {
		return true
	}
	first := job.objectAt(i).attributes
	for _, a := range job.facts.attributes[first : first+len(gr.Objects[i].Attributes)] {
		if !job.dict.attributeAppliesTo(s.noun, job.dict.filter.nounOf(c), a.is) {
			return false
		}
	}
	for j := range gr.Relations {
		if r := &gr.Relations[j]; r.Object == i || r.Subject == i {
			job.setRelation(j, i, &s)
			if fitting := job.dict.filter.fitting(&s); !fitting.any && !fitting.fits(c.thing()) {
				return false
			}
		}
	}
	return true
}

func fillAttribute(job *captionJob, pl *plan) {
	w := &job.words
	slot := &job.slots[pl.slot]
	head := w.nounAt(pl.b, pl.b)
	class := job.facts.classOf(head)
	if slot.kind == slots.Quantity && !w.hasTag(pl.b, tagNNS) {
		job.sink.drop(pl, slot.text, ReasonGrammar)
		return
	}
	if slot.kind == slots.Attribute && class >= 0 && job.facts.several[class] && !w.hasTag(pl.b, tagNNS) {
		job.sink.drop(pl, slot.text, ReasonMayBeTrue)
		return
	}
	word := ""
	job.sample(pl, func(c choice) Reason {
		if slot.kind == slots.Attribute && class >= 0 && job.facts.mayHave(class, c.property().Core) {
			return ReasonMayBeTrue
		}
		if slot.kind == slots.Attribute && !job.dict.filter.mayHaveAttribute(head, c) {
			return ReasonImplausible
		}
		if slot.kind == slots.Attribute && (w.clashes(pl.a, pl.a, pl.b, c.property().Core) || job.clashesAround(job.objectOfFill(pl), unchanged, job.dict.words.Property(slot.text).Core, c.property().Core)) {
			return ReasonDimension
		}
		if slot.kind == slots.Attribute && !head.IsSeen() { // "a plaid friendship"
			return ReasonImplausible
		}
		if claim := job.sink.judge.newClaim(pl); slot.kind == slots.Attribute {
			claim.Traits = append(claim.Traits, plausible.Trait{Noun: head, Is: c.property().Core, Was: job.dict.words.Property(slot.text).Core})
		}
		if word = words.Core(c.text()); w.hasNear(pl.a, word) {
			return ReasonGrammar
		}
		return noReason
	}, func() bool { return job.sink.emitSplices(pl, schemas.ChangedAttribute, splice{pl.a, pl.a, word}) })
}

func fillObject(job *captionJob, pl *plan) {
	word := ""
	job.sample(pl, func(c choice) (reason Reason) {
		if word, reason = checkFill(job, pl, c); reason == noReason {
			n := job.inNumberOf(pl, c)
			claimObject(job, pl, n)
			if job.dict.isLikelyAlsoTrue(&job.slots[pl.slot], n) {
				return ReasonMayBeTrue
			}
		}
		return reason
	}, func() bool { return job.sink.emitSplices(pl, schemas.ChangedObject, splice{pl.a, pl.b, word}) })
}

// objectOfFill returns the object of the caption that a plan replaces, or −1.
func (job *captionJob) objectOfFill(pl *plan) int32 {
	return objectEndingAt(&job.caption.Graph, job.words.tokens[pl.b].End)
}

// inNumberOf returns the noun of a candidate for the object that a plan replaces. A plural is turned into the singular.
func (job *captionJob) inNumberOf(pl *plan, c choice) *words.Noun {
	n := job.dict.filter.nounOf(c)
	if job.words.hasTag(pl.b, tagNNS|tagNNPS) { // candidates from n-grams are inflected
		n = job.dict.words.Singular(n)
	}
	return n
}

// checkFill returns the word of a candidate in the number of the object that a plan replaces. If the candidate cannot
// replace it, it returns the reason.
func checkFill(job *captionJob, pl *plan, c choice) (string, Reason) {
	w, slot, n := &job.words, &job.slots[pl.slot], job.inNumberOf(pl, c)
	plural := w.hasTag(pl.b, tagNNS|tagNNPS)
	if reason := job.facts.checkObject(n, slot.noun, plural); reason != noReason {
		return "", reason
	}
	switch counted := w.followsQuantifier(run{pl.a, pl.a, pl.b}); {
	case slot.noun.Kind == truth.Clothing && w.isOfAnimal(pl.a): // "its coat gleaming"
		return "", ReasonImplausible
	case job.dict.filter.plausible && len(job.caption.Graph.Relations) > 1 && n.Kind != slot.noun.Kind && !words.OfOneSort(n, slot.noun):
		return "", ReasonImplausible // what fits one relation need not fit the rest of the caption
	case !w.fitsArticle(pl.a, pl.b, n), w.contradictsPronoun(n, slot.noun):
		return "", ReasonGrammar
	case counted && !quantifierFits(w.tokens[pl.a-2].Lemma, n), !fitsCaption(job, pl, c):
		return "", ReasonImplausible
	case slot.isTrueRegardless(n), job.mayBeBeside(job.objectOfFill(pl), slot.relation, slot.object):
		return "", ReasonMayBeTrue
	case plural:
		return n.Many, noReason
	}
	return n.Key, noReason
}

// isOfAnimal reports whether the noun phrase at i follows a possessive of an animal or a thing: "its
// coat", "the horse's coat". Such a coat is no garment.
func (w *captionWords) isOfAnimal(i int) bool {
	for i--; w.hasTag(i, tagJJ|tagVBN|tagVBG|tagRB); i-- {
	}
	return i >= 0 && (w.lower[i] == "its" || w.hasTag(i, tagPOS) && w.hasTag(i-1, nouns) && w.nounAt(i-1, i-1).Kind != truth.People)
}

// lift is a candidate that replaced an object in a sub-graph, to be repeated in the caption.
type lift struct {
	object int32
	choice choice
}

// liftReplacements makes negatives of the caption, if it has none, from replacements in its sub-graphs. If "a camera"
// replaced "a printer" there, the caption becomes "A blender is sitting next to a camera."
func liftReplacements(job *captionJob) {
	if len(job.lifts) == 0 || !job.enabled[methods.FillObject] || len(job.sentences) > 0 ||
		slices.ContainsFunc(job.pool.Negatives, func(n schemas.HardNegative) bool { return n.Of == 0 }) {
		return
	}
	left := job.wanted
	for _, l := range job.lifts {
		for i := range job.plans {
			pl := &job.plans[i]
			if pl.method != methods.FillObject || objectEndingAt(&job.caption.Graph, job.words.tokens[pl.b].End) != l.object {
				continue
			}
			word, reason := checkFill(job, pl, l.choice)
			if reason != noReason {
				continue // it was dropped for the same reason before
			}
			claimObject(job, pl, job.inNumberOf(pl, l.choice))
			if job.sink.emitSplices(pl, schemas.ChangedObject, splice{pl.a, pl.b, word}) {
				left--
			}
			if left == 0 {
				return
			}
		}
	}
}

// contradictsPronoun reports whether a pronoun of the caption fits the original noun but not the one
// that replaces it: "a man with her phone".
func (w *captionWords) contradictsPronoun(n, original *words.Noun) bool {
	return original.Sex != 0 && n.Sex != original.Sex && w.hasPronounOf(original.Sex) && (n.Sex != 0 || !n.Alive())
}

// hasPronounOf reports whether the caption has a pronoun of a sex.
func (w *captionWords) hasPronounOf(sex byte) bool {
	list := " his him he himself "
	if sex == 'f' {
		list = " her hers she herself "
	}
	return slices.ContainsFunc(w.lower, func(word string) bool { return wordclass.Has(list, word) })
}

// fitsArticle reports whether noun n, in place of tokens first to last, fits the article before them, or the lack of
// one: not "a snow", and no "dog" without an article.
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

// findRelationOf sets in s a relation of the object that ends at token last, preferably one in which it is the object
// of the relation.
func findRelationOf(job *captionJob, last int, s *slot) {
	gr := &job.caption.Graph
	i := objectEndingAt(gr, job.words.tokens[last].End)
	for j := range gr.Relations {
		if r := &gr.Relations[j]; i >= 0 && (r.Object == i || r.Subject == i && s.relation == nil) {
			job.setRelation(j, i, s)
			if r.Object == i {
				return
			}
		}
	}
}

// objectEndingAt returns the object of the graph whose name ends at byte end of the caption, or −1.
func objectEndingAt(gr *schemas.SceneGraph, end int32) int32 {
	for i := range gr.Objects {
		if gr.Objects[i].End == end {
			return int32(i)
		}
	}
	return -1
}

// setRelation sets in s the relation of an object and the noun at its other end.
func (job *captionJob) setRelation(relation int, object int32, s *slot) {
	r := &job.caption.Graph.Relations[relation]
	other := r.Object
	if s.object = r.Object == object; s.object {
		other = r.Subject
	}
	s.relation, s.other = job.relationAt(int32(relation)), job.objectAt(other).Noun
}

// claimObject passes to the judge the claim that n, in place of the planned object, has all its attributes and
// relations.
func claimObject(job *captionJob, pl *plan, n *words.Noun) {
	gr := &job.caption.Graph
	c, s := job.sink.judge.newClaim(pl), job.slots[pl.slot]
	c.Was, c.Is = s.noun, n
	c.Settled = s.relation == nil && words.MayReplaceAlone(s.noun, n)
	i := objectEndingAt(gr, job.words.tokens[pl.b].End)
	if i < 0 {
		return
	}
	first := job.objectAt(i).attributes
	for _, a := range job.facts.attributes[first : first+len(gr.Objects[i].Attributes)] {
		c.Traits = append(c.Traits, plausible.Trait{Noun: n, Is: a.is, Was: nil})
	}
	for j := range gr.Relations {
		if r := &gr.Relations[j]; r.Object == i || r.Subject == i {
			job.setRelation(j, i, &s)
			c.AddFact(n, s.other, s.relation, s.object)
		}
	}
}
