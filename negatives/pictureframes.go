package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// Captions by models mention the picture: "The image shows a dog", "In the photo, we can see a lake". A sentence that
// becomes a positive begins after such words, the frame.

// frameVerbs are lemmas of verbs such as "show" that link a picture to its content.
var frameVerbs = wordclass.Words("frame verbs")

// tokenAfterFrame returns the token after the frame that begins at token first, or first if there is none. hadVerb
// reports whether the frame had the verb of the sentence.
func (s *sentenceReader) tokenAfterFrame(first, last int) (at int, hadVerb bool) {
	at = first
	if s.c.Tokens[at].Tag == "IN" { // "In the image,"
		end := s.tokenAfterPictureName(at+1, last)
		if end < 0 {
			return first, false
		}
		if s.lower[end] == "," && end < last {
			end++
		}
		at = end
	}
	if w := s.lower[at]; at+3 <= last && wordclass.Has(" one we you ", w) && s.c.Tokens[at+1].Tag == "MD" && s.lower[at+2] == "see" { // "we can see"
		return at + 3, true
	}
	end := s.tokenAfterPictureName(at, last)
	if end < 0 {
		return at, false
	}
	if s.c.Tokens[end].Tag == "RB" && end < last {
		end++ // "also"
	}
	if !wordclass.Has(frameVerbs, s.c.Tokens[end].Lemma) || !strings.HasPrefix(s.c.Tokens[end].Tag, "V") || end == last || !wordclass.Has(" CD DT JJ NN NNS PRP$ ", s.c.Tokens[end+1].Tag) {
		return at, false
	}
	shown := end + 1
	if end = s.tokenAfterPictureName(shown, last); end >= 0 && end < last && wordclass.Has(" of where ", s.lower[end]) { // "a scene of"
		return end + 1, s.lower[end] == "of"
	}
	return shown, true
}

// tokenAfterPictureName returns the token after a phrase that names the picture and begins with the determiner at:
// "this lively scene". It returns −1 if there is none.
func (s *sentenceReader) tokenAfterPictureName(at, last int) int {
	const maxAdjectives = 3
	if at >= last || s.c.Tokens[at].Tag != "DT" {
		return -1
	}
	for i := at + 1; i < last && i <= at+1+maxAdjectives; i++ {
		t := &s.c.Tokens[i]
		switch {
		case wordclass.Has(pictureNames, t.Lemma) && strings.HasPrefix(t.Tag, "N") && !strings.HasPrefix(s.c.Tokens[i+1].Tag, "N"):
			return i + 1
		case !isAdjective(t.Tag) && t.Tag != "RB" && t.Tag != "," && !strings.HasPrefix(t.Tag, "N"):
			return -1
		}
	}
	return -1
}

// beginsWithThing reports whether the first noun after a frame is a thing that the graph relates to another: not "a
// moment in time", "a residential area".
func (s *sentenceReader) beginsWithThing(x *statedSentence) bool {
	i := x.first
	for i < x.last && (!strings.HasPrefix(s.c.Tokens[i].Tag, "N") || strings.HasPrefix(s.c.Tokens[i+1].Tag, "N")) {
		i++
	}
	if w := s.c.Tokens[i].Lemma; !s.isVisible(i) || wordclass.Has(pictureNouns, w) || wordclass.Has(emptyNouns, w) || wordclass.Has(grammar.Times, w) {
		return false
	}
	begin, end := s.c.Tokens[x.first].Begin, s.c.Tokens[x.last].End
	return slices.ContainsFunc(s.c.Graph.Relations, func(r schemas.Relation) bool {
		o := &s.c.Graph.Objects[r.Object]
		return r.Status == "" && (r.Begin >= begin && r.End <= end || r.Begin < 0 && o.Begin >= begin && o.End <= end)
	})
}
