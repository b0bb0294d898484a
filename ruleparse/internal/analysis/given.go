package analysis

import (
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// Given is a phrase that is known to name one object: the tokens [From, To), the last of which ends the object's name.
// Phrases with the same Entity, if it is not 0, name the same thing.
type Given struct {
	From, To int32
	NameFrom int32 // the last token at which the name may begin
	Entity   int32
}

// given has the phrases that are the only objects of a text.
type given struct {
	asked   bool
	phrases []Given
	at      []int32 // by token: 1 + the index of its phrase, or 0
	others  []bool  // by token: it is in a noun phrase that was not given, or a verb right before one
}

// SetGiven makes phrases the only objects of the next text, whose tokens are ts. They are sorted and do not overlap.
func (d *Decoder) SetGiven(phrases []Given, ts []tokens.Token) {
	g := &d.given
	g.asked, g.phrases = true, phrases
	g.at, g.others = append(g.at[:0], make([]int32, len(ts))...), append(g.others[:0], make([]bool, len(ts))...)
	for i, p := range phrases {
		for k := p.From; k < p.To; k++ {
			g.at[k] = int32(i) + 1
		}
	}
	for i := len(ts) - 1; i >= 0; i-- {
		next := i+1 < len(ts) && g.at[i+1] == 0 && g.others[i+1]
		switch tag := ts[i].Tag; {
		case g.at[i] > 0 || g.mayBeVerb(ts, i) || isOfPreposition(ts, i):
		case penn.IsNoun(tag): // "kitchen" before the phrase "table" belongs to it
			g.others[i] = next || i+1 == len(ts) || g.at[i+1] == 0 && (!mayModifyNoun(ts[i+1].Tag) || g.mayBeVerb(ts, i+1))
		case tag == penn.DT || tag == penn.PRPS || mayModifyNoun(tag):
			g.others[i] = next && ts[i+1].Tag != penn.VBG && ts[i+1].Tag != penn.VBN
		}
	}
}

// isOfPreposition reports whether token i is the noun of a preposition: "front" of "in front of", "side" of "down the
// side of".
func isOfPreposition(ts []tokens.Token, i int) bool {
	if i == 0 || i+1 >= len(ts) || ts[i+1].Low != "of" || !ts[i].IsOneOf(tokens.Places) && !ts[i].IsOneOf(" corner direction edge ") {
		return false
	}
	before := i - 1
	if before > 0 && ts[before].Tag == penn.DT {
		before--
	}
	switch ts[before].Tag {
	case penn.IN, penn.TO, penn.RP, penn.RB:
		return true
	}
	return false
}

// mayBeVerb reports whether token i is tagged as a noun but may be a verb: "look" after a phrase or a noun.
func (g *given) mayBeVerb(ts []tokens.Token, i int) bool {
	if !penn.IsNoun(ts[i].Tag) || ts[i].Flags&tokens.AnyVerb == 0 {
		return false
	}
	return i == 0 || g.at[i-1] > 0 || penn.IsNoun(ts[i-1].Tag) || penn.IsVerb(ts[i-1].Tag)
}

// mayModifyNoun reports whether a word with the tag may modify the noun after it, or be a verb with that noun as its
// object.
func mayModifyNoun(tag penn.Tag) bool {
	switch tag {
	case penn.JJ, penn.JJR, penn.JJS, penn.CD, penn.VBG, penn.VBN:
		return true
	}
	return penn.IsNoun(tag)
}

// ForgetGiven undoes SetGiven: the objects of the next text are those that the model finds.
func (d *Decoder) ForgetGiven() { d.given.asked, d.given.phrases = false, nil }

// allows reports whether token i may have label, if the token before has label before. Each phrase has one object,
// whose name ends the phrase. Attributes and other words may precede the name. No other token is part of an object.
// Attributes of objects that were not given are outside too.
func (g *given) allows(ts []tokens.Token, i, label, before int) bool {
	if g.at[i] == 0 {
		return label != BeginObject && label != inObject && MayFollow(label, before) && (!ts[i].IsFinite && !g.others[i] || label == Outside)
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

// forbidden is the score of a label that allows excludes.
const forbidden = -1e9

// forbid sets the scores of the labels that token i may not have to forbidden.
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
