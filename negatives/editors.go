package negatives

import (
	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
)

// planners plan the edits of a caption, in this order. Negatives come in the order of their plans.
var planners = [...]func(*captionJob){planSubGraphs, planCaption, planHalfTruths, planNegations}

// editors make the negatives of a plan, by the plan's method.
var editors = [...]func(*captionJob, *plan){
	methods.ReplaceAttribute: replaceAttribute,
	methods.ReplaceObject:    replaceObject,
	methods.ReplaceRelation:  replaceRelation,
	methods.ReplaceQuantity:  replaceQuantity,
	methods.SwapObjects:      swapObjects,
	methods.SwapAttributes:   swapAttributes,
	methods.Combine:          replaceAndSwap,
	methods.Join:             joinObject,

	methods.AddAttribute: addAttribute,
	methods.AddObject:    addObject,
	methods.AddRelation:  addRelation,
	methods.Negate:       negate,

	methods.SwapNounPhrases: swapNouns, // does both: phrases and nouns
	methods.SwapNouns:       swapNouns,
	methods.SwapAdjectives:  swapAdjectives,
	methods.SwapQuantities:  exchangeCounts,
	methods.SwapEnds:        exchangeEnds,
	methods.SwapPartners:    exchangePartners,
	methods.SwapAdverbs:     swapAdverbs,
	methods.SwapVerbPhrases: swapVerbs,

	methods.FillAttribute: fillAttribute,
	methods.FillAction:    fillAction,
	methods.FillObject:    fillObject,
	methods.FillQuantity:  fillAttribute,
	methods.FillRelation:  fillRelation,

	methods.ReverseDirection: reverseDirection,
}

// runPlans makes the negatives of all plans. first is the number of plans of the captions before.
func (job *captionJob) runPlans(first int) {
	if len(job.plans) == 0 {
		return
	}
	job.sink.beginCaption(job.index, job.pool, &job.words, job.sentences)
	if grammar.IsLong(job.caption) {
		job.sink.strictness = strictnessOfLong
	}
	r := grammar.NewRandom(job.seed, job.image, job.caption.Text)
	for i := range job.plans {
		job.random = r + random(first+i)
		editors[job.plans[i].method](job, &job.plans[i])
	}
	liftReplacements(job)
}

// strictnessOfLong is added to the judge's cuts for captions of more than two sentences: these have enough candidates,
// and the judge was trained on short captions.
const strictnessOfLong = 0.7

// planCaption plans the edits of the caption itself: NegCLIP's swaps and
// CE-CLIP's replacements.
func planCaption(job *captionJob) {
	c := job.caption
	if len(c.Tokens) == 0 {
		return
	}
	job.words.read(job.dict.words, c, job.facts.objects[job.facts.first[job.index]:])
	base := plan{slot: noSlot}
	planWordFills(job, base)
	planRelationFills(job, base)
	for _, m := range []methods.Method{methods.SwapAdjectives, methods.SwapQuantities, methods.SwapEnds, methods.SwapPartners, methods.SwapNouns, methods.SwapAdverbs, methods.SwapVerbPhrases, methods.ReverseDirection} {
		if job.enabled[m] || m == methods.SwapNouns && job.enabled[methods.SwapNounPhrases] {
			base.method = m
			job.plans = append(job.plans, base)
		}
	}
}
