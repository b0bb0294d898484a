package negatives

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/plausible"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

func (w *captionWords) actionContext(i int, s *slot) plausible.Deed {
	d := plausible.Deed{Action: w.words.Action(s.text), Subject: w.words.Noun(s.before), Object: w.nounAfterVerb(i), Out: grammar.WordAfter(w.lower, i) == "out"}
	d.TakesObject = d.Object != nil || s.complement == grammar.Direct
	d.HasObject = d.TakesObject || strings.HasSuffix(s.complement, " object")
	if d.Place, d.In = w.placeAfter(i); w.hasTag(i+1, tagIN|tagRP|tagTO) {
		d.After, d.In = w.nounAfterVerb(i+1), w.lower[i+1]
	}
	d.Way, d.Along = w.wayAfter(i)
	return d
}

// fillAction replaces a verb of the caption by another.
func fillAction(job *captionJob, pl *plan) {
	w, slot := &job.words, &job.slots[pl.slot]
	if w.hasTag(pl.a+1, tagRP) && wordclass.Has(" to for on against with ", grammar.WordAfter(w.lower, pl.a+1)) || // "lined up for ice cream"
		w.hasTag(pl.a+1, tagTO) && w.hasTag(pl.a+2, verbs) { // "jumping to reach a ball"
		job.sink.drop(pl, slot.text, ReasonGrammar)
		return
	}
	deed := job.words.actionContext(pl.a, slot)
	word := ""
	job.sample(pl, func(c choice) Reason {
		a := c.action()
		if a.Base == "lay" && !deed.TakesObject { // "laying" for "lying"
			return ReasonGrammar
		}
		if job.facts.mayAct(a.Verb) || words.LookAlikeInPhoto(deed.Subject, deed.Base, a.Base) {
			return ReasonMayBeTrue
		}
		claim := job.sink.judge.newClaim(pl)
		claim.Deed, claim.Action = &deed, a
		if job.dict.filter.plausible && !job.dict.verbFits(&deed, a) || c.of.opposite && !job.dict.isKnownDeed(&deed, a) {
			return ReasonImplausible
		}
		word = a.Form
		return noReason
	}, func() bool { return job.sink.emitSplices(pl, schemas.ChangedAction, splice{pl.a, pl.a, word}) })
}

// nounAfterVerb returns the noun of the noun phrase right after the verb at i, or nil.
func (w *captionWords) nounAfterVerb(i int) *words.Noun {
	if i++; w.hasTag(i, tagDT|tagPRPS) {
		i++
	}
	if w.hasTag(i, tagJJ|tagCD|tagVBN|tagVBG) {
		for w.hasTag(i, tagJJ|tagCD|tagVBN|tagVBG|tagCC|tagComma|tagRB) {
			i++
		}
	}
	if !w.hasTag(i, nouns|tagNNP|tagNNPS) {
		return nil
	}
	return w.nounAt(i, w.runEnd(i))
}

// placeAfter returns the noun and the preposition after the verb at i: "chair" and "in" for
// "sitting in a chair". place is nil if there is none, if the corpus has too little about the noun,
// or if the preposition tells little about the verb ("near").
func (w *captionWords) placeAfter(i int) (place *words.Noun, preposition string) {
	if w.hasTag(i+1, tagRB) { // "sitting outside in a chair"
		i++
	}
	if !w.hasTag(i+1, tagIN|tagRP) || wordclass.Has(" near by behind beside around toward towards along down with ", w.lower[i+1]) {
		return nil, ""
	}
	if place = w.nounAfterVerb(i + 1); place != nil && (w.hasTag(i+1, tagRP) || wordclass.Has(bearing, place.Head)) {
		return place, w.lower[i+1] // known or not: only what the corpus does there is said
	}
	return w.knownNounAfter(i + 1), w.lower[i+1]
}

// wayAfter returns the noun and the preposition after the object of the verb at i, if the
// preposition says where the object is moved: "street" and "down" for "riding a bike down a
// street". Else way is nil.
func (w *captionWords) wayAfter(i int) (way *words.Noun, preposition string) {
	if w.nounAfterVerb(i) == nil {
		return nil, ""
	}
	for i++; !w.hasTag(i, nouns|tagNNP|tagNNPS); i++ {
	}
	if i = w.runEnd(i) + 1; !w.hasTag(i, tagIN|tagTO|tagRP) || !wordclass.Has(" to into from down up over through across onto off out ", w.lower[i]) {
		return nil, ""
	}
	return w.knownNounAfter(i), w.lower[i]
}

// knownNounAfter returns the noun after token i, or nil if the corpus has too little about it.
func (w *captionWords) knownNounAfter(i int) *words.Noun {
	n := w.nounAfterVerb(i)
	if n == nil || n.Vague || vocabulary.Total(n.Suffers) < vocabulary.WellKnown {
		return nil
	}
	return n
}
