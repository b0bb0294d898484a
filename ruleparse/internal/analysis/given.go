package analysis

import "capgraph/ruleparse/internal/tokens"

// Given is a phrase that is known to be one object: the tokens [From, To), whose last is the last of the
// object's name. Phrases of one Entity, if it is not 0, name one thing.
type Given struct {
	From, To int32
	NameFrom int32 // the name begins here at the latest
	Entity   int32
}

// given is the phrases that the objects of a text must be.
type given struct {
	asked   bool
	phrases []Given
	at      []int32 // by token: 1 + the index of its phrase, or 0
}

// SetGiven makes the phrases, which are sorted and do not overlap, the only objects of the next text, of n tokens.
func (d *Decoder) SetGiven(phrases []Given, n int) {
	g := &d.given
	g.asked, g.phrases, g.at = true, phrases, append(g.at[:0], make([]int32, n)...)
	for i, p := range phrases {
		for k := p.From; k < p.To; k++ {
			g.at[k] = int32(i) + 1
		}
	}
}

// ForgetGiven makes the objects of the next text those that the model finds.
func (d *Decoder) ForgetGiven() { d.given.asked, d.given.phrases = false, nil }

// allows reports whether token i may have a label, if before is that of the token before. A phrase has one
// object, whose name ends with it. Attributes and other words may be before the name. No other token is part
// of an object.
func (g *given) allows(ts []tokens.Token, i, label, before int) bool {
	if g.at[i] == 0 {
		return label != BeginObject && label != inObject && MayFollow(label, before) && (!ts[i].IsFinite || label == Outside)
	}
	p := &g.phrases[g.at[i]-1]
	k := int32(i)
	if first := k == p.From; !first && (before == BeginObject || before == inObject) {
		return label == inObject
	} else if first && label == inAttribute || label == inObject {
		return false
	}
	return label == BeginObject || k < p.NameFrom && MayFollow(label, before)
}

// forbidden is the score of a label that no labelling may have.
const forbidden = -1e9

// forbid sets the scores of labels that token i may not have to forbidden.
func (g *given) forbid(x *[LabelCount]float32, ts []tokens.Token, i, before int) {
	for l := range x {
		if !g.allows(ts, i, l, before) {
			x[l] = forbidden
		}
	}
}

// markNodes marks the nodes that are given objects.
func (g *given) markNodes(nodes []Node) {
	for i := range nodes {
		n := &nodes[i]
		if at := g.at[n.From]; !n.IsAttribute && at > 0 {
			n.IsGiven, n.Entity = true, g.phrases[at-1].Entity
		}
	}
}
