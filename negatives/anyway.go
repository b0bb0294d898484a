package negatives

import "slices"

// withPart holds for "with" such a part.
func withPart(r *relation, part *noun) bool {
	return r.key == "with" && contains(everybodys, part.head)
}

// furnished are places and dishes with what most of them have: where it is said of the
// place itself it says nothing new.
var furnished = []equipped{
	{" city street road town intersection highway corner curb crosswalk ", " building car truck bus vehicle tree light sign sidewalk people person man woman pedestrian pole lamp lane ", "a street with a dog", "a street with a car"},
	{" park field yard garden forest hill hillside ", " tree flower grass leaf bush plant ", "a park with a bench", "a park with a tree"},
	{" room kitchen bathroom bedroom office lobby ", " door window light plant lamp picture painting poster rug carpet curtain cabinet shelf furniture ", "a room with a chair", "a room with a door"},
	{" house home building apartment cottage villa mansion hotel church castle ", " window door roof wall garden yard porch balcony chimney tree bush flower room stair staircase fence person people man woman light furniture ", "a house with a bike", "a house with a window"},
	{" beach shore coast seaside ", " sand wave rock water sea ocean person people man woman umbrella chair bird ", "a beach with a dog", "a beach with people"},
	{" sky ", " cloud sun bird light star ", "a sky with a kite", "a sky with clouds"},
	{" mountain ", " snow tree rock cloud forest ", "a mountain with a house", "a mountain with trees"},
	{" sandwich burger hamburger sub hotdog wrap taco burrito ", " meat bread bun cheese sauce lettuce tomato onion mayonnaise mustard ketchup vegetable filling ", "a sandwich with a pickle", "a sandwich with meat"},
	{" pizza ", " cheese sauce tomato crust vegetable meat herb ", "a pizza with mushrooms", "a pizza with cheese"},
	{" salad ", " lettuce tomato vegetable dressing sauce herb ", "a salad with an egg", "a salad with lettuce"},
	{" cake cupcake ", " icing frosting cream sugar ", "a cake with a candle", "a cake with icing"},
	{" bed ", " pillow blanket sheet comforter mattress headboard frame ", "a bed with a cat", "a bed with a pillow"},
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

// already holds where the corpus has what stands in the slot often enough on, in or at what
// would come there instead: who is on a skateboard is on a street too. What sits on a bench
// sits on no table.
func (g *Generator) already(s *slot, n *noun) bool {
	if s.relation == nil || !s.object || !puts(s.relation) || s.relation.place == on && slices.Contains(postures, s.relation.verb) {
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
