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
			addPredicated(low, ts, from, j+1, &g.Objects[at[o]])
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

// subjectOf is the object that ends before a form of "be", perhaps with a relative
// pronoun between, or -1.
func subjectOf(ts []span, x *analysis, be int32) int32 {
	end := be
	if w := &ts[end-1]; w.tag == tagWDT || w.tag == tagWP || w.low == "that" {
		end--
	}
	i, found := slices.BinarySearchFunc(x.nodes, end, func(n node, end int32) int { return cmp.Compare(n.to, end) })
	if !found || x.nodes[i].attribute {
		return -1
	}
	return int32(i)
}

// addPredicated adds an attribute unless the object has it.
func addPredicated(low string, ts []span, from, to int32, o *schemas.Object) {
	for _, a := range o.Attributes {
		if a.Begin < ts[to-1].end && ts[from].begin < a.End {
			return
		}
	}
	insertAttribute(o, schemas.Attribute{Text: phrase(low, ts, from, to), Form: schemas.Post, Begin: ts[from].begin, End: ts[to-1].end})
}
