package rules

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// uniqueReferent returns the object before node b to which a pronoun refers if only one fits, else -1.
func uniqueReferent(ts []tokens.Token, x *Reading, pronoun *tokens.Token, b int) int {
	found := -1
	for a := max(0, b-maxLookBack); a < b; a++ {
		m := &x.Nodes[a]
		if m.IsAttribute || ts[m.From].Tag == penn.PRP || !mayReferTo(pronoun, &ts[m.To-1], m) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = a
	}
	return found
}

// pronounSubject returns the object to which the pronoun at token i, the subject of a verb, refers, or -1. It must be
// the only one that fits, or in a subordinate clause the first object of the text: "a train rounds the corner as it
// comes down the tracks".
func pronounSubject(ts []tokens.Token, x *Reading, i int32) int {
	if a := uniqueReferent(ts, x, &ts[i], objectBefore(x, -1, i)+1); a >= 0 || i == 0 || !ts[i-1].IsOneOf(" after as before when while ") {
		return a
	}
	for a := range x.Nodes {
		m := &x.Nodes[a]
		if m.IsAttribute || x.incomingRelation(int32(a)) >= 0 {
			continue
		}
		if m.To <= i && (mayReferTo(&ts[i], &ts[m.To-1], m) || ts[i].Low == "they" && m.IsAlive) {
			return a
		}
		break
	}
	return -1
}

// mayReferTo reports whether a pronoun may refer to object m, whose last word is t.
func mayReferTo(pronoun, t *tokens.Token, m *analysis.Node) bool {
	plural := t.Tag == penn.NNS || t.Tag == penn.NNPS
	switch pronoun.Low {
	case "he", "him", "his":
		return (m.IsPerson || m.IsAlive && m.Class == tokens.ClassAnimal) && !plural && !t.IsOneOf(femaleNouns)
	case "she", "her":
		return (m.IsPerson || m.IsAlive && m.Class == tokens.ClassAnimal) && !plural && !t.IsOneOf(maleNouns)
	case "it", "its":
		return !m.IsPerson && !plural
	case "they", "them":
		return plural
	case "their":
		return m.IsPerson || m.IsAlive && m.Class == tokens.ClassAnimal || m.Class == tokens.ClassGroup
	}
	return false
}

// maxLookBack bounds how many nodes back a pronoun may refer.
const maxLookBack = 24

// possessive is a token such as "her" and the object of the graph that it refers to.
type possessive struct{ token, object int32 }

// Mention is a noun or a pronoun in a text that names an object of the graph.
type Mention struct {
	End    int32 // offset after its last word
	Object int32
}

// Mentions returns the mentions of the objects of the graph last built from x.
func (x *Reading) Mentions(ts []tokens.Token) []Mention {
	var out []Mention
	for i := range x.Nodes {
		if o := x.objectOf[i]; o >= 0 {
			out = append(out, Mention{ts[x.Nodes[i].To-1].End, o})
		}
	}
	for _, p := range x.possessives {
		out = append(out, Mention{ts[p.token].End, p.object})
	}
	return out
}

