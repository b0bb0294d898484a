package negatives

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/plausible"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// swapObjects says the relation in the other direction: f_rel's shuffled
// objects.
func (g *Generator) swapObjects(pl *plan, p *say.Phrase, subject, object int) {
	p.Subject, p.Object = p.Object, p.Subject
	claim := g.sink.judge.newClaim(pl)
	claim.Facts = append(claim.Facts, plausible.Fact{Subject: p.Subject.Noun, Object: p.Object.Noun, Is: p.Relation, Was: p.Relation, Comes: false})
	if reason := g.facts.checkReversal(p, subject, object); reason != noReason {
		g.sink.dropPhrase(pl, p, reason)
		return
	}
	g.sink.emitPhrase(pl, p, schemas.ChangedRelation, schemas.CategoryRelation)
}

// checkReversal says why a relation that was turned round is no negative; subject and
// object are the classes of those that it was said of.
func (f *facts) checkReversal(p *say.Phrase, subject, object int) Reason {
	switch {
	case p.Relation.Symmetric:
		return ReasonSymmetric
	case words.SameThing(p.Subject.Noun, p.Object.Noun):
		return ReasonSynonym
	case p.Subject.Noun.Vague, p.Object.Noun.Vague, !p.Relation.Be: // "pizza of a slice"
		return ReasonGrammar
	case f.mayRelate(object, subject, p.Relation, nil, truth.Anything):
		return ReasonKnownGraph
	case p.Relation.Verb != "" && !f.dict.hasRelationOf(p.Subject.Noun, p.Relation), f.dict.filter.plausible && p.ThingActs(), !f.dict.areRelated(p.Subject.Noun, p.Object.Noun), !f.dict.isSeenThere(p):
		return ReasonImplausible
	}
	return noReason
}

// isSeenThere is false for what is on, in, under, at or at the side of another thing where the
// corpus has such things so less often than three times: "a road on a car".
func (dict *dictionary) isSeenThere(p *say.Phrase) bool {
	if !dict.filter.plausible {
		return true
	}
	part, of := strings.CutSuffix(p.Relation.Prep, " of")
	larger := of && wordclass.Has(" middle center side edge ", part[strings.LastIndexByte(part, ' ')+1:]) // is what the object must be
	switch p.Relation.Place {
	case truth.On, truth.In:
		larger = true
	case truth.Under:
	case truth.Above:
		if p.Subject.Noun.Size() < truth.Vast { // no "park over kites"
			return true
		}
	case truth.Behind, truth.Before, truth.Left, truth.Right:
		return true
	default: // at, between, surrounded by
		if !larger && (p.Relation.Verb != "" && p.Relation.Prep == "" || p.Subject.Noun.Alive() && p.Object.Noun.Alive()) {
			return true
		}
	}
	if size := p.Subject.Noun.Size(); larger && size > truth.Small && size > p.Object.Noun.Size() {
		return false
	}
	return dict.words.Times(p.Subject.Noun, p.Object.Noun, func(r *words.Relation) bool { return r.Class == p.Relation.Class }) >= vocabulary.NoSlip
}

// isKnownSwap reports whether two objects of a caption, of which nothing else is said, stand
// in relations that are known of the image once they traded places: "a room with a tub,
// a plant and a sink".
func (f *facts) isKnownSwap(gr *schemas.SceneGraph, caption int, a, b int32) bool {
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
		return f.objectAt(caption, i).class
	}
	found := false
	for i := range gr.Relations {
		r := &gr.Relations[i]
		if r.Subject != a && r.Subject != b && r.Object != a && r.Object != b {
			continue
		}
		is := f.relationAt(caption, int32(i))
		if !f.hasRelation(traded(r.Subject), traded(r.Object), func(x *words.Relation) bool { return x.Key == is.Key || x.Class == is.Class && x.Class != 0 }) {
			return false
		}
		found = true
	}
	return found
}
