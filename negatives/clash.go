package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/say"
	"capgraph/negatives/words"
)

// clashes reports whether the new attribute is, in place of tokens begin to end, does not fit another attribute of the
// noun at head: "overcast" in "a clear, bright blue sky" changed to "a clear, overcast blue sky".
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

// clashesIn reports whether the value is, in place of attribute at of a phrase, does not go with the other attributes
// of the object, or clashes with those around it (see clashesAround). changed is another object of the phrase that
// changes too, or unchanged.
func (job *captionJob) clashesIn(phrase *say.NounPhrase, at *say.Attribute, object, changed int32, is *words.Property) bool {
	was := at.Is.Core
	return job.dict.words.ClashesIn(phrase.Noun, attributesBut(phrase, at), was, is.Core) || job.clashesAround(object, changed, was, is.Core)
}

// unchanged, in place of an object, says that no other object changes.
const unchanged = -1

var (
	outsides = wordclass.Words("outsides")
	markings = wordclass.Words("markings")
)

// clashesAround reports whether the attribute is, in place of was, does not fit the attributes of objects that are
// related to the object: those of its surface ("a gray tarmac with a black surface"), or the colour of the marks on it
// ("a red sign bearing red letters").
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
			if job.hasAttribute(other, same) || r.Subject == object && job.isInObjectWith(other, same) {
				return true
			}
		}
	}
	return false
}

// hasAttribute reports whether holds is true of one of the object's attributes.
func (job *captionJob) hasAttribute(object int32, holds func(*words.Property) bool) bool {
	first := job.objectAt(object).attributes
	return slices.ContainsFunc(job.facts.attributes[first:first+len(job.caption.Graph.Objects[object].Attributes)], func(a knownAttribute) bool { return holds(a.is.Core) })
}

// isInObjectWith reports whether an object is in another for one of whose attributes holds is true: "the word in red
// letters".
func (job *captionJob) isInObjectWith(object int32, holds func(*words.Property) bool) bool {
	for i, r := range job.caption.Graph.Relations {
		if r.Subject == object && job.relationAt(int32(i)).Key == "in" && job.hasAttribute(r.Object, holds) {
			return true
		}
	}
	return false
}
