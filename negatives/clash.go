package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/say"
	"capgraph/negatives/words"
)

// clashes reports whether a new attribute at begin to end does not fit another attribute before the
// noun at head: "a clear, overcast blue sky" from "a clear, bright blue sky".
func (w *captionWords) clashes(begin, end, head int, is *words.Property) bool {
	if head < 0 {
		return false
	}
	first := head
	for w.hasTag(first-1, nouns) {
		first--
	}
	for w.hasTag(first-1, tagJJ|tagVBN|tagVBG|tagCC|tagComma|tagRB) {
		first--
	}
	var others []*words.Property
	for j := first; j < head; j++ {
		if (j < begin || j > end) && w.hasTag(j, tagJJ|tagVBN|tagVBG|nouns) {
			others = append(others, w.words.Property(w.lower[j]).Core)
		}
	}
	return w.words.ClashesIn(w.nounAt(head, head), others, w.words.Property(strings.ToLower(w.textOf(begin, end))).Core, is)
}

// clashesIn reports whether a new value of an attribute of a phrase, which is of an object of the caption, does not go with
// the object's others, or with what is said of its outside and of what is on it. changed is another object of the phrase that
// changes too, or unchanged.
func (job *captionJob) clashesIn(phrase *say.NounPhrase, at *say.Attribute, object, changed int32, is *words.Property) bool {
	was := at.Is.Core
	return job.dict.words.ClashesIn(phrase.Noun, attributesBut(phrase, at), was, is.Core) || job.clashesAround(object, changed, was, is.Core)
}

// unchanged stands for no object.
const unchanged = -1

var (
	outsides = wordclass.Words("outsides")
	markings = wordclass.Words("markings")
)

// clashesAround reports whether a new value of an object does not go with what the graph says of its outside, "a gray tarmac
// with a black surface", or is the colour of what is on it, "a red sign bearing red letters".
func (job *captionJob) clashesAround(object, changed int32, was, is *words.Property) bool {
	gr := &job.caption.Graph
	for i := range gr.Relations {
		r := &gr.Relations[i]
		other := r.Object
		if r.Object == object {
			other = r.Subject
		}
		if object < 0 || other == changed || r.Object != object && r.Subject != object {
			continue
		}
		rel := job.relationAt(int32(i))
		switch part := job.objectAt(other).Noun; {
		case rel.Verb == "" && (wordclass.Has(outsides, part.Head) || wordclass.Has(outsides, job.objectAt(object).Noun.Head)):
			if job.hasAttribute(other, func(a *words.Property) bool {
				return job.dict.words.AttributesExclude(a, is) && !job.dict.words.AttributesExclude(a, was)
			}) {
				return true
			}
		case wordclass.Has(markings, rel.Verb) && is.Colour:
			same := func(a *words.Property) bool { return a == is || words.SameValue(a.Values, is.Values) }
			if job.hasAttribute(other, same) || r.Subject == object && job.isIn(other, same) {
				return true
			}
		}
	}
	return false
}

// hasAttribute reports whether one of the attributes of an object holds.
func (job *captionJob) hasAttribute(object int32, holds func(*words.Property) bool) bool {
	first := job.objectAt(object).attributes
	return slices.ContainsFunc(job.facts.attributes[first:first+len(job.caption.Graph.Objects[object].Attributes)], func(a knownAttribute) bool { return holds(a.is.Core) })
}

// isIn reports whether an object is in one with an attribute that holds: "the word in red letters".
func (job *captionJob) isIn(object int32, holds func(*words.Property) bool) bool {
	for i, r := range job.caption.Graph.Relations {
		if r.Subject == object && job.relationAt(int32(i)).Key == "in" && job.hasAttribute(r.Object, holds) {
			return true
		}
	}
	return false
}
