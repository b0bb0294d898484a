package negatives

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/plausible"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// An exchange swaps statements about two things: "a red circle and a blue square" becomes "a blue circle and a red
// square". If the two attributes exclude each other, the result is false, so the judge of plausibility is not needed. A
// noun does not get an attribute that the corpus should have with it by chance but never has: a model would learn that
// such pairs occur in negatives only.

// modifier is an attribute before its noun: tokens first to last of the caption.
type modifier struct {
	object      int32
	first, last int
	is          *words.Property
	named       bool // part of the noun's name: "hot dog"
}

// findModifiers appends the attributes before nouns that can be exchanged to dst: each the only one of its dimension
// for its object.
func findModifiers(job *captionJob, dst []modifier) []modifier {
	gr, w := &job.caption.Graph, &job.words
	for i := range gr.Objects {
		o, known := &gr.Objects[i], job.objectAt(int32(i))
		if known.Name && known.Noun.Kind == truth.People {
			continue
		}
		for k := range o.Attributes {
			a, is := &o.Attributes[k], &job.facts.attributes[known.attributes+k]
			if a.Form != schemas.Pre || a.Text == "" || is.unsaid || !is.is.Stands || hasDimensionTwice(job, o, known, k) {
				continue
			}
			first, last, ok := w.findSpan(a)
			head := slices.IndexFunc(w.tokens, func(t schemas.Token) bool { return t.End == o.End })
			if ok && head > last && !w.hasTag(first, proper) && len(dst) < maxRuns {
				dst = append(dst, modifier{int32(i), first, last, is.is, w.isPartOfName(first, head)})
			}
		}
	}
	return dst
}

// hasDimensionTwice reports whether an object has another attribute of the same dimension as attribute k: "a black and
// white cat".
func hasDimensionTwice(job *captionJob, o *schemas.Object, known *knownObject, k int) bool {
	lex := job.dict.words.Lexicon
	values := job.facts.attributes[known.attributes+k].is.Core.Values
	for j := range o.Attributes {
		others := job.facts.attributes[known.attributes+j].is.Core.Values
		if j != k && len(values) > 0 && len(others) > 0 && lex.Dimension(values[0]) == lex.Dimension(others[0]) {
			return true
		}
	}
	return false
}

// findSpan returns the tokens of an attribute. ok is false if the graph has no offsets for it.
func (w *captionWords) findSpan(a *schemas.Attribute) (first, last int, ok bool) {
	if a.Begin < 0 {
		return 0, 0, false
	}
	first = slices.IndexFunc(w.tokens, func(t schemas.Token) bool { return t.Begin == a.Begin })
	last = slices.IndexFunc(w.tokens, func(t schemas.Token) bool { return t.End == a.End })
	return first, last, first >= 0 && last >= first && w.textOf(first, last) != ""
}

// exchangeAttributes exchanges attributes of two things if the attributes exclude each other.
func exchangeAttributes(job *captionJob, pl *plan) {
	w := &job.words
	var buf [maxRuns]modifier
	all := findModifiers(job, buf[:0])
	left := job.maxOf(pl.method)
	for i := range all {
		for j := i + 1; j < len(all) && left > 0; j++ {
			a, b := &all[i], &all[j]
			if b.first < a.first {
				a, b = b, a
			}
			if a.object == b.object || a.is == b.is || w.lower[a.first] == w.lower[b.first] {
				continue
			}
			reason := checkAttributeExchange(job, pl, a, b)
			if job.sink.emitSwap(pl, reason, func() [2]splice {
				return [2]splice{{a.first, a.last, w.textForMove(b.first, b.last)}, {b.first, b.last, w.textForMove(a.first, a.last)}}
			}) {
				left--
			}
		}
	}
}

// checkAttributeExchange returns the reason why two attributes cannot be exchanged, or noReason.
func checkAttributeExchange(job *captionJob, pl *plan, a, b *modifier) Reason {
	if words.SameValue(a.is.Values, b.is.Values) {
		return ReasonSynonym
	}
	if job.dict.filter.plausible && !job.dict.excludeEachOther(a.is, b.is) {
		return ReasonDimension
	}
	w := &job.words
	if job.dict.filter.plausible && (w.clashes(a.first, a.last, w.headAfter(a.last), b.is.Core) || w.clashes(b.first, b.last, w.headAfter(b.last), a.is.Core)) {
		return ReasonDimension
	}
	x, y := job.objectAt(a.object), job.objectAt(b.object)
	if job.dict.filter.plausible && (job.clashesAround(a.object, b.object, a.is.Core, b.is.Core) || job.clashesAround(b.object, a.object, b.is.Core, a.is.Core)) {
		return ReasonDimension
	}
	switch same := words.SameThing(x.Noun, y.Noun); {
	case same && !job.areToldApart(a, b):
		return ReasonSymmetric
	case a.named, b.named:
		return ReasonGrammar
	case !same && job.facts.mayHave(x.class, b.is) && job.facts.mayHave(y.class, a.is):
		return ReasonMayBeTrue
	}
	if !job.dict.attributeIsExchangeable(x.Noun, y.Noun, b.is) || !job.dict.attributeIsExchangeable(y.Noun, x.Noun, a.is) {
		return ReasonImplausible
	}
	claim := job.sink.judge.newClaim(pl)
	claim.Certain = true
	claim.Traits = append(claim.Traits, plausible.Trait{Noun: x.Noun, Is: b.is.Core, Was: a.is.Core}, plausible.Trait{Noun: y.Noun, Is: a.is.Core, Was: b.is.Core})
	return noReason
}

