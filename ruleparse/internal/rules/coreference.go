package rules

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// uniqueReferent returns the only object before node b that a pronoun may refer to, or -1.
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

// pronounSubject returns the object that the pronoun at token i, the subject of a verb, refers to,
// or -1. It is the only one that fits. In a subordinate clause it may be the text's first object:
// "a train rounds the corner as it comes down the tracks".
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

// mayReferTo reports whether a pronoun may refer to an object whose last word is t.
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

// addPossession relates an object after a possessive with its owner, if the owner is certain: the
// noun before "'s", or the only object before a pronoun that it fits. The relation is implied, so
// it has no offset.
func (b *graphBuilder) addPossession() {
	ts, x, at, g := b.ts, b.x, b.objectOf, b.graph
	for owned := range x.Nodes {
		if at[owned] < 0 {
			continue
		}
		owner := b.discourse.findOwner(ts, x, at, owned)
		if owner < 0 || areRelated(g, at[owner], at[owned]) {
			continue
		}
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: at[owner], Object: at[owned], Predicate: "has", Lemma: "have", Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
}

// findOwner returns the owner of object b by the possessive before it, or -1.
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
		if a, ok := s.owners[b]; ok && a >= 0 && at[a] >= 0 {
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

// discourse is what a text of several sentences has mentioned so far. A thing that is named again
// is one object. A remark on the picture makes none.
type discourse struct {
	lexicon         *tokens.Lexicon
	firstSentence   int32          // tokens of the first sentence
	lastMention     map[uint32]int // the last node by the hash of its last word; nil in one sentence
	personCount     int            // persons named, each counted once
	lastPerson      int            // the last of them
	subject         int            // the first object of this sentence, or -1
	previousSubject int            // that of the sentence before, or -1
	sentenceBegin   int32          // the first token of this sentence
	owners          map[int]int    // owners of what follows a possessive pronoun in a later sentence
}

func (s *Set) newDiscourse(ts []tokens.Token) discourse {
	return discourse{lexicon: s.Lexicon, firstSentence: analysis.FirstSentenceLen(ts), subject: -1, previousSubject: -1}
}

// hasSeveralSentences reports whether there is more than one sentence.
func (s *discourse) hasSeveralSentences(ts []tokens.Token) bool {
	return int(s.firstSentence) < len(ts)
}

// resolveMention returns the node before object b that b names again, or -1, and records what b is.
//
// A later sentence names again with "the" or its like and the same last word: "A cat sits on a bed.
// *The cat* is black." A person may have another noun if only one was named: "A skater … *The man*
// …". A pronoun may begin a clause of it: "*He* wears a hat".
func (s *discourse) resolveMention(ts []tokens.Token, x *Reading, b int) int {
	if !s.hasSeveralSentences(ts) {
		return -1
	}
	n := &x.Nodes[b]
	if begin := x.PhraseStart(b); begin > s.firstSentence && ts[begin-1].Tag == penn.PRPS {
		if s.owners == nil {
			s.owners = make(map[int]int)
		}
		s.owners[b] = s.resolvePronoun(ts, x, &ts[begin-1])
	}
	a := s.findAntecedent(ts, x, b)
	if a < 0 && !analysis.IsPronoun(&ts[n.From]) {
		s.recordMention(ts, x, b)
	}
	if s.subject < 0 && (a >= 0 || !analysis.IsPronoun(&ts[n.From])) {
		s.subject = b
		if o, ok := s.owners[b]; ok && o >= 0 {
			s.subject = o // "Its tail is long."
		} else if a >= 0 {
			s.subject = a
		}
	}
	return a
}

// advanceTo moves on to the sentence of node b.
func (s *discourse) advanceTo(ts []tokens.Token, x *Reading, b int) {
	for i := s.sentenceBegin; i < x.Nodes[b].From; i++ {
		if ts[i].Tag == penn.Period {
			s.previousSubject, s.subject, s.sentenceBegin = s.subject, -1, i+1
		}
	}
}

// findAntecedent returns the node that object b names again, or -1.
func (s *discourse) findAntecedent(ts []tokens.Token, x *Reading, b int) int {
	n := &x.Nodes[b]
	if n.From < s.firstSentence {
		return -1
	}
	t := &ts[n.To-1]
	if analysis.IsPronoun(t) {
		return s.resolvePronoun(ts, x, t)
	}
	if !isDefinite(ts, x.PhraseStart(b)) {
		return -1
	}
	if a, ok := s.lastMention[t.Hash]; ok && (n.To-n.From == 1 || n.Name == x.Nodes[a].Name) {
		return a
	}
	if n.IsPerson && s.personCount == 1 && t.Flags&tokens.NounPlural == 0 && n.To-n.From == 1 {
		return s.lastPerson
	}
	return -1
}

// resolvePronoun returns what a subject of a later sentence refers to, or -1. It is the first
// object of this sentence or the one before, or the only person named.
func (s *discourse) resolvePronoun(ts []tokens.Token, x *Reading, t *tokens.Token) int {
	for _, a := range [...]int{s.subject, s.previousSubject} {
		if a >= 0 && (mayReferTo(t, &ts[x.Nodes[a].To-1], &x.Nodes[a]) || t.Low == "their" && canBePlural(&ts[x.Nodes[a].To-1])) {
			return a
		}
	}
	if t.IsOneOf(" he her his she ") && s.personCount == 1 {
		return s.lastPerson
	}
	return -1
}

// recordMention records that node b was named.
func (s *discourse) recordMention(ts []tokens.Token, x *Reading, b int) {
	n := &x.Nodes[b]
	if s.lastMention == nil {
		s.lastMention = make(map[uint32]int)
	}
	s.lastMention[ts[n.To-1].Hash] = b
	if n.IsPerson {
		s.lastPerson = b
		if s.personCount++; ts[n.To-1].Flags&tokens.NounPlural != 0 {
			s.personCount++
		}
	}
}

// isDefinite reports whether token i follows a definite determiner: "the", "this"; but not "the
// other".
func isDefinite(ts []tokens.Token, i int32) bool {
	return i > 0 && ts[i-1].IsOneOf(" that the these this those ") && ts[i].Low != "other"
}

// isAboutPicture reports whether object b is nothing that the picture shows. It is the picture
// itself ("the image shows", "in this lively scene"), an impression ("a touch of warmth"), or what
// an impression takes with "of".
func (s *discourse) isAboutPicture(ts []tokens.Token, x *Reading, b int) bool {
	if !s.hasSeveralSentences(ts) {
		return false
	}
	s.advanceTo(ts, x, b)
	t, from := &ts[x.Nodes[b].To-1], x.PhraseStart(b)
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

// nounClass returns WordNet's class of a noun, or of a plural's singular.
func (s *discourse) nounClass(t *tokens.Token) uint32 {
	if t.Tag != penn.NNS {
		return uint32(t.Class)
	}
	one := s.lexicon.Singular(t)
	return s.lexicon.NounClass(one, linear.Hash(one))
}

// followsOpinionVerb reports whether a verb of opinion is before token from in its sentence.
func (s *discourse) followsOpinionVerb(ts []tokens.Token, x *Reading, from int32) bool {
	for i := from - 1; i >= max(s.sentenceBegin, from-analysis.MaxPair); i-- {
		t := &ts[i]
		if x.InNode[i] || !penn.IsVerb(t.Tag) || t.IsBe {
			continue
		}
		verb := s.lexicon.PlainForm(t)
		return wordclass.Has(remarks, verb) && !(t.Tag == penn.VBG && i > 0 && ts[i-1].IsBe) || wordclass.Has(" act serve stand ", verb) && tokens.AtOrBorder(ts, i+1).Low == "as"
	}
	return false
}
