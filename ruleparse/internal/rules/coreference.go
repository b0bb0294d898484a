package rules

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// referent is the only object before node b that a pronoun can stand for, or -1.
func referent(ts []tokens.Token, x *Reading, pronoun *tokens.Token, b int) int {
	found := -1
	for a := max(0, b-maxBack); a < b; a++ {
		m := &x.Nodes[a]
		if m.Attribute || ts[m.From].Tag == penn.PRP || !standsFor(pronoun, &ts[m.To-1], m) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = a
	}
	return found
}

// doing is the object before the pronoun at token i, the subject of a verb, that it stands
// for: the only one that it can stand for or, in a clause of its own, what the text is
// about ("a train rounds the corner as it comes down the tracks"); or -1.
func doing(ts []tokens.Token, x *Reading, i int32) int {
	if a := referent(ts, x, &ts[i], objectBefore(x, -1, i)+1); a >= 0 || i == 0 || !ts[i-1].In(" after as before when while ") {
		return a
	}
	for a := range x.Nodes {
		m := &x.Nodes[a]
		if m.Attribute || x.into(int32(a)) >= 0 {
			continue
		}
		if m.To <= i && (standsFor(&ts[i], &ts[m.To-1], m) || ts[i].Low == "they" && m.Alive) {
			return a
		}
		break
	}
	return -1
}

// standsFor reports whether a pronoun can stand for an object whose last word is t.
func standsFor(pronoun, t *tokens.Token, m *analysis.Node) bool {
	plural := t.Tag == penn.NNS || t.Tag == penn.NNPS
	switch pronoun.Low {
	case "he", "him", "his":
		return (m.Person || m.Alive && m.Class == tokens.ClassAnimal) && !plural && !t.In(femaleNouns)
	case "she", "her":
		return (m.Person || m.Alive && m.Class == tokens.ClassAnimal) && !plural && !t.In(maleNouns)
	case "it", "its":
		return !m.Person && !plural
	case "they", "them":
		return plural
	case "their":
		return m.Person || m.Alive && m.Class == tokens.ClassAnimal || m.Class == tokens.ClassGroup
	}
	return false
}

// maxBack is how many nodes back a pronoun may refer.
const maxBack = 24

