package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// replaceableCount is how many of an object there are, where another number can stand there: its
// quantity, or one. It is empty if none can.
func (f *facts) replaceableCount(pl plan, o *schemas.Object, known *knownObject) string {
	n := known.Noun
	switch {
	case n.Kind == truth.Body:
	case known.Single && f.maySeveral(pl, known):
		return grammar.JustOne
	case known.Quantity != "" && len(f.dict.words.Property(o.Quantity).Values) > 0:
		return o.Quantity
	}
	return ""
}

// maySeveral reports whether there may be several of what a caption has one of: things that are
// counted and of which others tell no more, and what is done to one is done to several at once.
func (f *facts) maySeveral(pl plan, known *knownObject) bool {
	switch n := known.Noun; {
	case !words.IsNoun(n), n.PluralOnly, n.Mass, !n.Usage.Pluralises(), f.several[known.class]:
		return false
	case n.Size() == truth.Vast, n.Kind == truth.Openings, n.Kind == truth.Clothing, n.Kind == truth.Weather, n.Kind == truth.Media:
		return false
	}
	if p := &pl.said.phrase; p.Subject.N > 0 && !pl.second || p.Object.N > 0 && pl.second {
		return false // which would change two places
	}
	return !pl.second || f.relationAt(pl.caption, pl.said.part.Relation).TakesSeveral()
}

// replaceQuantity puts another number in the place of one.
func (g *Generator) replaceQuantity(pl *plan, p *say.Phrase, r *random) {
	n := &p.Subject
	if pl.second {
		n = &p.Object
	}
	if g.slots[pl.slot].text == grammar.JustOne && n.Quantity == "" && g.dict.words.Vocab.RarelyCounted(r) {
		return
	}
	g.sampleCandidates(pl, r, func(c words.Choice) Reason {
		n.Quantity = c.Text()
		n.Plural = n.Plural || grammar.IsSeveral(n.Quantity)
		g.sink.judge.newClaim(pl)
		return noReason
	}, func() bool {
		return g.sink.emitPhrase(pl, p, schemas.ChangedAttribute, p.Category(schemas.CategoryAttribute))
	})
}
