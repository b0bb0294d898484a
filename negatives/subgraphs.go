package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// planSubGraphs plans the edits of a caption's sub-graphs (MosaiCLIP App. B).
func planSubGraphs(job *captionJob) {
	c := job.caption
	gr := &c.Graph
	for i := range job.parts {
		s := &job.parts[i]
		pl := plan{said: s, slot: noSlot, sentence: s.sentence}
		subject := &gr.Objects[s.part.Subject]
		planAttributes(job, pl, subject, job.objectAt(s.part.Subject), s.part.SubjectAttributes)
		o1 := job.objectAt(s.part.Subject)
		if s.part.Relation == scenegraph.NoRelation {
			if n := o1.Noun; job.enabled[methods.ReplaceObject] && !o1.Name && !n.Vague && s.phrase.Subject.Written == "" { // "a poster that says …" may be true
				pl.method = methods.ReplaceObject
				job.addWithSharedSlot(pl, &slot{kind: slots.Object, text: n.Key, noun: n, of: n.Kind})
			}
			continue
		}
		object := &gr.Objects[s.part.Object]
		second := pl
		second.second = true
		planAttributes(job, second, object, job.objectAt(s.part.Object), s.part.ObjectAttributes)

		rel := job.relationAt(s.part.Relation)
		o2 := job.objectAt(s.part.Object)
		n1, n2 := o1.Noun, o2.Noun
		if job.enabled[methods.SwapObjects] {
			pl.method = methods.SwapObjects
			job.plans = append(job.plans, pl)
		}
		if job.enabled[methods.ReverseDirection] {
			pl.method = methods.ReverseDirection
			job.plans = append(job.plans, pl)
		}
		if job.enabled[methods.SwapAttributes] && s.part.SubjectAttributes != 0 && s.part.ObjectAttributes != 0 {
			pl.method = methods.SwapAttributes
			job.plans = append(job.plans, pl)
		}
		pl.method, second.method = methods.ReplaceObject, methods.ReplaceObject
		if job.enabled[methods.ReplaceObject] && !o1.Name && !n1.Vague && !(isWithPart(rel, n2) && s.part.ObjectAttributes == 0) {
			job.addWithSharedSlot(pl, &slot{kind: slots.Object, text: n1.Key, noun: n1, of: n1.Kind, relation: rel, other: n2})
		}
		if job.enabled[methods.ReplaceObject] && !o2.Name && !n2.Vague && s.phrase.Object.Written == "" && rel.Prep != "for" { // a purpose is not visible
			job.addWithSharedSlot(second, &slot{kind: slots.Object, text: n2.Key, noun: n2, of: n2.Kind, relation: rel, object: true, other: n1})
		}
		relations := slot{kind: slots.Relation, text: rel.Key, id: rel.Id, head: o2.Head, subject: o1.Head, of: n1.Kind}
		if job.enabled[methods.ReplaceRelation] {
			pl.method = methods.ReplaceRelation
			job.addWithSharedSlot(pl, &relations)
		}
		if job.enabled[methods.Combine] {
			pl.method = methods.Combine
			job.addWithSharedSlot(pl, &relations)
		}
		if job.enabled[methods.Join] {
			pl.method = methods.Join
			job.addWithSharedSlot(pl, &relations)
		}
	}
}

// planAttributes plans the replacement of an object's attributes that are in mask, and of its
// quantity.
func planAttributes(job *captionJob, pl plan, o *schemas.Object, known *knownObject, mask uint64) {
	pl.method = methods.ReplaceAttribute
	said := 0
	for i, a := range o.Attributes {
		if !job.enabled[methods.ReplaceAttribute] || i >= 64 || mask>>i&1 == 0 || a.Text == "" || job.facts.attributes[known.attributes+i].unsaid || said == say.MaxAttributes {
			continue
		}
		said++
		pl.a = i
		is := job.facts.attributes[known.attributes+i].is
		job.addWithSharedSlot(pl, &slot{kind: slots.Attribute, text: is.Text, id: is.Id, head: known.Head, of: known.Noun.Kind})
	}
	if quantity := replaceableCount(job, pl, o, known); quantity != "" && job.enabled[methods.ReplaceQuantity] {
		pl.method = methods.ReplaceQuantity
		job.addWithSharedSlot(pl, &slot{kind: slots.Quantity, text: quantity, id: job.dict.words.Property(quantity).Id, head: known.Head})
	}
}

// replaceableCount returns the quantity of an object if another number can replace it: "one" for a
// single thing. Else it is empty.
func replaceableCount(job *captionJob, pl plan, o *schemas.Object, known *knownObject) string {
	n := known.Noun
	switch {
	case n.Kind == truth.Body, known.Some, job.dict.filter.plausible && (!n.IsCounted() || isRanking(job.caption.Tokens)):
	case known.Single && mayBeSeveral(job, pl, known):
		return grammar.JustOne
	case known.Quantity != "" && len(job.dict.words.Property(o.Quantity).Values) > 0:
		return o.Quantity
	}
	return ""
}

// mayBeSeveral reports whether a single thing of the caption could also be several: it is countable,
// the captions have no others of it, and its relation can hold for several at once.
func mayBeSeveral(job *captionJob, pl plan, known *knownObject) bool {
	switch n := known.Noun; {
	case !words.IsNoun(n), n.PluralOnly, n.Mass, !n.Usage.Pluralises(), job.facts.several[known.class]:
		return false
	case n.Size() == truth.Vast, n.Kind == truth.Openings, n.Kind == truth.Clothing, n.Kind == truth.Weather, n.Kind == truth.Media:
		return false
	}
	if p := &pl.said.phrase; p.Subject.N > 0 && !pl.second || p.Object.N > 0 && pl.second {
		return false // the number would change in two places
	}
	return !pl.second || job.relationAt(pl.said.part.Relation).TakesSeveral()
}
