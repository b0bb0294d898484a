package negatives

// everybodys are parts that all people have, and no vase.
const everybodys = " hand arm leg foot head face eye ear mouth nose neck lap shoulder "

// withPart holds for "with" such a part.
func withPart(r *relation, part *noun) bool {
	return r.key == "with" && contains(everybodys, part.head)
}

// furnished are places with what most of them have: where it is said of the place itself
// it says nothing new.
var furnished = []equipped{
	{" city street road town intersection highway ", " building car truck bus vehicle tree light sign sidewalk people person man woman pedestrian pole lamp lane ", "a street with a dog", "a street with a car"},
	{" park field yard garden forest hill hillside ", " tree flower grass leaf bush plant ", "a park with a bench", "a park with a tree"},
	{" room kitchen bathroom bedroom office ", " door window light plant ", "a room with a chair", "a room with a door"},
	{" market store station airport plaza restaurant ", " people person man woman ", "a market with bins", "a market with people"},
}

// furnishing has the rows of furnished that a noun is a place in, and a part.
type furnishing struct{ place, part uint16 }

func furnishingOf(head string) (f furnishing) {
	f.place, f.part = rowsOf(furnished, head)
	return f
}

// furnishes holds where a place mostly has such a part.
func (n *noun) furnishes(place *noun) bool { return n.furnishing.part&place.furnishing.place != 0 }

// scenery are heads of what stands beside most things, said or not: "a bus near
// a tree".
const scenery = ` fence building tree road street sidewalk pole bush house car sign field mountain chair table window door people person
man woman `

// backdrops are heads of what is behind all in an image.
const backdrops = " background distance "

// anyway holds where what the slot says would be true with the noun in it of most
// images that a caption with the slot's own noun describes.
func (s *slot) anyway(n *noun) bool {
	switch r := s.relation; {
	case s.other == nil, n.kind == people && s.of == people: // who is said to be a woman is no man
		return false
	case s.object && r.verb == "wear", s.object && s.other.alive() && r.place == in && s.noun.kind == clothing:
		return n.wornOn != s.noun.wornOn || n.wornOn == noPart
	case s.object && r.prep == "with":
		return s.other.alive() && withPart(r, n) || n.furnishes(s.other)
	case s.object:
		return n.scenery && (r.place == beside || r.place == nearby)
	case r.verb == "":
		return n.scenery && contains(backdrops, s.other.head) || n.furnishes(s.other) && (r.place == on || r.place == in)
	}
	return false
}
