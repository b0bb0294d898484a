package rules

import (
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
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
