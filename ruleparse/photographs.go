package ruleparse

import "capgraph/schemas"

// Words for taking a picture, and what is taken.
const (
	takes = " snap snapping snaps take takes taking took "
	taken = " photo photograph photos picture pictures selfie selfies "
)

// photographs adds that somebody takes a picture, which the model leaves out where it is not said
// of what: "a man in a suit takes a selfie".
func photographs(low string, ts []span, x *analysis, at []int32, g *schemas.SceneGraph) {
	for i := range x.nodes {
		n := &x.nodes[i]
		verb := n.to
		for int(verb) < len(ts) && ts[verb].be {
			verb++
		}
		if n.attribute || int(verb) == len(ts) || !oneOf(takes, ts[verb].low) || x.said(i, verb) {
			continue
		}
		picture := verb + 1
		for int(picture) < len(ts) && (determines(&ts[picture]) || ts[picture].tag == tagJJ) {
			picture++
		}
		if int(picture) == len(ts) || !oneOf(taken, ts[picture].low) {
			continue
		}
		if k := x.nodeAt(picture); k >= 0 && !x.nodes[k].attribute {
			continue
		}
		a := int32(i)
		if verb > n.to || isFinite(&ts[verb]) {
			a = phraseHead(ts, x, a, x.edgesFrom(i+1), n.to)
		} else if k := x.into(a); k >= 0 && x.nodes[x.edges[k].a].alive && oneOf(" carrying holding in wearing with ", ts[x.edges[k].candidate.words[0]].low) {
			a = x.edges[k].a // "a man holding a baby taking a picture"
		}
		if at[a] >= 0 && x.nodes[a].alive {
			addPredicated(low, ts, verb, picture+1, &g.Objects[at[a]])
		}
	}
}