// areToldApart reports whether two things with the same name differ in a statement besides the exchanged attributes: "a
// man in a red shirt and a woman in a blue shirt", "a tall scientist and a short pilot", "a red car in front of a blue
// car".
func (job *captionJob) areToldApart(a, b *modifier) bool {
	w, x, y := &job.words, job.objectAt(a.object), job.objectAt(b.object)
	if x.Noun.Kind == truth.People && x.Noun.Head != y.Noun.Head {
		begin := b.first
		for w.hasTag(begin-1, tagJJ|tagVBN|tagVBG|tagRB) {
			begin--
		}
		return w.hasTag(begin-1, tagDT) // else one person may be both
	}
	gr := &job.caption.Graph
	for i := range gr.Relations {
		for j := range gr.Relations {
			r, s := &gr.Relations[i], &gr.Relations[j]
			if i == j && (r.Subject == a.object && r.Object == b.object || r.Subject == b.object && r.Object == a.object) && job.relationAt(int32(i)).IsDirected(x.Noun, y.Noun) {
				return true
			}
			if r.Object == a.object && s.Object == b.object && r.Subject != s.Subject && !words.SameThing(job.objectAt(r.Subject).Noun, job.objectAt(s.Subject).Noun) ||
				r.Subject == a.object && s.Subject == b.object && r.Object != s.Object && !words.SameThing(job.objectAt(r.Object).Noun, job.objectAt(s.Object).Noun) {
				return true
			}
		}
	}
	return false
}

// attributeIsExchangeable reports whether noun n can take attribute p of noun of, another thing of the caption. It is
// as attributeApplies with two exceptions. Things with natural colours get only colours that the corpus has for them,
// or that another of their sort has and the corpus would hardly have for them: "a green lemon" from "a green apple and
// a yellow lemon". People, and things of one kind, may have each other's attributes.
func (dict *dictionary) attributeIsExchangeable(n, of *words.Noun, p *words.Property) bool {
	c := p.Core
	if dict.filter.plausible && c.Colour && truth.Natural(n.Kind) {
		return n.Kind != truth.People && (hasNaturalColour(n.Word.Attributes.List, c.Text) || words.OfOneSort(n, of) && !dict.vocab.corpus.Expects(n.Head, c.Text, minMissing))
	}
	return dict.attributeApplies(n, p) || n.Kind != 0 && n.Kind == of.Kind && !(c.Age && n.Age != of.Age)
}

// exchangeCounts exchanges the numbers of two things: "two dogs and three cats" becomes "three dogs and two cats".
func exchangeCounts(job *captionJob, pl *plan) {
	w, lex := &job.words, job.dict.words.Lexicon
	var buf [maxRuns]run // first is the number, last the noun
	all := buf[:0]
	for i := range w.tokens {
		if head := w.headAfter(i); w.hasTag(i, tagCD) && head >= 0 && (w.isOne(i, head) || w.hasTag(head, tagNNS) && len(lex.Values(w.lower[i])) > 0) && len(all) < maxRuns {
			all = append(all, run{i, i, head})
		}
	}
	left := job.maxOf(pl.method)
	for i := range all {
		for j := i + 1; j < len(all) && left > 0; j++ {
			a, b := all[i], all[j]
			x, y := w.nounAt(a.last, a.last), w.nounAt(b.last, b.last)
			reason := noReason
			switch one := w.isOne(a.first, a.last) || w.isOne(b.first, b.last); {
			case w.lower[a.first] == w.lower[b.first], b.first <= a.last: // "two of three dogs"
				continue
			case words.SameThing(x, y):
				reason = ReasonSymmetric
			case !one && !lex.AreExclusive(w.lower[a.first], w.lower[b.first]):
				reason = ReasonDimension
			case one && (w.hasFiniteVerb() || !x.Usage.Pluralises() || !y.Usage.Pluralises() || x.PluralOnly || y.PluralOnly): // "three dogs and one cat are"
				reason = ReasonGrammar
			}
			if job.sink.emitSwap(pl, reason, func() [2]splice {
				return [2]splice{{a.first, a.last, w.withCountOf(a, b, x)}, {b.first, b.last, w.withCountOf(b, a, y)}}
			}) {
				left--
			}
		}
	}
}

