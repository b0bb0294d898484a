package negatives

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// isWithPart reports whether a relation is "with" a part that everybody has: "with a hand".
func isWithPart(r *words.Relation, part *words.Noun) bool {
	return r.Key == "with" && wordclass.Has(everybodys, part.Head)
}

// isLikelyAlsoTrue reports whether the corpus has what stands in the slot often enough on, in or at what
// would come there instead: who is on a skateboard is on a street too. What sits on a bench
// sits on no table.
func (dict *dictionary) isLikelyAlsoTrue(s *slot, n *words.Noun) bool {
	if s.relation == nil || !s.object || !isPlaceRelation(s.relation) || s.relation.Place == truth.On && wordclass.Has(grammar.Postures, s.relation.Verb) {
		return false
	}
	uses := dict.words.Times(s.noun, n, isPlaceRelation)
	return uses >= vocabulary.NoSlip && oneIn*uses >= uint64(s.noun.Usage.Sum())
}

// oneIn is one in how many uses of a noun is often enough.
const oneIn = 200

// isPlaceRelation reports whether a relation says what a thing is on, in or at.
func isPlaceRelation(r *words.Relation) bool {
	return r.Place == truth.On || r.Place == truth.In || r.Prep == "at"
}

// isTrueRegardless reports whether what the slot says would be true with the noun in it of most
// images that a caption with the slot's own noun describes.
func (s *slot) isTrueRegardless(n *words.Noun) bool {
	switch r := s.relation; {
	case s.other == nil, n.Kind == truth.People && s.of == truth.People: // who is said to be a woman is no man
		return false
	case s.object && r.Verb == "wear", s.object && s.other.Alive() && r.Place == truth.In && s.noun.Kind == truth.Clothing:
		return n.WornOn != s.noun.WornOn || n.WornOn == truth.NoPart
	case s.object && r.Prep == "with":
		return s.other.Alive() && isWithPart(r, n) || s.other.Kind == truth.People && n.WornBeside(s.noun) || n.Furnishes(s.other)
	case s.object:
		return n.Scenery && (r.Place == truth.Beside || r.Place == truth.Nearby)
	case r.Verb == "":
		return n.Scenery && wordclass.Has(grammar.Backdrops, s.other.Head) || n.Furnishes(s.other) && (r.Place == truth.On || r.Place == truth.In || r.Place == truth.Edge)
	}
	return false
}
