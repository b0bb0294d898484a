package ruleparse

import (
	"slices"
	"strings"
)

// wholeNames makes objects of whole compounds. The head of an English compound
// is its last noun; where the model ends an object before it, or makes two
// objects of one compound, the words it does not know are often to blame: "a
// flower delivery to the office", "a city fire department truck".
func (x *analysis) wholeNames(ts []span) {
	kept := 0
	long := false // the object before was lengthened
	for i := range x.nodes {
		n := x.nodes[i]
		x.moved = append(x.moved, int32(kept))
		to := n.to
		if !n.attribute {
			to = x.end(ts, n.to)
		}
		if kept > 0 && n.attribute && x.ends(ts, &x.nodes[kept-1], &n) {
			x.nodes[kept-1] = makeNode(ts, int(x.nodes[kept-1].from), int(n.to), false)
			x.moved[i] = int32(kept - 1)
			continue
		}
		if kept > 0 && !n.attribute && x.joins(ts, &x.nodes[kept-1], i, long) {
			n.from = x.nodes[kept-1].from
			kept--
			x.moved[i] = int32(kept)
			long = true
		}
		if !n.attribute {
			n.from = x.begin(ts, i, n.from)
			for to-n.from > 1 && ts[n.from+1].class != classAnimal && ts[to-1].class != classAnimal && ts[n.from].known == 0 && leads(&ts[n.from]) {
				x.inNode[n.from] = false
				n.from++
			}
		}
		long = long && n.from < x.nodes[i].from || to > n.to
		if n.from != x.nodes[i].from || to > n.to {
			n = makeNode(ts, int(n.from), int(to), n.attribute)
		}
		x.nodes[kept] = n
		kept++
	}
	x.nodes = x.nodes[:kept]
	x.move()
	x.strip(ts)
}

// end is where the compound that ends at token to ends with the nouns after it.
func (x *analysis) end(ts []span, to int32) int32 {
	for int(to) < len(ts) && !x.inNode[to] && compounds(ts, to) {
		x.inNode[to] = true
		to++
	}
	return to
}

// begin is where object k, which begins at token from, begins with the words of its name or
// the nouns of a title before it, or with the noun that an article, an adjective, a number or a
// preposition stands before, and that is no predicate of it.
func (x *analysis) begin(ts []span, k int, from int32) int32 {
	for from > 0 && !x.inNode[from-1] && names(ts, from-1) && properName(ts[from-1:x.nodes[k].to]) && !oneOf(makers, ts[from-1].low) {
		from--
		x.inNode[from] = true
	}
	if from < 2 || x.inNode[from-1] || !compounds(ts, from) {
		return from
	}
	first := &ts[from-1]
	if first.tag != tagNN || first.flags&nounSingular == 0 || first.class == classAnimal || first.person() || first.measure || strings.Contains(first.low, "-") || oneOf(neverFirst, first.low) {
		return from
	}
	if !(first.capital && ts[from].capital) && !x.opens(ts, k, from-1) || x.relates(k, from-1) {
		return from
	}
	x.inNode[from-1] = true
	return from - 1
}

// opens reports whether a compound may begin with token i by what stands before it: an
// article, an adjective, an attribute of object k ("wedding ceremony decorations"), a number
// of what the next noun names ("two city streets") or a preposition.
func (x *analysis) opens(ts []span, k int, i int32) bool {
	switch l := &ts[i-1]; l.tag {
	case tagDT, tagPRPS, tagJJ:
		return true
	case tagCD:
		return ts[i+1].flags&nounPlural != 0
	case tagIN:
		return ts[i].flags&verbIng == 0 && !oneOf(" background half someone tow ", ts[i].low)
	}
	return k > 0 && x.nodes[k-1].attribute && x.nodes[k-1].to == i && !oneOf(units, ts[i].low)
}