// isOne reports whether the number is "one" and the noun at head is singular: "one apple".
func (w *captionWords) isOne(number, head int) bool {
	return w.lower[number] == "one" && w.hasTag(head, tagNN)
}

// withCountOf returns the counted noun n of run of with the number of run by: "one red apple" and "three" give "three
// red apples".
func (w *captionWords) withCountOf(of, by run, n *words.Noun) string {
	noun := w.textForMove(of.last, of.last)
	if w.hasTag(of.last, tagNNS) != w.hasTag(by.last, tagNNS) {
		if noun = n.Key; w.hasTag(by.last, tagNNS) {
			noun = n.Many
		}
	}
	text := w.textForMove(by.first, by.first) + " "
	if of.last > of.first+1 {
		text += w.textForMove(of.first+1, of.last-1) + " "
	}
	return text + noun
}

// exchangeEnds exchanges the subject and the object of a relation: "A dog chasing a cat in a yard" becomes "A cat
// chasing a dog in a yard".
func exchangeEnds(job *captionJob, pl *plan) {
	gr, w := &job.caption.Graph, &job.words
	left := job.maxOf(pl.method)
	for i := range gr.Relations {
		r := &gr.Relations[i]
		a, b, ok := w.nounRunsOf(gr, r.Subject, r.Object)
		if !ok || left == 0 || w.hasNounWithin(a.last+1, b.begin) || b.begin == a.last+1 {
			continue // one phrase may belong to the other
		}
		x, y, rel := job.objectAt(r.Subject), job.objectAt(r.Object), job.relationAt(int32(i))
		reason := noReason
		switch {
		case words.SameThing(x.Noun, y.Noun) && !words.AreTwoRoles(x.Noun, y.Noun):
			reason = ReasonSynonym
		case rel.Symmetric:
			reason = ReasonSymmetric
		case x.Name || y.Name || !rel.IsDirected(x.Noun, y.Noun):
			reason = ReasonImplausible
		case x.class != y.class && job.facts.mayRelate(y.class, x.class, rel, nil, truth.Anything):
			reason = ReasonMayBeTrue
		case w.isPossessor(a), w.isPossessor(b), w.followsQuantifier(a):
			reason = ReasonGrammar
		default:
			reason = w.checkPhraseSwap(gr, a, b)
		}
		if emitPhraseExchange(job, pl, reason, a, b) {
			left--
		}
	}
}

// exchangePartners exchanges the objects of two like relations: "a cat on a table and a dog on a chair" becomes "a cat
// on a chair and a dog on a table".
func exchangePartners(job *captionJob, pl *plan) {
	gr, w := &job.caption.Graph, &job.words
	left := job.maxOf(pl.method)
	for i := range gr.Relations {
		for j := i + 1; j < len(gr.Relations) && left > 0; j++ {
			r, s := &gr.Relations[i], &gr.Relations[j]
			a, b, ok := w.nounRunsOf(gr, r.Object, s.Object)
			if !ok || r.Subject == s.Subject || r.Object == s.Subject || s.Object == r.Subject {
				continue
			}
			if p, q := job.relationAt(int32(i)), job.relationAt(int32(j)); !areAlike(p, q) {
				if !isOnOrIn(p) || !isOnOrIn(q) || !w.hasTag(a.begin-1, tagIN) || !w.hasTag(b.begin-1, tagIN) {
					continue
				}
				a.begin, b.begin = a.begin-1, b.begin-1 // "a knife in a bowl and a fork on a plate"
			}
			if emitPhraseExchange(job, pl, checkPartners(job, int32(i), int32(j), a, b), a, b) {
				left--
			}
		}
	}
}

// emitPhraseExchange emits the caption with two noun phrases exchanged. If there is a reason against it, it is dropped
// with that reason. It reports whether a negative was made.
func emitPhraseExchange(job *captionJob, pl *plan, reason Reason, a, b run) bool {
	w := &job.words
	return job.sink.emitSwap(pl, reason, func() [2]splice {
		return [2]splice{{a.begin, a.last, w.textForMove(b.begin, b.last)}, {b.begin, b.last, w.textForMove(a.begin, a.last)}}
	})
}

// areAlike reports whether two relations are the same and usually have one object only: on, in, under, or a verb with
// an object.
func areAlike(a, b *words.Relation) bool {
	if a.Place == truth.On || a.Place == truth.In || a.Place == truth.Under {
		return a.Place == b.Place
	}
	return a.Key == b.Key && a.Verb != "" && a.Prep == ""
}

