package negatives

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/vocabulary"
)

// judge scores what a candidate claims by what captions of the corpus and of others say.
type judge struct {
	attested  *plausible.Attested
	judgement *plausible.Judgement
	changes   plausible.Changes
	corpus    *vocabulary.Vocabulary
	// enabled reports whether the negatives of plans are judged: those whose replacements come from
	// the corpus.
	enabled bool

	claim    plausible.Claim
	claimant *plan // whose claim it is; nil for none
	evidence plausible.Evidence
}

// newClaim begins the claim of a plan.
func (j *judge) newClaim(pl *plan) *plausible.Claim {
	c := &j.claim
	*c, j.claimant = plausible.Claim{Facts: c.Facts[:0], Traits: c.Traits[:0]}, pl
	return c
}

// minMissing is how often the corpus would have an attribute of a noun by chance for one that it never has
// to be missing. What an exchange says is more often seen than that: of its two attributes each noun had
// one.
const (
	minMissing           = 1.0
	minMissingOfExchange = 16.0
)

// isOneSided reports whether the claim at hand has an attribute of a noun that the corpus never has of
// it, although it would have it so by chance at least so often. A model learns that what only negatives say is false.
func (j *judge) isOneSided(atLeast float64) bool {
	return slices.ContainsFunc(j.claim.Traits, func(t plausible.Trait) bool { return j.corpus.IsMissing(t.Noun.Head, t.Is.Text, atLeast) })
}

// score is the log-odds that a reader calls the claim good that a text makes beside its positive, and the least that a
// method takes. It is false for methods that are not judged.
func (j *judge) score(as methods.Method, positive, text string) (score, cut float64, judged bool) {
	group := plausible.GroupOf(as)
	if group == plausible.GroupCount {
		return 0, 0, false
	}
	j.evidence = j.attested.Evidence(j.evidence[:0], as, &j.claim)
	j.evidence = j.changes.AppendTo(j.evidence, positive, text)
	w := j.judgement.Weights[group]
	score = w[len(w)-1]
	for i, x := range j.evidence {
		score += float64(w[i] * x)
	}
	return score, j.judgement.Cuts[as], true
}
