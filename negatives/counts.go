package negatives

import (
	"capgraph/internal/portable"
	"capgraph/schemas"
)

// justOne is how many of a thing there are that its caption has with "a".
const justOne = "one"

// countOf is how many of an object there are, where another number can stand there: its
// quantity, or one. It is empty where none can.
func (g *Generator) countOf(pl plan, o *schemas.Object, known *knownObject) string {
	n := known.noun
	switch {
	case n.kind == body:
	case known.single && g.severalOf(pl, known):
		return justOne
	case known.quantity != "" && len(g.words.property(o.Quantity).values) > 0:
		return o.Quantity
	}
	return ""
}

// severalOf holds where there may be several of what a caption has one of: things that are
// counted and of which others tell no more, and what is done to one is done to several at once.
func (g *Generator) severalOf(pl plan, known *knownObject) bool {
	switch n := known.noun; {
	case !isNoun(n), n.pluralOnly, n.mass, !n.usage.pluralises(), g.known.several[known.class]:
		return false
	case n.size() == vast, n.kind == openings, n.kind == clothing, n.kind == weather, n.kind == media:
		return false
	}
	if p := &pl.said.phrase; p.subject.n > 0 && !pl.second || p.object.n > 0 && pl.second {
		return false // which would change two places
	}
	return !pl.second || g.known.relation(pl.caption, pl.said.part.Relation).takesSeveral()
}

// takesSeveral holds for relations to several things at once: "with", "holding".
func (r *relation) takesSeveral() bool {
	return r.key == "with" || r.place == beside || r.place == nearby || r.prep == "" && contains(ofSeveral, r.verb)
}

// ofSeveral are verbs that somebody does to several things at once: not "ride".
const ofSeveral = " hold carry eat chase feed pull push wash sell serve prepare cook bring "

// rarelyCounted draws whether one thing stays one: several come for one as often as the corpus
// counts things, so that no number tells a negative.
func (v *vocabulary) rarelyCounted(r *portable.SplitMix64) bool {
	return v.singles > v.numbers && r.Next()%v.singles >= v.numbers
}

// replaceQuantity puts another number in the place of one.
func (g *Generator) replaceQuantity(pl *plan, p *phrase, r *random) {
	n := &p.subject
	if pl.second {
		n = &p.object
	}
	if g.slots[pl.slot].text == justOne && n.quantity == "" && g.words.vocab.rarelyCounted(r) {
		return
	}
	g.try(pl, r, func(c choice) Reason {
		n.quantity = c.text()
		n.plural = n.plural || isSeveral(n.quantity)
		g.claims(pl)
		return noReason
	}, func() bool {
		return g.emitPhrase(pl, p, schemas.ChangedAttribute, p.category(schemas.CategoryAttribute))
	})
}
