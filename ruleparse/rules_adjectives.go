package ruleparse

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// attributive adds the adjectives, the names and the nouns before an object that the model
// left out, names of several words as one: "a Van Gogh museum", "San Francisco skyline".
func (b *building) attributive() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.nodes {
		if at[i] < 0 || x.nodes[i].attribute {
			continue
		}
		j := x.nodes[i].from
		for k := i - 1; k >= 0 && x.nodes[k].attribute && x.nodes[k].to == j && !isQuantity(ts, x.nodes[k].from, j); k-- {
			j = x.nodes[k].from
		}
		for j > 0 && !x.inNode[j-1] {
			to := j
			switch {
			case qualifies(&ts[j-1]), participial(ts, j-1):
				j--
			case j > 1 && measures(ts, j-2) && !x.inNode[j-2]:
				j -= 2 // "a four lane road"
			default:
				if j = x.name(ts, i, j); j == to {
					j = x.classifier(ts, i, j)
				}
			}
			if j == to {
				break
			}
			insertAttribute(&g.Objects[at[i]], schemas.Attribute{Text: phrase(low, ts, j, to), Form: schemas.Pre, Begin: ts[j].begin, End: ts[to-1].end})
		}
	}
}

// participial reports whether token i is a participle right after an article or "his" and its
// like, so that it is said of the noun after it: "their opening goal", "in matching hats".
func participial(ts []span, i int32) bool {
	if i == 0 || ts[i].tag != tagVBG && ts[i].tag != tagVBN || ts[i].be {
		return false
	}
	return ts[i-1].tag == tagPRPS || oneOf(" a an the ", ts[i-1].low) || ts[i].low == "matching" && (oneOf(" in of with ", ts[i-1].low) || ts[i-1].tag == tagVBG)
}

// name is where the name begins that ends before token to, or to where none does. A word
// of a predicate of object k is no part of it.
func (x *analysis) name(ts []span, k int, to int32) int32 {
	from := to
	for from > 0 && !x.inNode[from-1] && names(ts, from-1) && !x.relates(k, from-1) {
		from--
	}
	return from
}

// names reports whether token i is a word of a name. A word that begins a sentence has a
// capital anyway and may be mistyped: "Tow cats".
func names(ts []span, i int32) bool {
	t := &ts[i]
	mistyped := i == 0 && !t.capitals && (len(ts) == 1 || !ts[1].capital) && (t.entry < 0 || oneOf(" te thee tow ", t.low))
	if !t.capital || mistyped || t.entry < 0 && coded(t.low) {
		return false
	}
	return t.kind == letters && isNoun(t.tag) && !t.measure && len(t.low) > 1 && !oneOf(drawn, t.low) && !hollow(t.low)
}

// hollow reports whether a word says nothing of a thing beside it, but where it is sold or
// how many there are.
func hollow(w string) bool {
	return oneOf(boilerplate, w) || oneOf(unspecific, w) || oneOf(quantityNouns, w) || oneOf(quantityWords, w)
}

// classifier is where the nouns begin that end before token to and say what kind of thing
// object k is, or to: "a sippy cup", "a green exit sign", "seven business people".
func (x *analysis) classifier(ts []span, k int, to int32) int32 {
	from := to
	for from > 0 && !x.inNode[from-1] && isNoun(ts[from].tag) && classifies(ts, from-1) && !x.relates(k, from-1) {
		from--
	}
	return from
}

// classifies reports whether token i can be a noun before another that says what kind. A word
// that nobody knows may be two ("of thebad girl"), one in "-ing" a verb and another say nothing
// without the word before it ("in orange color balloons") unless the phrase begins with it.
func classifies(ts []span, i int32) bool {
	t := &ts[i]
	if t.tag != tagNN && t.tag != tagNNP || t.kind != letters || len(t.low) == 1 || t.measure || coded(t.low) {
		return false
	}
	if oneOf(unclassifying, t.low) || oneOf(anybody, t.low) || oneOf(media, t.low) || oneOf(stockOf, t.low) || hollow(t.low) {
		return false
	}
	unknown := t.flags == 0 && (!t.capital || i == 0)
	doubtful := t.flags&verbIng != 0 || oneOf(neverFirst, t.low)
	if i == 0 {
		return !unknown && !doubtful
	}
	l := &ts[i-1]
	if l.person() && t.flags&verbBase != 0 || measures(ts, i-1) {
		return false // "firefighters vent house roof", "a four lane road"
	}
	return !unknown && !doubtful || determines(l) || unknown && l.tag == tagJJ || doubtful && l.tag == tagIN
}

// relates reports whether token i is a word of a predicate of object k with one
// before it.
func (x *analysis) relates(k int, i int32) bool {
	return slices.ContainsFunc(x.edgesOf(k), func(e relation) bool { return slices.Contains(e.candidate.words[:e.candidate.n], i) })
}

// qualifies reports whether t is an adjective that says what kind, or a word with
// a hyphen, which before a noun mostly is one.
func qualifies(t *span) bool {
	adjectival := t.flags&adjective != 0 && (t.tag == tagJJ || t.tag == tagJJS) || isNoun(t.tag) && strings.Contains(t.low, " - ")
	return adjectival && t.kind == letters && !oneOf(unqualifying, t.low) && !oneOf(quantityWords, t.low)
}

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
