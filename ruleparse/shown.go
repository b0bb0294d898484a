package ruleparse

import "slices"

// likenesses are things that show another.
const likenesses = " bust carving cartoon doll drawing figurine graffiti model mural painting replica sculpture silhouette silhouettes sketch statue statues "

// media are what a picture is called by those who describe it: no object.
const media = " clipart close-up closeup illustration image painting photo photograph photography picture portrait render rendering shot view "

// sorts are what a number counts rather than what they are of: "two views of a bag", "three
// types of flowers".
const sorts = " flavors flavours images kinds photographs photos pictures rows shots sorts styles types varieties views "

// picture adds a picture that the model left out, as what it shows follows: "an *image* of a cat",
// not "takes a photo of herself".
func (x *analysis) picture(ts []span) {
	fresh := x.fresh[:0]
	for i := 0; i+2 < len(ts); i++ {
		next := &ts[i+2]
		if ts[i+1].low == "of" && oneOf(" image photo photograph picture ", ts[i].low) && !x.inNode[i] && isNoun(ts[i].tag) && next.tag != tagPRP && next.kind != mark && !x.worded(int32(i)) {
			fresh = append(fresh, makeNode(ts, i, i+1, false))
			x.inNode[i] = true
		}
	}
	x.found(ts, fresh)
}

// worded reports whether token i is a word of a predicate.
func (x *analysis) worded(i int32) bool {
	return slices.ContainsFunc(x.edges, func(e relation) bool {
		c := &e.candidate
		return c.implied == 0 && slices.Contains(c.words[:c.n], i)
	})
}

// shown takes what is said of a likeness from what it shows: in "a bronze statue of
// a woman" the statue is a thing of its own, and of bronze.
func (x *analysis) shown(ts []span) {
	links := x.links[:0]
	for _, l := range x.links {
		k, o := &x.nodes[l.attribute], &x.nodes[l.object]
		of := k.to
		for of < min(o.from, k.to+maxPair) && ts[of].low != "of" {
			of++
		}
		if of >= o.from || of == 0 || ts[of].low != "of" || !oneOf(likenesses, ts[of-1].low) && !oneOf(media, ts[of-1].low) && !oneOf(sorts, ts[of-1].low) {
			links = append(links, l)
			continue
		}
		if oneOf(sorts, ts[of-1].low) && !isQuantity(ts, k.from, k.to) {
			links = append(links, l)
			continue
		}
		if of == k.to && oneOf(likenesses, ts[of-1].low) {
			k.attribute = false
			c := candidate{where: between, n: 1}
			c.words[0] = of
			x.edges = append(x.edges, relation{l.attribute, l.object, c})
			continue
		}
		for m := l.attribute + 1; m < l.object; m++ {
			if n := &x.nodes[m]; n.to == of && (!n.attribute || oneOf(likenesses, ts[of-1].low)) {
				links = append(links, link{l.attribute, m})
			}
		}
	}
	x.links = links
	x.order()
}
