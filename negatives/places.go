package negatives

import "slices"

// place is where a relation puts its subject.
type place uint8

const (
	nowhere place = iota // not a place, or one that excludes no other
	on
	in
	under
	above
	behind
	before // in front of
	beside
	nearby // which excludes less
	left
	right
	up
	down
	into
	outOf
	amidst // in the middle
	edge
)

// places are the prepositions of each place, with an example.
var places = []struct {
	place   place
	words   []string
	example string
}{
	{on, []string{"on", "on top of", "atop", "upon", "onto", "on top"}, "a cat on a table"},
	{in, []string{"in", "inside", "inside of", "within"}, "a cat in a box"},
	{under, []string{"under", "below", "beneath", "underneath"}, "a cat under a table"},
	{above, []string{"above", "over", "overhead"}, "a lamp above a table"},
	{behind, []string{"behind", "in back of", "at the back of"}, "a cat behind a couch"},
	{before, []string{"in front of", "at the front of"}, "a cat in front of a couch"},
	{beside, []string{"next to", "beside", "alongside", "adjacent to"}, "a cat next to a couch"},
	{nearby, []string{"near", "by", "close to"}, "a cat near a couch"},
	{left, []string{"to the left of", "on the left of", "left of", "on the left side of"}, "a cat to the left of a couch"},
	{right, []string{"to the right of", "on the right of", "right of", "on the right side of"}, "a cat to the right of a couch"},
	{up, []string{"up"}, "a man walking up a hill"},
	{down, []string{"down"}, "a man walking down a hill"},
	{into, []string{"into"}, "a man walking into a house"},
	{outOf, []string{"out of"}, "a man walking out of a house"},
	{amidst, []string{"in the middle of", "in the center of", "in the centre of"}, "a cow in the middle of a road"},
	{edge, []string{"on the side of", "at the side of", "on the edge of", "at the edge of", "on the corner of", "in the corner of", "at the corner of"}, "a cow on the side of a road"},
}

// unbounded holds for places that do not exclude each other at a noun: what is on open ground, in water or in a
// mist may be by it, before or above it too, what is in trees behind or under them, what is on a wall next to
// it, and what is in the sky under it.
func (n *noun) unbounded(a, b place) bool {
	at := func(p place) bool { return p == on || p == in }
	if n.head == "sky" {
		over := func(p place) bool { return at(p) || p == under || p == above }
		return over(a) && over(b)
	}
	by := func(p place) bool {
		switch p {
		case beside, nearby:
			return contains(open, n.head) || n.kind == openings
		case behind:
			return contains(open, n.head) || n.kind == plants
		case under:
			return n.kind == weather || n.kind == plants
		case before, above:
			return n.kind == land || n.kind == water || n.kind == weather
		}
		return false
	}
	return at(a) && by(b) || by(a) && at(b)
}

// disjoint is a table of exclusions.tsv, of places by the first of their prepositions.
var disjoint = exclusions["places"]

func placeOf(prep string) place {
	for i := range places {
		if slices.Contains(places[i].words, prep) {
			return places[i].place
		}
	}
	return nowhere
}

// apartness has, of each place, a bit of each that it excludes, and one of each row of off that has it.
type apartness struct {
	from [edge + 1]uint32
	off  [edge + 1]uint64
}

func newApartness() (p apartness) {
	for i := range disjoint {
		a, b := placeOf(disjoint[i].words), placeOf(disjoint[i].others)
		p.from[a] |= 1 << b
		p.from[b] |= 1 << a
	}
	for i := range off {
		p.off[placeOf(off[i].words)] |= 1 << i
	}
	return p
}

// excludes holds where a thing cannot be at both places at once.
func (p *apartness) excludes(a, b place) bool { return p.from[a]>>b&1 != 0 }
