package negatives

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
)

// sample draws replacements for the slot of a plan until enough are accepted or passed over, or too
// many were drawn. edit makes the edit or returns the reason why it cannot; say writes the text and
// emits it.
//
// A candidate b for the word a is drawn with a probability in proportion to its count among the
// words that can replace a. Some are passed over at random, so that b replaces a as often as a
// replaces b. Then no word by itself reveals a negative.
func (job *captionJob) sample(pl *plan, edit func(c choice) Reason, say func() bool) {
	slot, wanted, none := &job.slots[pl.slot], job.wanted, true
	if slot.kind == slots.Relation || slot.kind == slots.Action || slot.kind == slots.Object && slot.caption != nil {
		wanted *= more
	}
	for _, list := range job.choices[pl.slot] {
		if list.empty() {
			continue
		}
		none = false
		if wanted > 0 {
			wanted -= job.sampleFrom(pl, list, wanted, edit, say)
		}
	}
	if none {
		job.sink.drop(pl, slot.text, ReasonNoCandidates)
	}
	if pl.method == methods.ReplaceAttribute {
		job.sink.drops.Attributes++
		if none {
			job.sink.drops.Unchanged++
		}
	}
}

// sampleFrom is as sample, for one list. It returns how many candidates were accepted or passed
// over.
func (job *captionJob) sampleFrom(pl *plan, list *choices, wanted int, edit func(c choice) Reason, say func() bool) (made int) {
	slot, filter := &job.slots[pl.slot], &job.dict.filter
	fitting := filter.fitting(slot)
	untried, tries := len(list.urn.Cells), maxTries
	if list.of.opposite {
		tries = maxOpposites
	}
	var tried [maxOpposites]int
	for i, draws := 0, 0; i < tries && draws < maxDraws && untried > 0 && made < wanted; {
		c, drew, suits := job.drawFitting(pl, list, &fitting, maxDraws-draws)
		if draws += drew; !suits {
			continue
		}
		i++
		if at := c.at + 1; !filter.rejectSample(list, c, slot, &job.random) { // tried does not have those passed over
			if slices.Contains(tried[:i-1], at) {
				continue
			}
			tried[i-1] = at
			untried--
			if reason := edit(c); reason != noReason {
				job.sink.dropChoice(pl, c, reason)
				continue
			}
			if !say() {
				continue
			}
		}
		made++
	}
	return made
}

// drawFitting draws from list until a candidate fits the relation of the object, at most n times,
// or once if every drop is reported. It returns the last candidate, the number of draws, and
// whether the candidate fits.
func (job *captionJob) drawFitting(pl *plan, list *choices, fitting *fitting, n int) (c choice, drew int, suits bool) {
	if fitting.any {
		return list.draw(&job.random), 1, true
	}
	drops := job.sink.drops
	if drops.Each != nil {
		n = 1
	}
	for drew < n && !suits {
		c = list.draw(&job.random)
		suits = fitting.fits(c.thing())
		drew++
	}
	if drops.N[ReasonImplausible] += int64(drew - 1); !suits {
		job.sink.dropChoice(pl, c, ReasonImplausible)
	}
	return c, drew, suits
}

// more multiplies the number of replacements for relations, actions, and nouns of captions. Few
// slots of relations and actions have any, and balance drops many of them. Of the nouns, the one
// that the text reveals least is kept.
const more = 3

// maxTries is the most candidates that are tried for a slot; maxOpposites is the most of those that
// exclusions.tsv opposes to its word, which are rare in the corpus; maxDraws is the most that are
// drawn, since most do not fit the relation of an object.
const (
	maxTries     = 80
	maxOpposites = 96
	maxDraws     = 288
)
