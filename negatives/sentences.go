package negatives

import (
	"cmp"
	"math"
	"slices"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// A caption of several sentences has more negatives than are kept: each sentence gets its share.

// sentenceAt returns the number, from 0, of the sentence with byte at of the caption. It is 0 for
// NoOffset.
func sentenceAt(tokens []schemas.Token, at int32) (n int16) {
	for i := range tokens {
		if tokens[i].End > at {
			break
		}
		if tokens[i].Tag == "." && i+1 < len(tokens) && tokens[i+1].Tag != "." && n < math.MaxInt16 {
			n++
		}
	}
	return n
}

// sentenceOf returns the number of the sentence in which a sub-graph ends.
func sentenceOf(c *Caption, part scenegraph.SubGraph) int16 {
	_, last := boundsOf(c, part)
	return sentenceAt(c.Tokens, last)
}

// boundsOf returns the bytes at which the first and the last of a sub-graph's objects, attributes
// and relation begin.
func boundsOf(c *Caption, part scenegraph.SubGraph) (first, last int32) {
	first, last = math.MaxInt32, schemas.NoOffset
	add := func(at int32) { first, last = min(first, at), max(last, at) }
	says := func(object int32, attributes uint64) {
		o := &c.Graph.Objects[object]
		add(o.Begin)
		for i := range min(len(o.Attributes), 64) {
			if attributes>>i&1 != 0 {
				add(o.Attributes[i].Begin)
			}
		}
	}
	says(part.Subject, part.SubjectAttributes)
	if part.Relation != scenegraph.NoRelation {
		says(part.Object, part.ObjectAttributes)
		last = max(last, c.Graph.Relations[part.Relation].Begin)
	}
	return first, last
}

// turns sorts lists so that groups take turns.
type turns struct{ taken, turn []int }

// takeTurns sorts a list so that the first items of all groups come first, then the second items, and so
// on. Items at the same turn keep their order. group returns the number of an item's group, from 0.
func (t *turns) takeTurns(list []int, group func(int) int) {
	t.taken = t.taken[:0]
	for _, i := range list {
		of := group(i)
		for of >= len(t.taken) {
			t.taken = append(t.taken, 0)
		}
		if i >= len(t.turn) {
			t.turn = append(t.turn, make([]int, i+1-len(t.turn))...)
		}
		t.turn[i] = t.taken[of]
		t.taken[of]++
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(t.turn[a], t.turn[b]) })
}
