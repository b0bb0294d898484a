package negatives

import (
	"strings"

	"capgraph/schemas"
)

// deed is what a caption says around a verb.
type deed struct {
	*action
	// subject is the noun before it.
	subject *noun
	// object is what follows it, nil where that is no noun; takesObject holds where it
	// must have one, and hasObject also where that follows a particle.
	object                 *noun
	takesObject, hasObject bool
	// place follows a preposition, and way one after the object; nil where the corpus
	// says too little of them.
	place, way *noun
	in, along  string // the prepositions
	out        bool   // "out" follows it
	after      *noun  // follows any preposition
}

func (g *Generator) deed(i int, s *slot) deed {
	d := deed{action: g.words.action(s.text), subject: g.words.noun(s.before), object: g.doneTo(i), out: wordAfter(g.caption.lower, i) == "out"}
	d.takesObject = d.object != nil || s.complement == direct
	d.hasObject = d.takesObject || strings.HasSuffix(s.complement, " object")
	if d.place, d.in = g.placeAfter(i); g.caption.is(i+1, tagIN|tagRP|tagTO) {
		d.after, d.in = g.doneTo(i+1), g.caption.lower[i+1]
	}
	d.way, d.along = g.wayAfter(i)
	return d
}

// suits holds where the corpus, or the captions of the judge, have a verb with all that is said around the deed.
func (g *Generator) suits(d *deed, a *action) bool {
	known := g.vocab.attested
	switch {
	case d.takesObject && !isDone(d.object, a) && (d.object == nil || !known.undergoes(d.object, a, "")), !d.hasObject && contains(transitive, a.base):
		return false
	case d.place != nil && !isDoneThere(d.place, d.in, a) && !known.undergoes(d.place, a, d.in), d.way != nil && !isDoneWith(d.way, d.along, a):
		return false
	case d.out && contains(postures, a.base): // "laying out of a bowl"
		return false
	case contains(animate, a.base) && d.subject.kind != 0 && !d.subject.alive():
		return false
	}
	return true
}

// fillAction puts another verb in the place of one.
func (g *Generator) fillAction(pl *plan, r *random) {
	w, slot := g.caption, &g.slots[pl.slot]
	if w.is(pl.a+1, tagRP) && contains(" to for on against with ", wordAfter(w.lower, pl.a+1)) || // "lined up for ice cream"
		w.is(pl.a+1, tagTO) && w.is(pl.a+2, verbs) { // "jumping to reach a ball"
		g.drop(pl, slot.text, ReasonGrammar)
		return
	}
	deed := g.deed(pl.a, slot)
	word := ""
	g.try(pl, r, func(c choice) Reason {
		a := c.of.actions[c.at]
		if g.known.mayAct(a.verb) || alikeStill(deed.subject, deed.base, a.base) {
			return ReasonKnownGraph
		}
		claim := g.claims(pl)
		claim.deed, claim.action = &deed, a
		if g.filtered.plausible && !g.suits(&deed, a) || c.of.opposite && !g.isActed(&deed, a) {
			return ReasonImplausible
		}
		word = a.form
		return noReason
	}, func() bool { return g.emitSplices(pl, schemas.ChangedAction, splice{pl.a, pl.a, word}) })
}

// isActed holds where captions say that such a subject does something, and with what follows, but for postures.
func (g *Generator) isActed(d *deed, a *action) bool {
	known := g.vocab.attested
	return known.acts(d.subject, a) && (d.after == nil || contains(postures, a.base) || known.undergoes(d.after, a, d.in))
}

// doneTo is the noun phrase right after the verb at i, nil where none follows.
func (g *Generator) doneTo(i int) *noun {
	w := g.caption
	if i++; w.is(i, tagDT|tagPRPS) {
		i++
	}
	if w.is(i, tagJJ|tagCD|tagVBN|tagVBG) {
		for w.is(i, tagJJ|tagCD|tagVBN|tagVBG|tagCC|tagComma|tagRB) {
			i++
		}
	}
	if !w.is(i, nouns|tagNNP|tagNNPS) {
		return nil
	}
	return w.noun(g.words, i, w.runEnd(i))
}

// placeAfter is the noun after the verb at i and a preposition, where the corpus
// says enough of the noun to tell what is done there; nil where it does not, or where the
// preposition says little of what is done.
func (g *Generator) placeAfter(i int) (place *noun, preposition string) {
	w := g.caption
	if w.is(i+1, tagRB) { // "sitting outside in a chair"
		i++
	}
	if !w.is(i+1, tagIN|tagRP) || contains(" near by behind beside around toward towards along down with ", w.lower[i+1]) {
		return nil, ""
	}
	if place = g.doneTo(i + 1); place != nil && (w.is(i+1, tagRP) || contains(bearing, place.head)) {
		return place, w.lower[i+1] // of which nothing is known but what the corpus has
	}
	return g.told(i + 1), w.lower[i+1]
}

// wayAfter is the noun after the object of the verb at i and a preposition that
// says where that is moved or taken: "riding a bike down a street".
func (g *Generator) wayAfter(i int) (way *noun, preposition string) {
	w := g.caption
	if g.doneTo(i) == nil {
		return nil, ""
	}
	for i++; !w.is(i, nouns|tagNNP|tagNNPS); i++ {
	}
	if i = w.runEnd(i) + 1; !w.is(i, tagIN|tagTO|tagRP) || !contains(" to into from down up over through across onto off out ", w.lower[i]) {
		return nil, ""
	}
	return g.told(i), w.lower[i]
}

// told is the noun after token i, where the corpus says enough of it.
func (g *Generator) told(i int) *noun {
	n := g.doneTo(i)
	if n == nil || n.vague || total(n.suffers) < wellKnown {
		return nil
	}
	return n
}

// isDoneThere holds where the corpus has a verb with a preposition and such a
// place, and for verbs of how a body is held: "walking on a bench" is not seen.
func isDoneThere(place *noun, preposition string, a *action) bool {
	rests := contains(postures, a.base) || a.base == "sleep" || a.base == "rest"
	return rests && !contains(bearing, place.head) || isDoneWith(place, preposition, a)
}

// isDoneWith holds where the corpus has a verb with a preposition and such a noun.
func isDoneWith(n *noun, preposition string, a *action) bool {
	return has(n.suffers, a.gerund+" "+preposition) || a.form != a.gerund && has(n.suffers, a.form+" "+preposition)
}

// isDone holds where the corpus has a verb of such an object, which is nil where
// no noun says it: "each other".
func isDone(object *noun, a *action) bool {
	return object != nil && (has(object.undergoes, a.gerund) || has(object.undergoes, a.form))
}

// mayAct holds where a caption has the verb, or a relation with it is known.
func (k *known) mayAct(v *verb) bool {
	if k.lemmas.has(v.hash) {
		return true
	}
	for i := range k.relations {
		if k.relations[i].relation.does == v {
			return true
		}
	}
	return false
}
