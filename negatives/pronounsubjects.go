package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// nameSubject replaces the pronoun at the beginning of a sentence by the name of what it refers to, and reports whether
// the graph knows it: "It is surrounded by trees." of a fountain becomes "The fountain is surrounded by trees."
func (s *sentenceReader) nameSubject(x *statedSentence) bool {
	first := &s.c.Tokens[x.first]
	w := s.lower[x.first]
	if !wordclass.Has(" he it she they ", w) || !s.hasNoOther(x) {
		return false
	}
	for i := x.first + 1; i <= x.last && !strings.HasPrefix(s.c.Tokens[i].Tag, "N"); i++ {
		at := s.c.Tokens[i].Begin
		r := slices.IndexFunc(s.c.Graph.Relations, func(r schemas.Relation) bool { return r.Begin == at })
		if r < 0 {
			continue
		}
		o := &s.c.Graph.Objects[s.c.Graph.Relations[r].Subject]
		if o.Begin < 0 || o.End > first.Begin || o.Status != "" || s.c.Graph.Relations[r].Status != "" || s.isOneOfSeveral(o) || !s.agrees(o, w) {
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

// hasNoOther reports whether the first word of a sentence is the only pronoun in it that needs a thing before it.
func (s *sentenceReader) hasNoOther(x *statedSentence) bool {
	for i := x.first + 1; i <= x.last; i++ {
		if s.c.Tokens[i].Tag == "PRP" && !strings.HasSuffix(s.lower[i], "self") {
			return false
		}
	}
	after := *x
	after.first++
	return !s.needsMore(&after, "")
}

// isOneOfSeveral reports whether another thing of the graph has the head of o: "the man" of two men.
func (s *sentenceReader) isOneOfSeveral(o *schemas.Object) bool {
	n := 0
	for i := range s.c.Graph.Objects {
		if p := &s.c.Graph.Objects[i]; headOf(p.Name) == headOf(o.Name) || p.Head == o.Head {
			n++
		}
	}
	return n > 1
}

// agrees reports whether o is several things for "they", else one, and has no proper name.
func (s *sentenceReader) agrees(o *schemas.Object, pronoun string) bool {
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
