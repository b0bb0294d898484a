package ruleparse

import (
	"slices"
)

// overlooked adds the persons and things that the model left out. It knows few of
// the nouns that captions of the web are full of, but an article or a preposition
// before a noun of which WordNet says that it is a thing tells enough.
func (x *analysis) overlooked(ts []span) {
	fresh := x.fresh[:0]
	for i := range ts {
		if from := x.overlooks(ts, i); from >= 0 {
			fresh = append(fresh, makeNode(ts, from, i+1, false))
			for k := from; k <= i; k++ {
				x.inNode[k] = true
			}
		}
	}
	x.found(ts, fresh)
}

// found adds objects, and relates them with those beside them.
func (x *analysis) found(ts []span, fresh []node) {
	x.fresh = fresh
	if len(fresh) == 0 {
		return
	}
	x.insert(fresh)
	x.added = x.added[:0]
	next := 0
	for k := range x.nodes {
		if next < len(fresh) && x.nodes[k].from == fresh[next].from {
			next++
			x.relateBefore(ts, k)
			x.relateAfter(ts, k)
		}
	}
	x.include()
	x.strip(ts)
}

// WordNet's lexicographer files of more nouns that can be seen.
const (
	classAct           = 4
	classBody          = 8
	classCommunication = 10
	classEvent         = 11
	classFood          = 13
	classLocation      = 15
	classObject        = 17
	classPhenomenon    = 19
	classSubstance     = 27
)

// thing reports whether a noun of a class can be seen.
func thing(class uint8) bool {
	switch class {
	case classAct, classAnimal, classArtifact, classBody, classCommunication, classEvent, classFood, classGroup, classLocation,
		classObject, classPerson, classPhenomenon, classPlant, classSubstance:
		return true
	}
	return false
}

// overlooks returns where the object that ends at token i begins, or -1 where none
// ends there.
func (x *analysis) overlooks(ts []span, i int) int {
	t := &ts[i]
	if from := x.named(ts, i); from >= 0 {
		return from
	}
	if x.inNode[i] || t.tag != tagNN && t.tag != tagNNS && (t.tag != tagNNP || t.capital) || t.kind != letters || t.measure || t.flags&verbIng != 0 || oneOf(parts, t.low) || oneOf(quantityNouns, t.low) {
		return -1
	}
	does := t.person() && i+1 < len(ts) && !x.inNode[i+1] && onlyVerb(&ts[i+1])
	if !does && i+1 < len(ts) && (t.class == classGroup && ts[i+1].low == "of" || isNoun(ts[i+1].tag) || ts[i+1].tag == tagPOS || ts[i+1].kind == letters && x.inNode[i+1]) {
		return -1
	}
	from := i
	for from > 0 && !x.inNode[from-1] && ts[from-1].tag == tagNN && compounds(ts, int32(from)) {
		from--
	}
	j := from
	for j > 0 && !x.inNode[j-1] && qualifies(&ts[j-1]) {
		j--
	}
	if does {
		return from
	}
	if j > 0 && !determines(&ts[j-1]) && ts[j-1].tag != tagIN || !thing(t.class) {
		return -1
	}
	return from
}

// named is where the name of somebody or of a place begins that ends at token i and has no
// other words beside it, or -1: "Chris Hemsworth speaks", "the beach in Wichita". A word
// alone is one only after a preposition.
func (x *analysis) named(ts []span, i int) int {
	if x.inNode[i] || !names(ts, int32(i)) || ts[i].tag != tagNNP || i+1 < len(ts) && ts[i+1].low == "of" {
		return -1
	}
	from := i
	for from > 0 && !x.inNode[from-1] && names(ts, int32(from-1)) {
		from--
	}
	alone := from == i
	if !x.apart(ts, i+1) && (alone || x.inNode[i+1] || !isVerb(ts[i+1].tag)) {
		return -1
	}
	dated := true
	for k := from; k <= i; k++ {
		if oneOf(noNames, ts[k].low) {
			return -1
		}
		dated = dated && oneOf(dates, ts[k].low)
	}
	if dated {
		return -1
	}
	before := from - 1
	if before >= 0 && ts[before].tag == tagDT {
		before--
	}
	if !x.apart(ts, before) || alone && (before != from-1 || before < 0 || !oneOf(" at by from in near ", ts[before].low)) {
		return -1
	}
	return from
}

// apart reports whether token i, beside a name, ends it: a mark, a preposition, a conjunction
// or the end.
func (x *analysis) apart(ts []span, i int) bool {
	return i < 0 || i == len(ts) || !x.inNode[i] && (ts[i].kind == mark || ts[i].tag == tagIN || ts[i].tag == tagCC)
}

// onlyVerb reports whether t is a verb in the third person and nothing else, whatever
// its tag.
func onlyVerb(t *span) bool { return t.flags&verbS != 0 && t.flags&anyNoun == 0 && !t.be }

// insert puts nodes where they belong.
func (x *analysis) insert(fresh []node) {
	old := len(x.nodes)
	x.nodes = append(x.nodes, fresh...)
	for i := range old {
		x.moved = append(x.moved, int32(i))
	}
	i, j := old-1, len(fresh)-1
	for k := len(x.nodes) - 1; j >= 0; k-- {
		if i >= 0 && x.nodes[i].from > fresh[j].from {
			x.nodes[k], x.moved[i] = x.nodes[i], int32(k)
			i--
		} else {
			x.nodes[k] = fresh[j]
			j--
		}
	}
	x.move()
}

