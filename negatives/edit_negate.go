package negatives

import (
	"capgraph/negatives/methods"
	"capgraph/negatives/say"
	"capgraph/schemas"
)

// planNegations plans one negation of each sub-graph, and of the caption if it is a sub-graph's
// positive.
func planNegations(job *captionJob) {
	if !job.enabled[methods.Negate] {
		return
	}
	for i := range job.parts {
		s := &job.parts[i]
		job.plans = append(job.plans, plan{method: methods.Negate, said: s, slot: noSlot, sentence: s.sentence})
	}
}

// negate states that something is not there, or does not do what the positive says: "there is no
// dog on grass", "a dog that is not on grass" (CREPE).
func negate(job *captionJob, pl *plan) {
	p := pl.said.phrase
	category := schemas.CategoryObject
	if p.Relation != nil {
		category = schemas.CategoryRelation
	}
	known := job.objectAt(pl.said.part.Subject)
	if p.Relation != nil && p.Relation.Be && !job.facts.several[known.class] && job.random.Next()%2 == 0 {
		job.sink.text = say.AppendNot(job.sink.text[:0], &p)
	} else {
		job.sink.text = say.AppendNo(job.sink.text[:0], &p)
	}
	if pl.positiveIndex() == 0 {
		job.sink.text = say.AppendAsCaption(job.sink.text, job.sink.pool.Positives[0].Text)
	}
	job.sink.emitText(pl, schemas.ChangedNegation, category)
}
