package negatives

// withPart holds for "with" such a part.
func withPart(r *relation, part *noun) bool {
	return r.key == "with" && contains(everybodys, part.head)
}

// Tables of truth.tsv, which says what each is.
var (
	furnished = truths["furnished"]
	scenery   = truths["scenery"]
)

// furnishing has the rows of furnished that a noun is a place in, and a part.
type furnishing struct{ place, part uint64 }

func furnishingOf(head string) furnishing {
	return furnishing{furnished.with(head), furnished.withOther(head)}
}

// furnishes holds where a place mostly has such a part.
func (n *noun) furnishes(place *noun) bool { return n.furnishing.part&place.furnishing.place != 0 }

// already holds where the corpus has what stands in the slot often enough on, in or at what
// would come there instead: who is on a skateboard is on a street too. What sits on a bench
// sits on no table.
func (g *Generator) already(s *slot, n *noun) bool {
	if s.relation == nil || !s.object || !puts(s.relation) || s.relation.place == on && contains(postures, s.relation.verb) {
		return false
	}
	uses := g.words.times(s.noun, n, puts)
	return uses >= noSlip && oneIn*uses >= uint64(s.noun.usage.sum())
}

// oneIn is one in how many uses of a noun is often enough.
const oneIn = 200

// puts holds for relations that say what a thing is on, in or at.
func puts(r *relation) bool { return r.place == on || r.place == in || r.prep == "at" }

// anyway holds where what the slot says would be true with the noun in it of most
// images that a caption with the slot's own noun describes.
func (s *slot) anyway(n *noun) bool {
	switch r := s.relation; {
	case s.other == nil, n.kind == people && s.of == people: // who is said to be a woman is no man
		return false
	case s.object && r.verb == "wear", s.object && s.other.alive() && r.place == in && s.noun.kind == clothing:
		return n.wornOn != s.noun.wornOn || n.wornOn == noPart
	case s.object && r.prep == "with":
		return s.other.alive() && withPart(r, n) || s.other.kind == people && n.wornBeside(s.noun) || n.furnishes(s.other)
	case s.object:
		return n.scenery && (r.place == beside || r.place == nearby)
	case r.verb == "":
		return n.scenery && contains(backdrops, s.other.head) || n.furnishes(s.other) && (r.place == on || r.place == in || r.place == edge)
	}
	return false
}
