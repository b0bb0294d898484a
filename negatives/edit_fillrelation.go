package negatives

import (
	"strings"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/schemas"
)

// planRelationFills plans the replacement of each preposition before an object of the caption: "A man in front of a car
// in a field" becomes "A man behind a car in a field". Verbs are replaced by fill_action.
func planRelationFills(job *captionJob, base plan) {
	if !job.enabled[methods.FillRelation] {
		return
	}
	gr := &job.caption.Graph
	for i := range gr.Relations {
		first, last, ok := job.findPreposition(int32(i))
		if !ok {
			continue
		}
		rel, subject, object := job.relationAt(int32(i)), job.objectAt(gr.Relations[i].Subject), job.objectAt(gr.Relations[i].Object)
		pl := base
		pl.method, pl.a, pl.b, pl.relation = methods.FillRelation, first, last, int32(i)
		job.addPlan(pl, &slot{kind: slots.Relation, text: rel.Key, id: rel.Id, head: object.Head, subject: subject.Head, of: subject.Noun.Kind})
	}
}

// findPreposition returns the tokens of a relation's preposition. ok is false unless it is right before the noun phrase
// of the object.
func (job *captionJob) findPreposition(relation int32) (first, last int, ok bool) {
	r, rel := &job.caption.Graph.Relations[relation], job.relationAt(relation)
	a, b, found := job.words.nounRunsOf(&job.caption.Graph, r.Subject, r.Object)
	if !found || rel.Prep == "" {
		return 0, 0, false
	}
	first, last = b.begin-len(strings.Fields(rel.Prep)), b.begin-1
	return first, last, first > a.last && strings.Join(job.words.lower[first:b.begin], " ") == rel.Prep
}

// fillRelation replaces a preposition of the caption.
func fillRelation(job *captionJob, pl *plan) {
	r := &job.caption.Graph.Relations[pl.relation]
	x, y, original := job.objectAt(r.Subject), job.objectAt(r.Object), job.relationAt(pl.relation)
	word := ""
	job.sample(pl, func(c choice) Reason {
		rel := c.relation()
		if rel.Verb != original.Verb || rel.Prep == "" || rel.Gerund != original.Gerund {
			return ReasonGrammar
		}
		word = rel.Prep
		return checkRelation(job, pl, c, &relationEnds{x.Noun, y.Noun, x.class, y.class, original})
	}, func() bool {
		return job.sink.emitSplices(pl, schemas.ChangedRelation, splice{pl.a, pl.b, word})
	})
}
