package negatives

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
)

// sample draws replacements for the slot of a plan until as many as are wanted were taken or passed
// over, or enough were drawn: edit makes the edit or returns why not, say says and emits it.
//
// A candidate b for the word a is drawn in proportion to its count among those
// that can replace a, and may be passed over, so that b comes for a as often as a
// comes for b, and no word tells a negative by itself.
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

// sampleFrom is sample with one list. It returns how many candidates were taken or passed
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
		if at := c.at + 1; !filter.rejectSample(list, c, slot, &job.random) { // of those passed over tried has 0
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

// drawFitting draws from the choices of a plan's slot until a candidate fits the rest of the
// object, at most n times, or once if every drop is reported. It returns the last candidate, how
// often it drew, and whether that one fits.
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

// more multiplies the wanted replacements of relations and actions, since most slots have none and
// balance drops more of them, and of nouns of captions, since the one that the words reveal least
// is kept.
const more = 3

// maxTries is the most candidates that are tried for a slot, maxOpposites the most of those that
// exclusions.tsv opposes to its word, which the corpus seldom has, and maxDraws the most that are
// drawn, since most do not fit the rest of an object.
const (
	maxTries     = 80
	maxOpposites = 96
	maxDraws     = 288
)
