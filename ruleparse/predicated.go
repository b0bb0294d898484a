package ruleparse

import (
	"cmp"
	"slices"

	"capgraph/schemas"
)

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

// relates reports whether t can be a relative pronoun.
func relates(t *span) bool { return t.tag == tagWDT || t.tag == tagWP || t.low == "that" }

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