// compounds reports whether token i continues the compound that the token before
// it belongs to.
func compounds(ts []span, i int32) bool {
	l, t := &ts[i-1], &ts[i]
	if !isNoun(t.tag) || t.kind != letters || t.measure || oneOf(boilerplate, t.low) {
		return false
	}
	if (t.flags&anyNoun == 0 || t.flags&verbIng != 0) && (!names(ts, i-1) || !names(ts, i) || t.capitals && t.tag == tagNN) {
		return false // but "Maui Beach Wedding", "Chris Hemsworth"
	}
	if !isNoun(l.tag) && l.tag != tagJJ || l.kind != letters {
		return false
	}
	if int(i)+1 < len(ts) && (ts[i+1].tag == tagPOS || ts[i+1].tag == tagRP) {
		return false // "club room men's robe", "people goof off"
	}
	if oneOf(drawn, t.low) && (int(i)+1 == len(ts) || !isNoun(ts[i+1].tag)) {
		return false // "flowers vector"
	}
	if t.capital {
		return true
	}
	verb := t.flags&verbS != 0 || t.flags&verbBase != 0 && l.person() || oneOf(verbsAsNouns, t.low)
	return l.flags&nounPlural == 0 && !verb
}

// leads reports whether the first word of an object's name is no part of it, which
// the names of animals are often made with: "hot bartender", not "polar bear" and
// "hot dog".
func leads(t *span) bool {
	return qualifies(t) && (t.flags&anyNoun == 0 || strings.Contains(t.low, " - "))
}

// ends reports whether attribute n is the head of the compound that object a
// begins: "the historic town centre".
func (x *analysis) ends(ts []span, a, n *node) bool {
	return !a.attribute && a.to == n.from && n.to == n.from+1 && compounds(ts, n.from) && ts[n.from].flags&adjective == 0 &&
		(int(n.to) == len(ts) || !x.inNode[n.to] && ts[n.to].tag != tagCC)
}

// implies reports whether the model relates the node before node b with it by an implied
// predicate.
func (x *analysis) implies(b int, predicate string) bool {
	return slices.ContainsFunc(x.edgesOf(b), func(e relation) bool {
		return int(e.a) == b-1 && e.candidate.implied != 0 && impliedPredicates[e.candidate.implied-1] == predicate
	})
}

// neighbours reports whether the model relates node b with the node before it.
func (x *analysis) neighbours(b int) bool {
	return slices.ContainsFunc(x.edgesOf(b), func(e relation) bool { return int(e.a) == b-1 })
}

// move renames the nodes of links and relations and drops those of a node with
// itself, and what was said by an attribute that is part of an object now.
func (x *analysis) move() {
	links := x.links[:0]
	for _, l := range x.links {
		l.attribute, l.object = x.moved[l.attribute], x.moved[l.object]
		if x.nodes[l.attribute].attribute {
			links = append(links, l)
		}
	}
	x.links = links
	edges := x.edges[:0]
	for _, e := range x.edges {
		e.a, e.b = x.moved[e.a], x.moved[e.b]
		if e.a != e.b {
			edges = append(edges, e)
		}
	}
	x.edges, x.moved = edges, x.moved[:0]
}

// strip takes the words that are in an object out of predicates, and the
// predicates that say nothing without them.
func (x *analysis) strip(ts []span) {
	edges := x.edges[:0]
	for _, e := range x.edges {
		c := &e.candidate
		if c.implied == 0 {
			n, says := uint8(0), false
			for _, w := range c.words[:c.n] {
				if !x.inNode[w] {
					c.words[n] = w
					n++
					says = says || states(&ts[w])
				}
			}
			if c.n = n; !says {
				continue
			}
		}
		edges = append(edges, e)
	}
	x.edges = edges
}

// states reports whether a word of a predicate says something of two objects, as a
// noun or a name does not.
func states(t *span) bool {
	if len(t.low) == 1 || oneOf(unspecific, t.low) {
		return false
	}
	return !isNoun(t.tag) || t.entry >= 0 && !t.capital && (t.flags&anyVerb != 0 || t.flags&anyNoun == 0)
}

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

// maxName is how many tokens a name of several objects has at most.
const maxName = 24

// does reports whether a noun names a person by what they do: "rock artist" and "film
// director", not "stool man is sitting on".
func does(t *span) bool {
	if !t.person() || oneOf(femaleNouns, t.low) || oneOf(maleNouns, t.low) {
		return false
	}
	noun := strings.TrimSuffix(t.low, "s")
	return strings.HasSuffix(noun, "er") || strings.HasSuffix(noun, "or") || strings.HasSuffix(noun, "ist")
}