// isOnOrIn reports whether a relation is just "on" or "in", without a verb.
func isOnOrIn(r *words.Relation) bool {
	return r.Verb == "" && (r.Place == truth.On || r.Place == truth.In) && !strings.Contains(r.Prep, " ")
}

// checkPartners returns the reason why the objects of relations r and s cannot be exchanged, or noReason.
func checkPartners(job *captionJob, r, s int32, a, b run) Reason {
	gr, w := &job.caption.Graph, &job.words
	x1, x2 := job.objectAt(gr.Relations[r].Subject), job.objectAt(gr.Relations[s].Subject)
	y1, y2 := job.objectAt(gr.Relations[r].Object), job.objectAt(gr.Relations[s].Object)
	switch {
	case words.SameThing(x1.Noun, x2.Noun), words.SameThing(y1.Noun, y2.Noun):
		return ReasonSynonym
	case y1.Name, y2.Name, y1.Noun.Vague, y2.Noun.Vague, w.hasTag(a.begin, tagPRPS), w.hasTag(b.begin, tagPRPS), w.isPossessor(a), w.isPossessor(b), w.cutsPhrase(gr, a), w.cutsPhrase(gr, b):
		return ReasonGrammar
	case job.facts.mayRelate(x1.class, y2.class, job.relationAt(r), nil, truth.Anything) && job.facts.mayRelate(x2.class, y1.class, job.relationAt(s), nil, truth.Anything):
		return ReasonMayBeTrue
	case y1.Noun.Setting.MayHave(y2.Noun.Setting) && !words.OfOneSort(y1.Noun, y2.Noun):
		return ReasonImplausible
	case y1.Noun.CanHoldThings() && y2.Noun.CanHoldThings() && words.BehaveAlike(x1.Noun, x2.Noun): // either may be on or in the other's place
		return noReason
	case y1.Noun.Kind != y2.Noun.Kind, !job.dict.mayBeOnOrIn(x1.Noun, y2.Noun), !job.dict.mayBeOnOrIn(x2.Noun, y1.Noun):
		return ReasonImplausible
	}
	return noReason
}

// mayBeOnOrIn reports whether x may be on or in y: captions relate them, or x is a small thing and y is furniture.
func (dict *dictionary) mayBeOnOrIn(x, y *words.Noun) bool {
	return dict.areRelated(x, y) || y.Kind == truth.Furniture && x.Kind == 0 && !x.Intangible
}

// nounRunsOf returns the noun phrases of two objects. ok is false unless the caption has the first before the second.
func (w *captionWords) nounRunsOf(gr *schemas.SceneGraph, first, second int32) (a, b run, ok bool) {
	if !w.hasRuns { // called for many pairs of a caption
		w.runs, w.hasRuns = w.nounRuns(w.runs[:0]), true
	}
	at := func(object int32) (int, bool) {
		return slices.BinarySearchFunc(w.runs, gr.Objects[object].End, func(r run, end int32) int { return cmp.Compare(w.tokens[r.last].End, end) })
	}
	i, hasFirst := at(first)
	j, hasSecond := at(second)
	if !hasFirst || !hasSecond || i >= j {
		return run{}, run{}, false
	}
	return w.runs[i], w.runs[j], true
}

// hasNounWithin reports whether one of the tokens from first up to but not including end is a noun.
func (w *captionWords) hasNounWithin(first, end int) bool {
	for i := first; i < end; i++ {
		if w.hasTag(i, nouns|proper) && !grammar.IsAction(&w.tokens[i]) && w.lower[i] != "front" && w.lower[i] != "left" && w.lower[i] != "right" && w.lower[i] != "top" && w.lower[i] != "side" {
			return true
		}
	}
	return false
}

// isPartOfName reports whether an adjective is part of a compound adjective or of the noun's name: "long haired", "soft
// drink".
func (w *captionWords) isPartOfName(i, head int) bool {
	if wordclass.Has(ofParts, w.lower[i]) || wordclass.Has(ofParts, grammar.WordAfter(w.lower, i)) {
		return true
	}
	first := head
	for first > i+1 && w.hasTag(first-1, nouns|proper) {
		first--
	}
	if first != i+1 {
		return false
	}
	name := w.nounAt(first, head)
	if w.words.Property(w.lower[i]).Colour { // "blue jeans", "white sheep", which may be of another colour
		return false
	}
	if p := w.words.Property(w.lower[i]); name.Kind == truth.People && (p.Age || p.Size) { // "young man", which the lexicon has as a noun
		return false
	}
	return !slices.Equal(w.words.Lexicon.NounSenses(w.lower[i]+" "+name.Key), w.words.Lexicon.NounSenses(name.Key))
}