// relateBefore relates object b with the one before it, where a verb or a
// preposition stands between. What the model relates by the same words with an
// object further on is wrong: "a gown against a backdrop of sunlight".
func (x *analysis) relateBefore(ts []span, b int) {
	a := x.previous(b)
	if a < 0 {
		return
	}
	c, ok := x.stated(ts, x.nodes[a].to, b)
	if !ok {
		return
	}
	x.claim(b, c.words[c.n-1:c.n])
	x.added = append(x.added, relation{int32(a), int32(b), c})
}

// claim takes the words that say something of object b from what the model says with them of
// objects after it.
func (x *analysis) claim(b int, words []int32) {
	for k := x.edgesFrom(b + 1); k < len(x.edges) && int(x.edges[k].b) <= b+maxNeighbour; k++ {
		if c := &x.edges[k].candidate; c.implied == 0 && c.n > 0 && slices.Contains(words, c.words[c.n-1]) {
			c.n = 0
		}
	}
}

// relateAfter relates object a with the one after it, unless the model relates that
// one with another by the same words. Only "of" belongs to the noun before it.
func (x *analysis) relateAfter(ts []span, a int) {
	b := a + 1
	for b < len(x.nodes) && x.nodes[b].attribute {
		b++
	}
	if b == len(x.nodes) {
		return
	}
	c, ok := x.stated(ts, x.nodes[a].to, b)
	if !ok {
		return
	}
	for k := x.edgesFrom(b); k < len(x.edges) && int(x.edges[k].b) == b; k++ {
		d := &x.edges[k].candidate
		if d.implied != 0 || d.n == 0 || d.words[d.n-1] != c.words[c.n-1] {
			continue
		}
		if d.words[0] > x.nodes[a].from && ts[d.words[0]].low != "of" {
			return
		}
		d.n = 0
	}
	x.added = append(x.added, relation{int32(a), int32(b), c})
}

// stated is the predicate that stands between token from and object b: a preposition,
// or a verb with or without one.
func (x *analysis) stated(ts []span, from int32, b int) (candidate, bool) {
	to := x.begins(b)
	c := candidate{where: between}
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.inNode[i] || t.kind == mark || t.tag == tagCC || i > from && (t.tag == tagWDT || t.tag == tagWP) || t.tag == tagPRP:
			return c, false
		case tells(ts, i) && !(t.measure && i > from), i > from && spot(ts, i), t.low == "of" && i > from && spot(ts, i-1):
			if c.n == maxPredicate {
				return c, false
			}
			c.words[c.n] = i
			c.n++
		case !silent(t) && !qualifies(t):
			return c, false
		}
	}
	return c, c.n > 0
}

// spot reports whether token i, before "of", says where at a thing something is: "in *front* of
// a car", "down the *side* of a hill".
func spot(ts []span, i int32) bool {
	t, l := &ts[i], &ts[i-1]
	return isNoun(t.tag) && ts[i+1].low == "of" && (prepositions(l) || determines(l) && i > 1 && prepositions(&ts[i-2])) && oneOf(regions, t.low)
}

// tells reports whether token i belongs to a predicate, as it stands before an object:
// it is a verb or a preposition, perhaps tagged as an adverb ("down a slope", "next to").
func tells(ts []span, i int32) bool {
	t, next := &ts[i], &ts[i+1]
	switch t.tag {
	case tagIN, tagTO, tagRP:
		return true
	}
	return isVerb(t.tag) && !t.be || onlyVerb(t) || t.low == "next" && next.low == "to" ||
		prepositions(t) && (determines(next) || prepositions(next))
}

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

// absent reports whether the text says that object i is not there: "trees with no
// leaves", "a man without a shirt". "No" before a sign is what the sign says.
func absent(ts []span, x *analysis, i int) bool {
	n := &x.nodes[i]
	if oneOf(" sign signs ", ts[n.to-1].low) {
		return false
	}
	begin := x.begins(i)
	for begin > 0 && !x.inNode[begin-1] && (qualifies(&ts[begin-1]) || determines(&ts[begin-1]) && ts[begin-1].low != "no") {
		begin--
	}
	return begin > 0 && oneOf(" no without ", ts[begin-1].low)
}

// negated reports whether what c says is said not to be: "a dish that was not served to the
// guests", "eating without using his hands".
func negated(ts []span, c *candidate) bool {
	first, last := c.words[0], c.words[c.n-1]
	from := max(0, first-maxPair)
	for first > from && (ts[first-1].be || ts[first-1].tag == tagTO || ts[first-1].tag == tagRB && !denies(ts, first-1) || perfect(ts, first-1) >= 0) {
		first--
	}
	if first > 0 && ts[first-1].low == "without" && isVerb(ts[first].tag) {
		return true
	}
	for i := max(first-1, 0); i < last; i++ {
		if denies(ts, i) {
			return true
		}
	}
	return false
}

// denies reports whether token i is a "not" that leaves nothing of what follows, as "not only"
// and "not just" do not.
func denies(ts []span, i int32) bool {
	return oneOf(" n't n’t never not ", ts[i].low) && !(int(i)+1 < len(ts) && oneOf(" just only ", ts[i+1].low))
}
