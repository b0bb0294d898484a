package ruleparse

import "capgraph/schemas"

// colours are what somebody can be "in" without a garment being named.
const colours = " blue red white black green yellow orange pink purple brown gray grey beige navy gold silver camouflage uniform "

// wearing are what may stand before such a colour.
const wearing = " in wearing "

// dyed are participles that may stand before "in" and a colour.
const dyed = " clad colored coloured covered decorated done dressed painted "

// shades may stand between "in" and the colour.
const shades = " all dark light bright "

// wornColour reports whether token i is the colour of "a woman in blue", or the second of "in blue
// and white".
func wornColour(ts []span, i int) bool {
	return firstWorn(ts, i) || secondWorn(ts, i)
}

// secondWorn reports whether token i is a colour that is worn with the one before a conjunction.
func secondWorn(ts []span, i int) bool {
	return i > 3 && ts[i-1].tag == tagCC && oneOf(colours, ts[i].low) && firstWorn(ts, i-2)
}

// firstWorn reports whether token i is the first colour that is worn.
func firstWorn(ts []span, i int) bool {
	if i < 2 || wornFrom(ts, i) < 0 || !oneOf(colours, ts[i].low) {
		return false
	}
	return (i+1 == len(ts) || !oneOf(colours, ts[i+1].low)) && !garment(ts, i+1)
}

// garment reports whether a noun is named from token i on, perhaps after another
// colour and adjectives: "in blue and white striped pants", "on white background".
func garment(ts []span, i int) bool {
	if i+1 < len(ts) && ts[i].tag == tagCC && oneOf(colours, ts[i+1].low) {
		i += 2
	}
	from := i
	for ; i < len(ts); i++ {
		switch t := &ts[i]; {
		case isNoun(t.tag) && t.flags&verbIng == 0:
			return true
		case i+1 < len(ts) && t.flags&verbIng != 0 && oneOf(" boots jacket pants shorts suit ", ts[i+1].low):
			return true // "jogging pants"
		case t.tag == tagJJ, t.tag == tagVBN, t.flags&verbIng != 0 && !animate(t.low) && !oneOf(postureVerbs, t.low):
		default:
			return false
		}
	}
	return i > from // "wearing black shorts" mistyped
}

// wornFrom is the "in" or "wearing" before the colour at token i, or -1.
func wornFrom(ts []span, i int) int {
	from := i - 1
	if oneOf(shades, ts[from].low) {
		from--
	}
	if from < 1 || !oneOf(wearing, ts[from].low) {
		return -1
	}
	return from
}

// saidOf is where what is dressed in a colour ends, of which "in" is token i: "a room that
// is painted in blue", "a man is in blue".
func saidOf(ts []span, i int32) int32 {
	if i > 0 && oneOf(dyed, ts[i-1].low) {
		i--
	}
	for ; i > 0 && (ts[i-1].be || relates(&ts[i-1])); i-- {
	}
	return i
}

// dress adds "in blue" to the object that stands before it, and "white" where that follows.
func (b *building) dress() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	owner := int32(-1)
	for i, next := 0, 0; i < len(ts); i++ {
		if owner >= 0 && secondWorn(ts, i) {
			insertAttribute(&g.Objects[owner], schemas.Attribute{Text: ts[i].low, Form: schemas.Post, Begin: ts[i].begin, End: ts[i].end})
			continue
		}
		if !firstWorn(ts, i) {
			continue
		}
		owner = -1
		from := int32(wornFrom(ts, i))
		to := saidOf(ts, from)
		for next < len(x.nodes) && x.nodes[next].to <= to {
			next++
		}
		switch {
		case next == 0:
			continue
		case x.nodes[next-1].to == to && to < from && isFinite(&ts[to]):
			owner = at[phraseHead(ts, x, int32(next-1), x.edgesFrom(next), to)]
		case x.nodes[next-1].to == to:
			owner = at[next-1]
		case i+2 < len(ts) && secondWorn(ts, i+2) && x.concludes(ts, int32(i)+3) && ts[i].low == "black":
			owner = x.first(at) // "zebras photographed in black and white"
		}
		if owner < 0 {
			continue
		}
		insertAttribute(&g.Objects[owner], schemas.Attribute{
			Text: phrase(low, ts, from, int32(i)+1), Form: schemas.Post, Begin: ts[from].begin, End: ts[i].end,
		})
	}
}

// first is the first object of the text that is in the graph, or -1.
func (x *analysis) first(at []int32) int32 {
	for i := range at {
		if at[i] >= 0 {
			return at[i]
		}
	}
	return -1
}
