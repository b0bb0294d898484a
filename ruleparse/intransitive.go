package ruleparse

import "capgraph/schemas"

// transitive are verbs that say nothing of their subject without an object.
const transitive = " 's contains do does features had has have includes lets let makes reads says "

// intransitive adds what an object does at the end of a clause, where the model left that out:
// "while a crowd watches", "a man in a suit looks on".
func intransitive(low string, ts []span, x *analysis, at []int32, g *schemas.SceneGraph) {
	for i := range x.nodes {
		n := &x.nodes[i]
		if n.attribute || int(n.to) == len(ts) || x.inNode[n.to] {
			continue
		}
		end := n.to + 1
		doing := ts[n.to].tag == tagVBG && int(end) < len(ts) && (n.alive && ts[end].tag == tagComma || ts[end].low == "while")
		if !acting(&ts[n.to]) && !doing {
			continue
		}
		if int(end) < len(ts) && !x.inNode[end] && oneOf(particles, ts[end].low) {
			end++
		}
		if int(end) < len(ts) && ts[end].kind != mark && ts[end].tag != tagCC && ts[end].low != "while" && ts[end].low != "as" {
			continue
		}
		a := phraseHead(ts, x, int32(i), x.edgesFrom(i+1), n.to)
		if at[a] >= 0 && !x.said(i, n.to) {
			addPredicated(low, ts, n.to, end, &g.Objects[at[a]])
		}
	}
}

// said reports whether the verb at token i, right after object k, is the first word of a
// relation.
func (x *analysis) said(k int, i int32) bool {
	for _, e := range x.edges[x.edgesFrom(k):x.edgesFrom(k+maxNeighbour+1)] {
		if e.candidate.implied == 0 && e.candidate.words[0] == i {
			return true
		}
	}
	return false
}

// acting reports whether t is a verb by which somebody or something does something.
func acting(t *span) bool {
	return (t.tag == tagVBZ || t.tag == tagVBP || t.tag == tagVB) && !t.be && t.flags&anyVerb != 0 && !oneOf(transitive, t.low)
}
