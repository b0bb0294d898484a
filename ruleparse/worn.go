package ruleparse

import "capgraph/schemas"

// colours are what somebody can be "in" without a garment being named.
const colours = " blue red white black green yellow orange pink purple brown gray grey beige navy gold silver camouflage uniform "

// shades may stand between "in" and the colour.
const shades = " all dark light bright "

// wornColour reports whether token i is the colour of "a woman in blue".
func wornColour(ts []span, i int) bool {
	if i < 2 || !oneOf(colours, ts[i].low) {
		return false
	}
	if i+1 < len(ts) {
		r := &ts[i+1]
		if (isNoun(r.tag) || r.tag == tagJJ) && r.flags&verbIng == 0 || r.kind == letters && oneOf(colours, r.low) {
			return false
		}
		if r.tag == tagCC && i+2 < len(ts) && oneOf(colours, ts[i+2].low) {
			return i+3 < len(ts) && !isNoun(ts[i+3].tag) || i+3 == len(ts)
		}
	}
	return wornFrom(ts, i) >= 0
}

// wornFrom is the "in" before the colour at token i, or -1.
func wornFrom(ts []span, i int) int {
	from := i - 1
	if oneOf(shades, ts[from].low) {
		from--
	}
	if from < 1 || ts[from].low != "in" {
		return -1
	}
	return from
}

// dress adds "in blue" to the object that stands before it.
func dress(low string, ts []span, x *analysis, at []int32, g *schemas.SceneGraph) {
	for i, next := 0, 0; i < len(ts); i++ {
		if !wornColour(ts, i) {
			continue
		}
		from := int32(wornFrom(ts, i))
		for next < len(x.nodes) && x.nodes[next].to <= from {
			next++
		}
		if from < 0 || next == 0 || at[next-1] < 0 || x.nodes[next-1].to != from {
			continue
		}
		insertAttribute(&g.Objects[at[next-1]], schemas.Attribute{
			Text: phrase(low, ts, from, int32(i)+1), Form: schemas.Post, Begin: ts[from].begin, End: ts[i].end,
		})
	}
}

// wears reports whether a candidate is the "in" of a worn colour.
func (c *candidate) wears(ts []span) bool {
	if c.implied != 0 || c.n != 1 || ts[c.words[0]].low != "in" {
		return false
	}
	i := int(c.words[0]) + 1
	if i < len(ts) && oneOf(shades, ts[i].low) {
		i++
	}
	return i < len(ts) && wornColour(ts, i)
}
