package ruleparse

import (
	"cmp"
	"slices"

	"capgraph/schemas"
)

// predicateAdjectives adds what a form of "be" says of the object before it, where
// the model left it out: "the man is tall", "a bus that is red and white".
func predicateAdjectives(low string, ts []span, x *analysis, at []int32, g *schemas.SceneGraph) {
	for i := range ts {
		if !ts[i].be || i == 0 {
			continue
		}
		o := subjectOf(ts, x, int32(i))
		if o < 0 || at[o] < 0 {
			continue
		}
		for j := int32(i) + 1; int(j) < len(ts); j++ {
			from := j
			for int(j) < len(ts)-1 && (ts[j].tag == tagRB || ts[j].tag == tagRBR) && ts[j].low != "not" && ts[j].low != "n't" {
				j++
			}
			if !adjectival(ts, int(j)) {
				break
			}
			if !x.linked(j) {
				addPredicated(low, ts, from, j+1, &g.Objects[at[o]])
			}
			if int(j)+1 < len(ts) && (ts[j+1].tag == tagCC || ts[j+1].tag == tagComma) {
				j++
				continue
			}
			break
		}
	}
}

// adjectival reports whether token j is an adjective that no noun follows.
func adjectival(ts []span, j int) bool {
	if ts[j].tag != tagJJ && ts[j].tag != tagJJR || ts[j].kind != letters {
		return false
	}
	return j+1 == len(ts) || !isNoun(ts[j+1].tag) && ts[j+1].tag != tagJJ && ts[j+1].tag != tagIN && ts[j+1].tag != tagTO
}

// subjectOf is the object that a form of "be" is said of: that which ends before it,
// with a relative pronoun between, or the head of the phrase that ends there ("the
// window on the stove is black"); or -1.
func subjectOf(ts []span, x *analysis, be int32) int32 {
	end := be
	if relates(&ts[end-1]) {
		end--
	}
	i, found := slices.BinarySearchFunc(x.nodes, end, func(n node, end int32) int { return cmp.Compare(n.to, end) })
	if !found || x.nodes[i].attribute {
		return -1
	}
	switch {
	case end < be && ts[end].low == "who":
		return x.somebody(int32(i))
	case end < be:
		return int32(i)
	}
	return phraseHead(ts, x, int32(i), x.edgesFrom(i+1), be)
}

// predicated puts right of which object an attribute after "be" is: in a relative
// clause of the object before the pronoun ("a bus with wheels that are red"), unless
// only the one before that agrees in number ("that is red"), and of coordinated
// attributes all of one object ("the wall behind the bed is red and white").
func (x *analysis) predicated(ts []span) {
	for i := range x.links {
		l := &x.links[i]
		if i > 0 && x.links[i-1].object < l.attribute-1 && x.links[i-1].attribute == l.attribute-1 && l.object < l.attribute && x.listed(ts, l.attribute) {
			l.object = x.links[i-1].object
			continue
		}
		be := x.nodes[l.attribute].from - 1
		if be > 0 && ts[be].low == "looking" && !x.inNode[be] && l.object < l.attribute {
			l.object = x.somebody(l.object) // "a dog on a sofa looking bored"
		}
		for be > 2 && ts[be].low == "been" {
			be--
		}
		if be < 2 || !(ts[be].be || perfect(ts, be) >= 0) {
			continue
		}
		if !relates(&ts[be-1]) {
			x.agreeing(ts, l, be)
			continue
		}
		m := x.nodeAt(be - 2)
		if m < 0 || x.nodes[m].attribute {
			continue
		}
		if ts[be-1].low == "who" {
			l.object = x.somebody(int32(m))
			continue
		}
		if int32(m) != l.object {
			if agree(ts, x, int32(m), l.object, be) {
				l.object = int32(m)
			}
			continue
		}
		if k := x.into(int32(m)); k >= 0 && !agree(ts, x, int32(m), x.edges[k].a, be) {
			l.object = x.edges[k].a
		}
	}
}

// agreeing gives what stands after "be" to the head of the phrase before it, with what is said
// on: "a cat with black spots is curled up on a bed"; but to the last object of the phrase where
// that alone agrees in number, or begins a clause of its own ("stating an area is restricted").
func (x *analysis) agreeing(ts []span, l *link, be int32) {
	m := l.object
	if x.nodes[m].to != be || !isFinite(&ts[be]) {
		return
	}
	head := phraseHead(ts, x, m, x.edgesFrom(int(m)+1), be)
	if head == m || agree(ts, x, m, head, be) && !x.borne(ts, m) {
		return
	}
	l.object = head
	for k := x.edgesFrom(int(l.attribute)); k < len(x.edges); k++ {
		if e := &x.edges[k]; e.a == m && e.candidate.implied == 0 && e.candidate.words[0] >= x.nodes[l.attribute].to {
			e.a = head
		}
	}
}

// borne reports whether object m and its article stand right after a predicate of which it is
// the object, and which says no clause.
func (x *analysis) borne(ts []span, m int32) bool {
	k := x.into(m)
	if k < 0 {
		return false
	}
	begin := x.begins(int(m))
	if determines(&ts[begin-1]) {
		begin--
	}
	last := begin - 1
	return last == x.edges[k].candidate.words[x.edges[k].candidate.n-1] && !oneOf(" indicating saying says showing shows stating states than thinking while ", ts[last].low)
}

// listed reports whether a conjunction or a comma stands between attribute k and the
// attribute before it, and nothing else.
func (x *analysis) listed(ts []span, k int32) bool {
	from, to := x.nodes[k-1].to, x.nodes[k].from
	for i := from; i < to; i++ {
		if ts[i].tag != tagCC && ts[i].tag != tagComma {
			return false
		}
	}
	return from < to
}

// relates reports whether t can be a relative pronoun.
func relates(t *span) bool { return t.tag == tagWDT || t.tag == tagWP || t.low == "that" }

// linked reports whether token i is in an attribute that the model gives to an object.
func (x *analysis) linked(i int32) bool {
	k := x.nodeAt(i)
	if k < 0 || !x.nodes[k].attribute {
		return false
	}
	_, found := slices.BinarySearchFunc(x.links, int32(k), func(l link, k int32) int { return cmp.Compare(l.attribute, k) })
	return found
}

// addPredicated adds an attribute unless the object has it.
func addPredicated(low string, ts []span, from, to int32, o *schemas.Object) {
	addSpoken(o, schemas.Attribute{Text: phrase(low, ts, from, to), Form: schemas.Post, Begin: ts[from].begin, End: ts[to-1].end})
}

// addSpoken adds an attribute unless the object has one that is in part of the same words.
func addSpoken(o *schemas.Object, a schemas.Attribute) {
	for _, b := range o.Attributes {
		if b.Begin < a.End && a.Begin < b.End {
			return
		}
	}
	insertAttribute(o, a)
}
