package negatives

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// A caption of more than two sentences has more sub-graphs than positives, so the most informative sub-graphs come
// first: relations with visible attributes before single objects. An object is not stated alone if the caption says
// more of it.

// rankedPart is a sub-graph and its rank: how much it tells.
type rankedPart struct {
	part  scenegraph.SubGraph
	tells int
}

// rankParts sorts the sub-graphs of a caption by how much they tell. It first removes attributes that are judgements
// ("beautiful"), and sub-graphs that then tell nothing new.
func (d *decomposer) rankParts(c *Caption, caption int) {
	gr := &c.Graph
	d.ranked = d.ranked[:0]
	for _, part := range d.subgraphs {
		one := part.Relation == scenegraph.NoRelation && part.SubjectAttributes&(part.SubjectAttributes-1) == 0 && part.SubjectAttributes != 0
		attributes := part.SubjectAttributes | part.ObjectAttributes
		part.SubjectAttributes &= d.facts.factualAttributes(caption, part.Subject, gr)
		part.ObjectAttributes &= d.facts.factualAttributes(caption, part.Object, gr)
		if attributes != 0 && part.SubjectAttributes|part.ObjectAttributes == 0 && part.Relation == scenegraph.NoRelation {
			continue
		}
		if d.facts.saysLittle(caption, part, gr) {
			continue
		}
		if one && len(gr.Objects[part.Subject].Attributes) < 3 { // the text with all its attributes says it too
			continue
		}
		informing := d.facts.factualAttributes(caption, part.Subject, gr)
		if attributes == 0 && part.Relation == scenegraph.NoRelation && d.facts.objectAt(caption, part.Subject).Written != "" {
			part.SubjectAttributes = informing // "a red sign that says …"
		} else if attributes == 0 && part.Relation == scenegraph.NoRelation && hasOtherStatements(gr, part.Subject, informing) {
			continue
		}
		d.ranked = append(d.ranked, rankedPart{part, d.facts.rateInformation(caption, part, gr)})
	}
	slices.SortStableFunc(d.ranked, func(a, b rankedPart) int { return cmp.Compare(b.tells, a.tells) })
	d.subgraphs = d.subgraphs[:0]
	for _, r := range d.ranked {
		d.subgraphs = append(d.subgraphs, r.part)
	}
}

// hasOtherStatements reports whether a caption gives an object informing attributes or relations, not just a name.
func hasOtherStatements(gr *schemas.SceneGraph, object int32, informing uint64) bool {
	return informing != 0 || slices.ContainsFunc(gr.Relations, func(r schemas.Relation) bool { return r.Subject == object || r.Object == object })
}

// saysLittle reports whether the relation of a sub-graph is of no use alone. It names a part without an attribute that
// distinguishes it ("a flower with a center"), something invisible ("foliage contrasting with a sky"), or an action
// that its subject cannot do ("a jacket carving on a slope", "a crosswalk clad in a jacket").
func (f *facts) saysLittle(caption int, part scenegraph.SubGraph, gr *schemas.SceneGraph) bool {
	if part.Relation == scenegraph.NoRelation {
		return false
	}
	r, subject, object := f.relationAt(caption, part.Relation), f.objectAt(caption, part.Subject).Noun, f.objectAt(caption, part.Object).Noun
	switch {
	case strings.Contains(r.Key, "n't") || wordclass.Has(unseenClauses, r.Verb) || wordclass.Has(unseenWords, r.Verb):
		return true
	case r.Verb == "feature" && r.Prep != "": // "featuring in a background"
		return true
	case wordclass.Has(" with of have ", r.Key):
		return part.ObjectAttributes == 0 && gr.Objects[part.Object].Quantity == "" && object.Kind != truth.People && object.Kind != truth.Animals
	case wordclass.Has(dressedVerbs, r.Verb):
		return object.Vague || object.Kind != truth.Clothing && object.Kind != 0 && r.Prep == "in" || !subject.Alive() && subject.Kind != 0
	case !subject.Alive() && !wordclass.Has(agents, subject.Head) && r.Verb != "" && wordclass.Has(livelyVerbs, strings.Fields(r.Key)[0]):
		return true
	case subject.Kind == truth.Clothing || subject.Kind == truth.Body:
		return r.Gerund && r.Prep != "" && !wordclass.Has(grammar.Postures, r.Verb) && !f.dict.hasRelationOf(subject, r)
	}
	return false
}

var (
	dressedVerbs = wordclass.Words("dressed") + "wear "
	livelyVerbs  = wordclass.Words("lively")
	agents       = wordclass.Words("agents")
)