// addPossession relates an object after a possessive to its owner if the owner is certain: the noun before "'s", or the
// only earlier object that fits the possessive pronoun. The relation is implied, so it has no offset.
func (b *graphBuilder) addPossession() {
	ts, x, at, g := b.ts, b.x, b.objectOf, b.graph
	for owned := range x.Nodes {
		if at[owned] < 0 {
			continue
		}
		owner := b.discourse.findOwner(ts, x, at, owned)
		if owner < 0 {
			continue
		}
		if p := x.PhraseStart(owned) - 1; ts[p].Tag == penn.PRPS {
			x.possessives = append(x.possessives, possessive{p, at[owner]})
		}
		if areRelated(g, at[owner], at[owned]) {
			continue
		}
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: at[owner], Object: at[owned], Predicate: "has", Lemma: "have", Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
}

// findOwner returns the owner of object b that the possessive before b names, or -1.
func (s *discourse) findOwner(ts []tokens.Token, x *Reading, at []int32, b int) int {
	begin := x.PhraseStart(b)
	if begin == 0 {
		return -1
	}
	switch ts[begin-1].Tag {
	case penn.POS:
		if a := x.nodeAt(begin - 2); a >= 0 && !x.Nodes[a].IsAttribute && at[a] >= 0 {
			return a
		}
	case penn.PRPS:
		if a, known := s.ownerOf(b); known && a >= 0 && at[a] >= 0 {
			return a
		}
		owner := -1
		for a := max(0, b-maxLookBack); a < b; a++ {
			if at[a] < 0 || !mayReferTo(&ts[begin-1], &ts[x.Nodes[a].To-1], &x.Nodes[a]) {
				continue
			}
			if owner >= 0 {
				return -1
			}
			owner = a
		}
		return owner
	}
	return -1
}

func areRelated(g *schemas.SceneGraph, a, b int32) bool {
	for i := len(g.Relations) - 1; i >= 0 && i >= len(g.Relations)-maxLookBack*maxLookBack; i-- {
		r := &g.Relations[i]
		if r.Status != schemas.Denied && (r.Subject == a && r.Object == b || r.Subject == b && r.Object == a) {
			return true
		}
	}
	return false
}

// isDefinite reports whether token i follows a definite determiner: "the", "this"; but not "the
// other".
func isDefinite(ts []tokens.Token, i int32) bool {
	return i > 0 && ts[i-1].IsOneOf(" that the these this those ") && ts[i].Low != "other"
}

// isAboutPicture reports whether object b is not something that the picture shows, but the picture itself ("the image
// shows", "in this lively scene"), an impression ("a touch of warmth"), or a noun after an impression and "of".
func (s *discourse) isAboutPicture(ts []tokens.Token, x *Reading, b int) bool {
	if !s.hasSeveralSentences(ts) {
		return false
	}
	s.advanceTo(ts, x, b)
	t, from := &ts[x.Nodes[b].To-1], x.PhraseStart(b)
	if t.Tag == penn.PRP {
		return false // WordNet has "it" as information technology
	}
	if t.IsOneOf(moods) || t.IsOneOf(depictions) && isDefinite(ts, from) || from > 1 && ts[from-1].Low == "of" && ts[from-2].IsOneOf(moods) {
		return true
	}
	switch s.nounClass(t) {
	case tokens.ClassCognition, tokens.ClassFeeling, tokens.ClassState, tokens.ClassAttribute, tokens.ClassRelation:
		if !t.IsOneOf(visible) {
			return true
		}
	}
	return ts[s.sentenceBegin].Low == "overall" || s.followsOpinionVerb(ts, x, from)
}

// isRemark reports whether attribute b, of the second sentence or a later one, is an opinion: "It serves as *focal*
// point".
func (s *discourse) isRemark(ts []tokens.Token, x *Reading, b int) bool {
	if !s.hasSeveralSentences(ts) {
		return false
	}
	s.advanceTo(ts, x, b)
	return s.sentence > 0 && s.followsOpinionVerb(ts, x, x.Nodes[b].From)
}

// nounClass returns the WordNet class of a noun in the singular or plural.
func (s *discourse) nounClass(t *tokens.Token) uint32 {
	if t.Tag != penn.NNS {
		return uint32(t.Class)
	}
	one := s.rules.Lexicon.Singular(t)
	return s.rules.Lexicon.NounClass(one, linear.Hash(one))
}

// followsOpinionVerb reports whether a verb of opinion precedes token from in its sentence.
func (s *discourse) followsOpinionVerb(ts []tokens.Token, x *Reading, from int32) bool {
	for i := from - 1; i >= max(s.sentenceBegin, from-analysis.MaxPair); i-- {
		t := &ts[i]
		if x.InNode[i] || !penn.IsVerb(t.Tag) || t.IsBe {
			continue
		}
		verb := s.rules.Lexicon.PlainForm(t)
		return wordclass.Has(remarks, verb) && !(t.Tag == penn.VBG && i > 0 && ts[i-1].IsBe) || wordclass.Has(" act serve stand ", verb) && tokens.AtOrBorder(ts, i+1).Low == "as"
	}
	return false
}

// HasObjectAt reports whether token i is in a node that became an object of the graph.
func (x *Reading) HasObjectAt(i int32) bool {
	k := x.nodeAt(i)
	return k >= 0 && x.objectOf[k] >= 0
}
