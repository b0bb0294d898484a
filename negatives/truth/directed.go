package truth

import "capgraph/internal/lexicon/wordclass"

// IsDirected reports whether the table directed of exclusions.tsv has a verb for two kinds: what such things do to each
// other, but not at once ("a dog chasing a cat").
func IsDirected(verb string, a, b Kind) bool {
	for _, r := range Exclusions["directed"] {
		if wordclass.Has(r.Words, verb) && wordclass.Has(r.Others, kinds[a].name) && wordclass.Has(r.Others, kinds[b].name) {
			return true
		}
	}
	return false
}

// isLargeAndFixed reports whether things of a kind are large and stay in place: trees, houses.
func (k Kind) isLargeAndFixed() bool { return k == Structures || k == Plants || k == Furniture }

// IsReversible reports whether two things of the kinds can be at a place to each other in either order, but not in both
// at once: "a dog to the left of a cat", "a book on top of a box".
func IsReversible(p Place, a, b Kind) bool {
	for _, k := range []Kind{a, b} {
		switch k {
		case Body, Clothing, Weather, Land, Ways, Water, Interiors, Openings:
			return false
		}
	}
	switch p {
	case Left, Right:
		return true
	case Behind, Before:
		return a.Size() != Vast && b.Size() != Vast || a.isLargeAndFixed() && b.isLargeAndFixed()
	case On, Above, Under:
		return (a == b || a == 0 && b == Media || a == Media && b == 0) && a.Size() == Small && a != People && a != Animals
	}
	return false
}
