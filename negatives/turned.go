package negatives

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// swapObjects says the relation in the other direction: f_rel's shuffled
// objects.
func (g *Generator) swapObjects(pl *plan, p *phrase, subject, object int) {
	p.subject, p.object = p.object, p.subject
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
	case g.known.reversed(g.words, subject, object, p.relation):
		return ReasonKnownGraph
	case p.relation.verb != "" && !g.does(p.subject.noun, p.relation), g.filtered.plausible && p.doneByTheDead(), !g.goTogether(p.subject.noun, p.object.noun), !g.mayHold(p):
		return ReasonImplausible
	}
	return noReason
}

// doneByTheDead holds for what somebody alive does and that, turned round, a thing would
// do to them: "a monitor looking at a cat".
func (p *phrase) doneByTheDead() bool {
	return p.relation.verb != "" && p.object.noun.alive() && !p.subject.noun.alive()
}

// mayHold is false for what is on, in or under another thing where the corpus has
// such things so less often than three times: "a road on a car".
func (g *Generator) mayHold(p *phrase) bool {
	if !g.filtered.plausible {
		return true
	}
	middle := slices.ContainsFunc(withins, func(end string) bool { return strings.HasSuffix(" "+p.relation.prep, end) })
	switch p.relation.place {
	case on, in:
		middle = true
	case under:
	default:
		if !middle {
			return true
		}
	}
	if size := p.subject.noun.size(); middle && size > small && size > p.object.noun.size() {
		return false
	}
	all := uint64(0)
	for relation, n := range counted(g.words.vocab.list(CountBetween, p.subject.noun.head, p.object.noun.head)) {
		if g.words.relationOf(relation, "").class == p.relation.class {
			all += n
		}
	}
	return all >= 3
}

// withins are what a preposition ends with that puts a thing at a larger one, as "on"
// and "in" do.
var withins = []string{" middle of", " center of", " side of", " edge of"}
