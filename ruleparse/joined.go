package ruleparse

import "strings"

// joins reports whether object a and the one that begins at token b are one
// compound: in a title, where the model left out a word of it, or after an article
// where the model does not say that the first has the second ("the dance floor",
// not "a dog tail"), after a possessive ("the men's dance floor"), after an adjective
// where neither is in the other, or where a thing would have a person who has to do with
// it ("a rock artist"). So are the words of a name, the first of which the model takes for an
// attribute, and two things that the model relates as it relates words of a compound.
func (x *analysis) joins(ts []span, a *node, i int, long bool) bool {
	b := &x.nodes[i]
	if a.to != b.from || b.to-a.from > maxName {
		return false
	}
	if a.attribute {
		return properName(ts[a.from:b.to]) && !oneOf(makers, ts[a.from].low)
	}
	if !b.alive && !b.nameless(ts) && x.laid(ts, i) {
		return true
	}
	if !compounds(ts, b.from) {
		return false
	}
	if long || ts[b.from].capital || a.from > 0 && (!x.implies(i, "have") && ts[a.from-1].tag == tagDT || ts[a.from-1].tag == tagPOS) {
		return true
	}
	if x.begins(i-1) < a.from && !a.alive && !b.alive && !x.implies(i, "have") && !x.implies(i, "in") {
		return true // "a large cheese pizza", not "a white bathroom sink" nor "blue sky bird is flying in"
	}
	if ts[a.to-1].tag != tagNN || a.person {
		return false
	}
	if x.implies(i, "have") {
		acts := b.alive && ts[a.from].flags&verbIng != 0 // "painting women"
		measured := a.from > 0 && measures(ts, a.from-1) // "a five lane road"
		return !a.alive && !acts && !measured && !x.partOf(ts, i) && !oneOf(boilerplate, ts[a.from].low)
	}
	return !a.alive && does(&ts[b.to-1]) || !x.neighbours(i) && !oneOf(anybody, ts[b.to-1].low)
}

// laid reports whether the model has the noun before object b on it, where the two are one
// compound: "a dining room table", "pizza rolls", not "a cheese pizza".
func (x *analysis) laid(ts []span, b int) bool {
	last := &ts[x.nodes[b-1].to-1]
	return last.tag == tagNN && oneOf(underlying, ts[x.nodes[b].to-1].low) && x.nodes[b].to == x.nodes[b].from+1 && x.implies(b, "on")
}

// underlying are heads of compounds on which their first nouns are not.
const underlying = " apartment area building cabin case cases cups match meal pie ribs rolls stalls table topping tractor tub "

// partOf reports whether one of object b and the object before it, of which the model says that
// one has the other, is a part: "a tree branch", "a tv screen", "screen tv", not "rain boots"
// nor "croc bag".
func (x *analysis) partOf(ts []span, b int) bool {
	for _, e := range x.edgesOf(b) {
		if int(e.a) == b-1 && e.candidate.implied != 0 {
			if e.candidate.reversed {
				return oneOf(partsBefore, ts[x.nodes[e.a].to-1].low)
			}
			last := &ts[x.nodes[b].to-1]
			return last.class == classBody || oneOf(partsOfThings, strings.TrimSuffix(last.low, "s"))
		}
	}
	return false
}

// partsOfThings are parts that stand after the whole, without the s of a plural, partsBefore
// those that stand before it.
const (
	partsOfThings = " arch awning balcony bathroom bedroom blade blind branch branche brim bumper button cab caboose cabin chimney cockpit cover curtain dash dashboard deck door doorway drain driveway engine entrance faucet feather fender floor frame fur grille handle handlebar hood jamb key keyboard keypad kitchen kitchenette knob label ledge leaf leave lens lid limb logo mast mirror motor number page pedal petal pocket porch railing restroom roof room runway screen seat shelf shelve shore sill sink spire steeple step strap sunroof tag tarmac terminal tire tower trunk wall wheel windowsill windshield window wing wool yard "
	partsBefore   = " bed canopy collar door engine face fur head hood logo neck screen sleeve "
)

// properName reports whether words are nothing but a name, all written alike: "Hong Kong", not
// "Iowa Basketball".
func properName(ts []span) bool {
	for i := range ts {
		t := &ts[i]
		common := t.flags&listed != 0 || t.flags&anyNoun != 0 && t.flags&named == 0 && !t.person()
		if common || t.tag != tagNNP || !t.capital || t.kind != letters || t.capitals != ts[0].capitals || coded(t.low) || oneOf(boilerplate, t.low) {
			return false
		}
	}
	return true
}

// makers are names that stand before what they make, as its attributes.
const makers = " adidas apple bmw canon ford honda microsoft nike nintendo samsung sony toyota "

// maxName is how many tokens a name of several objects has at most.
const maxName = 24

// anybody are nouns of persons that say nothing of what they do: "in a room people stand".
const anybody = " boy boys child children girl girls kids lady man men people person persons woman women "

// does reports whether a noun names a person by what they do: "rock artist" and "film
// director", not "stool man is sitting on".
func does(t *span) bool {
	if !t.person() || oneOf(femaleNouns, t.low) || oneOf(maleNouns, t.low) {
		return false
	}
	noun := strings.TrimSuffix(t.low, "s")
	return strings.HasSuffix(noun, "er") || strings.HasSuffix(noun, "or") || strings.HasSuffix(noun, "ist")
}
