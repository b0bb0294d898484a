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

// together are pairs of places where a thing can well be at once, with an
// example of what is also true.
var together = []struct {
	a, b          place
	example, also string
}{
	{before, nearby, "a man in front of a car", "a man near a car"},
	{behind, nearby, "a man behind a car", "a man near a car"},
	{on, above, "a clock on a tower", "a clock above a tower"},
	{under, nearby, "a hydrant under a sign", "a hydrant near a sign"},
	{before, under, "a bench in front of a tree", "a bench under a tree"},
	{before, above, "a steeple in front of a house", "a steeple above a house"},
}

// unbounded holds for places that do not exclude each other at a noun: what is on open ground
// may be by it too, and what is in the sky under it.
func (n *noun) unbounded(a, b place) bool {
	at := func(p place) bool { return p == on || p == in }
	if n.head == "sky" {
		over := func(p place) bool { return at(p) || p == under || p == above }
		return over(a) && over(b)
	}
	by := func(p place) bool { return p == beside || p == nearby || p == behind }
	return contains(open, n.head) && (at(a) && by(b) || by(a) && at(b))
}

// exclusions are pairs of places where a thing cannot be at once, with an
// example of what is false of the other.
var exclusions = []struct {
	a, b          place
	example, over string
}{
	{on, under, "a cat on a table", "a cat under a table"},
	{on, behind, "a cat on a couch", "a cat behind a couch"},
	{on, before, "a cat on a couch", "a cat in front of a couch"},
	{on, beside, "a cat on a couch", "a cat next to a couch"},
	{in, under, "a cat in a box", "a cat under a box"},
	{in, behind, "a cat in a box", "a cat behind a box"},
	{in, before, "a cat in a box", "a cat in front of a box"},
	{in, beside, "a cat in a box", "a cat next to a box"},
	{in, above, "a bird in a tree", "a bird above a tree"},
	{under, above, "a lamp under a shelf", "a lamp above a shelf"},
	{behind, before, "a man behind a car", "a man in front of a car"},
	{behind, above, "a bird behind a house", "a bird above a house"},
	{left, right, "a cat to the left of a dog", "a cat to the right of a dog"},
	{up, down, "a man walking up a hill", "a man walking down a hill"},
	{into, outOf, "a man walking into a house", "a man walking out of a house"},
	{amidst, edge, "a cow in the middle of a road", "a cow on the side of a road"},
}

func placeOf(prep string) place {
	for i := range places {
		if slices.Contains(places[i].words, prep) {
			return places[i].place
		}
	}
	return nowhere
}

func exclude(a, b place) bool {
	for i := range exclusions {
		if e := &exclusions[i]; e.a == a && e.b == b || e.a == b && e.b == a {
			return true
		}
	}
	return false
}
