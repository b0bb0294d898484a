package truth

import "slices"

// Place is the place in which a relation puts its subject.
type Place uint8

const (
	Nowhere Place = iota // not a place, or one that excludes no other
	On
	In
	Under
	Above
	Behind
	Before // in front of
	Beside
	Nearby // which excludes less
	Left
	Right
	up
	down
	into
	outOf
	amidst // in the middle
	Edge
)

// Places has the prepositions of each place, with an example.
var Places = []struct {
	Place   Place
	Words   []string
	Example string
}{
	{On, []string{"on", "on top of", "atop", "upon", "onto", "on top"}, "a cat on a table"},
	{In, []string{"in", "inside", "inside of", "within"}, "a cat in a box"},
	{Under, []string{"under", "below", "beneath", "underneath"}, "a cat under a table"},
	{Above, []string{"above", "over", "overhead"}, "a lamp above a table"},
	{Behind, []string{"behind", "in back of", "at the back of"}, "a cat behind a couch"},
	{Before, []string{"in front of", "at the front of"}, "a cat in front of a couch"},
	{Beside, []string{"next to", "beside", "alongside", "adjacent to"}, "a cat next to a couch"},
	{Nearby, []string{"near", "by", "close to"}, "a cat near a couch"},
	{Left, []string{"to the left of", "on the left of", "left of", "on the left side of"}, "a cat to the left of a couch"},
	{Right, []string{"to the right of", "on the right of", "right of", "on the right side of"}, "a cat to the right of a couch"},
	{up, []string{"up"}, "a man walking up a hill"},
	{down, []string{"down"}, "a man walking down a hill"},
	{into, []string{"into"}, "a man walking into a house"},
	{outOf, []string{"out of"}, "a man walking out of a house"},
	{amidst, []string{"in the middle of", "in the center of", "in the centre of"}, "a cow in the middle of a road"},
	{Edge, []string{"on the side of", "at the side of", "on the edge of", "at the edge of", "on the corner of", "in the corner of", "at the corner of"}, "a cow on the side of a road"},
}

// inverses are pairs of places that mean the same with subject and object exchanged.
var inverses = [][2]Place{{Left, Right}, {Behind, Before}, {Above, Under}, {On, Under}}

// IsInverseOf reports whether two places mean the same with subject and object exchanged: behind,
// in front of.
func (p Place) IsInverseOf(q Place) bool {
	return slices.Contains(inverses, [2]Place{p, q}) || slices.Contains(inverses, [2]Place{q, p})
}

// disjoint is the table of pairs of places that exclude each other, named by the first of their
// prepositions.
var disjoint = Exclusions["places"]

// PlaceOf returns the place of a preposition, or Nowhere.
func PlaceOf(prep string) Place {
	for i := range Places {
		if slices.Contains(Places[i].Words, prep) {
			return Places[i].Place
		}
	}
	return Nowhere
}

// Apartness has, for each place, a bit for each place that it excludes, and in Off a bit for each
// row of the table off that has it.
type Apartness struct {
	from [Edge + 1]uint32
	Off  [Edge + 1]uint64
}

// NewApartness makes an Apartness from the tables.
func NewApartness() (p Apartness) {
	for i := range disjoint {
		a, b := PlaceOf(disjoint[i].Words), PlaceOf(disjoint[i].Others)
		p.from[a] |= 1 << b
		p.from[b] |= 1 << a
	}
	for i := range off {
		p.Off[PlaceOf(off[i].Words)] |= 1 << i
	}
	return p
}

// Excludes reports whether a thing cannot be at both places at once.
func (p *Apartness) Excludes(a, b Place) bool { return p.from[a]>>b&1 != 0 }
