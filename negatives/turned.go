package negatives

import (
	"strings"

	"capgraph/schemas"
)

// swapObjects says the relation in the other direction: f_rel's shuffled
// objects.
func (g *Generator) swapObjects(pl *plan, p *phrase, subject, object int) {
	p.subject, p.object = p.object, p.subject
	claim := g.claims(pl)
	claim.facts = append(claim.facts, fact{p.subject.noun, p.object.noun, p.relation, p.relation, false})
	if reason := g.reverses(p, subject, object); reason != noReason {
		g.dropPhrase(pl, p, reason)
		return
	}
	g.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
}

// reverses says why a relation that was turned round is no negative; subject and
// object are the classes of those that it was said of.
func (g *Generator) reverses(p *phrase, subject, object int) Reason {
	switch {
	case p.relation.symmetric:
		return ReasonSymmetric
	case sameThing(p.subject.noun, p.object.noun):
		return ReasonSynonym
	case p.subject.noun.vague, p.object.noun.vague, !p.relation.be: // "pizza of a slice"
		return ReasonGrammar
	case g.known.mayRelate(g.words, object, subject, p.relation, nil, anything):
		return ReasonKnownGraph
	case p.relation.verb != "" && !g.does(p.subject.noun, p.relation), g.filtered.plausible && p.thingActs(), !g.goTogether(p.subject.noun, p.object.noun), !g.mayHold(p):
		return ReasonImplausible
	}
	return noReason
}

// thingActs holds where a thing does something to somebody alive: "a monitor looking at
// a cat".
func (p *phrase) thingActs() bool {
	return p.relation.verb != "" && p.object.noun.alive() && !p.subject.noun.alive()
}

// mayHold is false for what is on, in, under, at or at the side of another thing where the
// corpus has such things so less often than three times: "a road on a car".
func (g *Generator) mayHold(p *phrase) bool {
	if !g.filtered.plausible {
		return true
	}
	part, of := strings.CutSuffix(p.relation.prep, " of")
	larger := of && contains(" middle center side edge ", part[strings.LastIndexByte(part, ' ')+1:]) // is what the object must be
	switch p.relation.place {
	case on, in:
		larger = true
	case under:
	case above:
		if p.subject.noun.size() < vast { // no "park over kites"
			return true
		}
	case behind, before, left, right:
		return true
	default: // at, between, surrounded by
		if !larger && (p.relation.verb != "" && p.relation.prep == "" || p.subject.noun.alive() && p.object.noun.alive()) {
			return true
		}
	}
	if size := p.subject.noun.size(); larger && size > small && size > p.object.noun.size() {
		return false
	}
	return g.words.times(p.subject.noun, p.object.noun, func(r *relation) bool { return r.class == p.relation.class }) >= noSlip
}

// noSlip is how often the corpus must relate two heads for it to be no slip.
const noSlip = 3

// times is how often the corpus relates one noun to another by such relations.
func (w *words) times(subject, object *noun, such func(*relation) bool) (n uint64) {
	for relation, count := range counted(w.vocab.list(CountBetween, subject.head, object.head)) {
		if such(w.relationOf(relation, "")) {
			n += count
		}
	}
	return n
}

// tradeKnown holds where two objects of a caption, of which nothing else is said, stand
// in relations that are known of the image once they traded places: "a room with a tub,
// a plant and a sink".
func (g *Generator) tradeKnown(gr *schemas.SceneGraph, caption int, a, b int32) bool {
	if a < 0 || b < 0 || len(gr.Objects[a].Attributes)+len(gr.Objects[b].Attributes) > 0 {
		return false
	}
	traded := func(i int32) int {
		switch i {
		case a:
			i = b
		case b:
			i = a
		}
		return g.known.object(caption, i).class
	}
	found := false
	for i := range gr.Relations {
		r := &gr.Relations[i]
		if r.Subject != a && r.Subject != b && r.Object != a && r.Object != b {
			continue
		}
		is := g.known.relation(caption, int32(i))
		if !g.known.relates(traded(r.Subject), traded(r.Object), func(x *relation) bool { return x.key == is.key || x.class == is.class && x.class != 0 }) {
			return false
		}
		found = true
	}
	return found
}