// rateInformation returns how much a sub-graph tells. Relations count more than attributes; actions and places count
// more than "with", "of" and "have".
func (f *facts) rateInformation(caption int, part scenegraph.SubGraph, gr *schemas.SceneGraph) int {
	n := min(f.weighAttributes(caption, part.Subject, part.SubjectAttributes, gr), 4)
	if gr.Objects[part.Subject].Quantity != "" {
		n++
	}
	if f.objectAt(caption, part.Subject).Written != "" {
		n += 2
	}
	if part.Relation == scenegraph.NoRelation {
		return n
	}
	object := f.weighAttributes(caption, part.Object, part.ObjectAttributes, gr)
	n += min(object, 3) + 2
	switch r := f.relationAt(caption, part.Relation); {
	case wordclass.Has(" with of have ", r.Key):
		if object == 0 { // "a flower with a center"
			n -= 4
		}
	case r.Verb != "":
		n += 3
	default:
		n += 2
	}
	if o := f.objectAt(caption, part.Object).Noun; o.Vague || o.Intangible {
		n -= 3
	}
	return n
}

// weighAttributes returns how much the attributes of an object in mask tell: 2 for each with a known dimension, 1 for
// any other.
func (f *facts) weighAttributes(caption int, object int32, mask uint64, gr *schemas.SceneGraph) (n int) {
	first := f.objectAt(caption, object).attributes
	for i := range min(len(gr.Objects[object].Attributes), 64) {
		if mask>>i&1 == 0 {
			continue
		}
		if n++; len(f.attributes[first+i].is.Core.Values) > 0 {
			n++
		}
	}
	return n
}

// factualAttributes returns those attributes of an object that are not judgements, as bits.
func (f *facts) factualAttributes(caption int, object int32, gr *schemas.SceneGraph) (mask uint64) {
	first := f.objectAt(caption, object).attributes
	for i := range min(len(gr.Objects[object].Attributes), 64) {
		if is := f.attributes[first+i].is; !is.Judges && !is.Core.Judges {
			mask |= 1 << i
		}
	}
	return mask
}

// dropObjects removes positives of one object: so many that they are no more than the other positives, and of those
// without attributes all but one in seven positives. A sentence without other positives keeps one with an attribute.
// kept are indices of positives by rank; sentence has the sentence of each positive.
func dropObjects(all []statedPart, kept, sentence []int) []int {
	var single, bare idSet
	for i := range all {
		if s := &all[i]; s.phrase.Relation == nil {
			single.add(int64(s.of))
			if s.phrase.Subject.N == 0 && s.phrase.Subject.Quantity == "" && s.phrase.Subject.Written == "" {
				bare.add(int64(s.of))
			}
		}
	}
	others := 0
	said := map[int]bool{}
	for _, i := range kept {
		if !single.contains(int64(i)) {
			others++
			said[sentence[i]] = true
		}
	}
	if others == 0 {
		return kept
	}
	objects, nouns := 0, 0
	return slices.DeleteFunc(kept, func(i int) bool {
		if !single.contains(int64(i)) {
			return false
		}
		isBare := bare.contains(int64(i))
		if only := !isBare && !said[sentence[i]]; !only && objects >= max(others, 2) || isBare && 7*nouns >= max(others+objects, 7) {
			return true
		}
		said[sentence[i]] = true
		if objects++; isBare {
			nouns++
		}
		return false
	})
}

// addClothes adds something that a person wears to the person in a relation, which distinguishes them from others: "a
// woman in a yellow raincoat holding an umbrella".
func (d *decomposer) addClothes(p *say.Phrase, c *Caption, caption int, part scenegraph.SubGraph) {
	gr := &c.Graph
	if part.Relation == scenegraph.NoRelation || p.Subject.Noun.Kind != truth.People || p.Subject.HasAttributeAfter() || p.Relation.Key == "in" || wordclass.Has(dressedVerbs, p.Relation.Verb) {
		return
	}
	if part.SubjectAttributes|part.ObjectAttributes == 0 && len(gr.Objects[part.Subject].Attributes)+len(gr.Objects[part.Object].Attributes) > 0 {
		return // the sub-graph with the attributes is stated too
	}
	for i := range gr.Relations {
		r := &gr.Relations[i]
		if r.Subject != part.Subject || r.Object == part.Object || !d.isWorn(caption, int32(i), gr) || r.Confidence*gr.Objects[r.Object].Confidence < minWornConfidence {
			continue
		}
		worn := new(say.NounPhrase)
		d.facts.readNounPhrase(worn, caption, r.Object, gr, d.facts.factualAttributes(caption, r.Object, gr))
		if worn.N > 0 && worn.Sayable() && !worn.HasAttributeAfter() {
			p.Subject.Worn = worn
			return
		}
	}
}

// minWornConfidence is the least confidence of a relation of wearing that addClothes uses.
const minWornConfidence = 0.7

// isWorn reports whether a relation of a caption says that somebody wears a garment.
func (d *decomposer) isWorn(caption int, relation int32, gr *schemas.SceneGraph) bool {
	r := d.facts.relationAt(caption, relation)
	return d.facts.objectAt(caption, gr.Relations[relation].Object).Noun.Kind == truth.Clothing &&
		(wordclass.Has(dressedVerbs, r.Verb) || r.Key == "in")
}
