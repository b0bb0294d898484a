package rules

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// In a text of several sentences, as vision–language models write them, a thing that is
// named again is one object, and what is said of the picture makes none.

// sentences are what a text of several sentences has said so far: of each object when it
// was named last, and which one each sentence begins with.
type sentences struct {
	first   int32          // tokens of the first sentence
	named   map[uint32]int // the last node by the hash of its last word; nil in one sentence
	persons int            // how many persons were named, each of them once
	person  int            // the last of them
	subject int            // the first object of this sentence, or -1
	before  int            // that of the sentence before, or -1
	begin   int32          // where this sentence begins
}

func newSentences(ts []tokens.Token) sentences {
	return sentences{first: analysis.FirstSentence(ts), subject: -1, before: -1}
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
	s.reach(ts, x, b)
	n := &x.Nodes[b]
	a := s.antecedent(ts, x, b)
	if a < 0 && !analysis.IsPronoun(&ts[n.From]) {
		s.name(ts, x, b)
	}
	if s.subject < 0 && (a >= 0 || !analysis.IsPronoun(&ts[n.From])) {
		if s.subject = b; a >= 0 {
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
		if a >= 0 && standsFor(t, &ts[x.Nodes[a].To-1], &x.Nodes[a]) {
			return a
		}
	}
	if (t.Low == "he" || t.Low == "she") && s.persons == 1 {
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
	n := &x.Nodes[b]
	if t := &ts[n.To-1]; t.In(moods) || t.In(depictions) && definite(ts, x.Begins(b)) {
		return true
	}
	if c := ts[n.To-1].Class; c == tokens.ClassCognition || c == tokens.ClassFeeling || c == tokens.ClassState || c == tokens.ClassAttribute {
		return true
	}
	from := x.Begins(b)
	return from > 1 && ts[from-1].Low == "of" && ts[from-2].In(moods)
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
		owner := x.owner(ts, at, owned)
		if owner < 0 || areRelated(g, at[owner], at[owned]) {
			continue
		}
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: at[owner], Object: at[owned], Predicate: "has", Lemma: "have", Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
}

// owner is whose object b is by what stands before it, or -1.
func (x *Reading) owner(ts []tokens.Token, at []int32, b int) int {
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

// accompanies reports whether e says no more than that something of somebody is with
// them: "a man sits in a chair with his legs crossed".
func (x *Reading) accompanies(ts []tokens.Token, e *analysis.Relation) bool {
	c := &e.Candidate
	return c.Implied == 0 && !c.Reversed && c.N == 1 && ts[c.Words[0]].Low == "with" && ts[x.Begins(int(e.B))-1].Tag == penn.PRPS
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

// A place may be said of a thing without what it is a place of: "a tower with a clock on
// top", "a street with people standing nearby". It is that of what the thing is with.

// elliptical is the predicate that stands between object b and the end of a clause: such a
// place, and a participle before it.
func (x *Reading) elliptical(ts []tokens.Token, b int) (c analysis.Candidate, ok bool) {
	c = analysis.Candidate{Where: analysis.After, Reversed: true}
	i := x.Nodes[b].To
	if int(i) < len(ts) && (ts[i].Tag == penn.VBG || ts[i].Tag == penn.VBN) {
		if !x.InNode[i] {
			c.Words[0], c.N = i, 1
		}
		i++
	}
	if int(i) == len(ts) || x.InNode[i] {
		return c, false
	}
	c.Words[c.N] = i
	c.N++
	if preposition := ts[i].Low; !wordclass.Has(" above behind below beneath inside nearby underneath ", preposition) {
		if i++; preposition != "on" && preposition != "at" && preposition != "in" || int(i) == len(ts) {
			return c, false
		}
		if ts[i].In(" both each either one the ") && int(i)+1 < len(ts) {
			i++
		}
		if x.InNode[i] || !ts[i].In(sides) {
			return c, false
		}
		c.Words[c.N] = i
		c.N++
	}
	return c, x.concludes(ts, i+1)
}

// concludes reports whether a clause ends before token i.
func (x *Reading) concludes(ts []tokens.Token, i int32) bool {
	return int(i) == len(ts) || ts[i].Kind == tokens.Mark || !x.InNode[i] && (ts[i].Tag == penn.CC || ts[i].In(" as while "))
}

// completed adds to the words of c what they are said without: "on top of", "near".
func completed(c *analysis.Candidate, ts []tokens.Token, words string) string {
	last := c.Words[max(c.N, 1)-1]
	switch {
	case c.N == 0 || !c.Reversed || c.Where != analysis.After:
	case ts[last].Low == "nearby":
		return strings.TrimSuffix(words, "nearby") + "near"
	case c.N > 1 && ts[last].In(sides) && !(int(last)+1 < len(ts) && ts[last+1].Low == "of"):
		return words + " of"
	}
	return words
}