// possess relates what stands after a possessive with its owner, where the owner is
// sure: the noun before "'s", or the only object before a pronoun that it fits. The
// relation is implied, so it has no offset.
func (b *building) possess() {
	ts, x, at, g := b.ts, b.x, b.at, b.g
	for owned := range x.Nodes {
		if at[owned] < 0 {
			continue
		}
		owner := b.said.owner(ts, x, at, owned)
		if owner < 0 || areRelated(g, at[owner], at[owned]) {
			continue
		}
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: at[owner], Object: at[owned], Predicate: "has", Lemma: "have", Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
}

// owner is whose object b is by what stands before it, or -1.
func (s *sentences) owner(ts []tokens.Token, x *Reading, at []int32, b int) int {
	begin := x.Begins(b)
	if begin == 0 {
		return -1
	}
	switch ts[begin-1].Tag {
	case penn.POS:
		if a := x.nodeAt(begin - 2); a >= 0 && !x.Nodes[a].Attribute && at[a] >= 0 {
			return a
		}
	case penn.PRPS:
		if a, ok := s.owners[b]; ok && a >= 0 && at[a] >= 0 {
			return a
		}
		owner := -1
		for a := max(0, b-maxBack); a < b; a++ {
			if at[a] < 0 || !standsFor(&ts[begin-1], &ts[x.Nodes[a].To-1], &x.Nodes[a]) {
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
	for i := len(g.Relations) - 1; i >= 0 && i >= len(g.Relations)-maxBack*maxBack; i-- {
		r := &g.Relations[i]
		if r.Subject == a && r.Object == b || r.Subject == b && r.Object == a {
			return true
		}
	}
	return false
}

// In a text of several sentences, as vision–language models write them, a thing that is
// named again is one object, and what is said of the picture makes none.

// sentences are what a text of several sentences has said so far: of each object when it
// was named last, and which one each sentence begins with.
type sentences struct {
	lexicon *tokens.Lexicon
	first   int32          // tokens of the first sentence
	named   map[uint32]int // the last node by the hash of its last word; nil in one sentence
	persons int            // how many persons were named, each of them once
	person  int            // the last of them
	subject int            // the first object of this sentence, or -1
	before  int            // that of the sentence before, or -1
	begin   int32          // where this sentence begins
	owners  map[int]int    // of what stands after a possessive pronoun in a later sentence
}

func (s *Set) newSentences(ts []tokens.Token) sentences {
	return sentences{lexicon: s.Lexicon, first: analysis.FirstSentence(ts), subject: -1, before: -1}
}

// several reports whether there is more than one sentence.
func (s *sentences) several(ts []tokens.Token) bool { return int(s.first) < len(ts) }

// again is the node before object b that b names again, or -1: a later sentence has "the"
// or its like and the same last word, alone or in the same name ("A cat sits on a bed. *The
// cat* is black."), or a person where only one was named ("A skater … *The man* …"); or a
// pronoun begins a clause of it ("*He* wears a hat").
func (s *sentences) again(ts []tokens.Token, x *Reading, b int) int {
	if !s.several(ts) {
		return -1
	}
	n := &x.Nodes[b]
	if begin := x.Begins(b); begin > s.first && ts[begin-1].Tag == penn.PRPS {
		if s.owners == nil {
			s.owners = make(map[int]int)
		}
		s.owners[b] = s.pronoun(ts, x, &ts[begin-1])
	}
	a := s.antecedent(ts, x, b)
	if a < 0 && !analysis.IsPronoun(&ts[n.From]) {
		s.name(ts, x, b)
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

// reach goes on to the sentence of node b.
func (s *sentences) reach(ts []tokens.Token, x *Reading, b int) {
	for i := s.begin; i < x.Nodes[b].From; i++ {
		if ts[i].Tag == penn.Period {
			s.before, s.subject, s.begin = s.subject, -1, i+1
		}
	}
}

func (s *sentences) antecedent(ts []tokens.Token, x *Reading, b int) int {
	n := &x.Nodes[b]
	if n.From < s.first {
		return -1
	}
	t := &ts[n.To-1]
	if analysis.IsPronoun(t) {
		return s.pronoun(ts, x, t)
	}
	if !definite(ts, x.Begins(b)) {
		return -1
	}
	if a, ok := s.named[t.Hash]; ok && (n.To-n.From == 1 || n.Name == x.Nodes[a].Name) {
		return a
	}
	if n.Person && s.persons == 1 && t.Flags&tokens.NounPlural == 0 && n.To-n.From == 1 {
		return s.person
	}
	return -1
}

// pronoun is what a subject of a later sentence stands for: the person of whom alone it was
// spoken, or what this sentence or the one before it began with.
func (s *sentences) pronoun(ts []tokens.Token, x *Reading, t *tokens.Token) int {
	for _, a := range [...]int{s.subject, s.before} {
		if a >= 0 && (standsFor(t, &ts[x.Nodes[a].To-1], &x.Nodes[a]) || t.Low == "their" && several(&ts[x.Nodes[a].To-1])) {
			return a
		}
	}
	if t.In(" he her his she ") && s.persons == 1 {
		return s.person
	}
	return -1
}

func (s *sentences) name(ts []tokens.Token, x *Reading, b int) {
	n := &x.Nodes[b]
	if s.named == nil {
		s.named = make(map[uint32]int)
	}
	s.named[ts[n.To-1].Hash] = b
	if n.Person {
		s.person = b
		if s.persons++; ts[n.To-1].Flags&tokens.NounPlural != 0 {
			s.persons++
		}
	}
}

// definite reports whether what begins at token i is said to be known: "the", "this",
// but not "the other".
func definite(ts []tokens.Token, i int32) bool {
	return i > 0 && ts[i-1].In(" that the these this those ") && ts[i].Low != "other"
}

// ofPicture reports whether object b is nothing that the picture shows: the picture itself
// ("the image shows", "in this lively scene"), what it is like ("a touch of warmth"), or what
// such a word takes with "of".
func (s *sentences) ofPicture(ts []tokens.Token, x *Reading, b int) bool {
	if !s.several(ts) {
		return false
	}
	s.reach(ts, x, b)
	t, from := &ts[x.Nodes[b].To-1], x.Begins(b)
	if t.In(moods) || t.In(depictions) && definite(ts, from) || from > 1 && ts[from-1].Low == "of" && ts[from-2].In(moods) {
		return true
	}
	switch s.class(t) {
	case tokens.ClassCognition, tokens.ClassFeeling, tokens.ClassState, tokens.ClassAttribute, tokens.ClassRelation:
		if !t.In(visible) {
			return true
		}
	}
	return ts[s.begin].Low == "overall" || s.remarked(ts, x, from)
}

// class is WordNet's class of a noun, that of its singular where it is a plural.
func (s *sentences) class(t *tokens.Token) uint32 {
	if t.Tag != penn.NNS {
		return uint32(t.Class)
	}
	one := s.lexicon.Singular(t)
	return s.lexicon.ClassOf(one, linear.Hash(one))
}

// remarked reports whether what begins at token from is what a verb of opinion says.
func (s *sentences) remarked(ts []tokens.Token, x *Reading, from int32) bool {
	for i := from - 1; i >= max(s.begin, from-analysis.MaxPair); i-- {
		t := &ts[i]
		if x.InNode[i] || !penn.IsVerb(t.Tag) || t.Be {
			continue
		}
		verb := s.lexicon.Plain(t)
		return wordclass.Has(remarks, verb) && !(t.Tag == penn.VBG && i > 0 && ts[i-1].Be) || wordclass.Has(" act serve stand ", verb) && tokens.At(ts, i+1).Low == "as"
	}
	return false
}
