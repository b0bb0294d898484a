package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// nameSubject replaces the pronoun at the beginning of a sentence by the noun that it refers to. "It is surrounded by
// trees." of a fountain becomes "The fountain is surrounded by trees." It reports whether the graph has that noun.
func (s *sentenceReader) nameSubject(x *statedSentence) bool {
	first := &s.c.Tokens[x.first]
	w := s.lower[x.first]
	if first.Tag == "PRP$" && s.hasNoOtherPronoun(x) {
		return s.nameOwner(x)
	}
	if !wordclass.Has(" he it she they ", w) || !s.hasNoOtherPronoun(x) {
		return false
	}
	for i := x.first + 1; i <= x.last && !strings.HasPrefix(s.c.Tokens[i].Tag, "N"); i++ {
		at := s.c.Tokens[i].Begin
		r := slices.IndexFunc(s.c.Graph.Relations, func(r schemas.Relation) bool { return r.Begin == at })
		if r < 0 {
			continue
		}
		o := &s.c.Graph.Objects[s.c.Graph.Relations[r].Subject]
		if s.c.Graph.Relations[r].Status != "" || !s.isReferent(o, first.Begin, w) {
			return false
		}
		x.subject, x.named = "The "+o.Name, 1
		switch next := s.lower[x.first+1]; {
		case next == "'s" && s.lower[x.first+2] != "been" && s.lower[x.first+2] != "got":
			x.subject, x.named = x.subject+" is", 2
		case next == "'re":
			x.subject, x.named = x.subject+" are", 2
		case strings.HasPrefix(next, "'"):
			return false
		}
		return true
	}
	return false
}

// nameOwner replaces the possessive at the beginning of a sentence by its owner: "Its tail is red." of a plane becomes
// "The plane's tail is red." It reports whether the graph has the owner.
func (s *sentenceReader) nameOwner(x *statedSentence) bool {
	noun := x.first + 1
	for noun < x.last && !strings.HasPrefix(s.c.Tokens[noun].Tag, "N") {
		noun++
	}
	g := &s.c.Graph
	r := slices.IndexFunc(g.Relations, func(r schemas.Relation) bool {
		o := &g.Objects[r.Object]
		return r.Begin < 0 && r.Status == "" && wordclass.Has(" has have with ", r.Predicate) && o.Begin <= s.c.Tokens[noun].Begin && s.c.Tokens[noun].Begin < o.End
	})
	pronoun := pronounOfOwner[s.lower[x.first]]
	if r < 0 || pronoun == "" || !s.isReferent(&g.Objects[g.Relations[r].Subject], s.c.Tokens[x.first].Begin, pronoun) {
		return false
	}
	x.subject, x.named = "The "+g.Objects[g.Relations[r].Subject].Name+"'s", 1
	if strings.HasSuffix(x.subject, "s's") {
		x.subject = strings.TrimSuffix(x.subject, "s")
	}
	return true
}

var pronounOfOwner = map[string]string{"his": "he", "her": "she", "its": "it", "their": "they"}

// isReferent reports whether a thing is named before a byte of the caption, is the only one of its name, and agrees
// with a pronoun.
func (s *sentenceReader) isReferent(o *schemas.Object, before int32, pronoun string) bool {
	return o.Begin >= 0 && o.End <= before && o.Status == "" && !s.isOneOfSeveral(o) && s.agreesWith(o, pronoun)
}

// hasNoOtherPronoun reports whether no pronoun of a sentence but the first word refers to an earlier thing. It may
// refer to the subject again after a preposition: "He has a bag with him", but not "He waves at him".
func (s *sentenceReader) hasNoOtherPronoun(x *statedSentence) bool {
	same := map[string]string{"he": "him", "she": "her", "it": "it", "they": "them"}[s.lower[x.first]]
	verb := false
	for i := x.first + 1; i <= x.last; i++ {
		tag := s.c.Tokens[i].Tag
		verb = (verb || wordclass.Has(finiteTags, tag)) && !strings.HasPrefix(tag, "N")
		if tag == "PRP" && !strings.HasSuffix(s.lower[i], "self") && (s.lower[i] != same || verb || !wordclass.Has(besideSubject, s.lower[i-1])) {
			return false
		}
	}
	after := *x
	after.first++
	return !s.needsMore(&after, "")
}

// besideSubject are prepositions after which a pronoun may mean the subject itself: "He has a bag beside him".
const besideSubject = " above around behind below beneath beside in near of on over to under underneath with "

// isOneOfSeveral reports whether the graph has another thing with the same head: "the man" if there are two men.
func (s *sentenceReader) isOneOfSeveral(o *schemas.Object) bool {
	n := 0
	for i := range s.c.Graph.Objects {
		if p := &s.c.Graph.Objects[i]; headOf(p.Name) == headOf(o.Name) || p.Head == o.Head {
			n++
		}
	}
	return n > 1
}

// agreesWith reports whether o is a plural if the pronoun is "they", or else a singular, and has no proper name.
func (s *sentenceReader) agreesWith(o *schemas.Object, pronoun string) bool {
	last := ""
	for i := range s.c.Tokens {
		if t := &s.c.Tokens[i]; t.Begin >= o.Begin && t.End <= o.End {
			if last = t.Tag; last == "NNP" || last == "NNPS" || last == "PRP" {
				return false
			}
		}
	}
	return last != "" && (last == "NNS") == (pronoun == "they")
}
