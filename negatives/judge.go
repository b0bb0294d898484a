package negatives

import (
	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
)

// judge scores what a candidate claims by what captions of the corpus and of others say.
type judge struct {
	attested  *plausible.Attested
	judgement *plausible.Judgement
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

// isAsked reports whether the candidate at hand of a plan is judged: it made a claim, which is not
// settled.
func (j *judge) isAsked(pl *plan) bool {
	return j.enabled && j.claimant == pl && !j.claim.Settled
}

// score is the log-odds that a reader calls the claim good, and the least that a method takes. It is
// false for methods that are not judged.
func (j *judge) score(as methods.Method) (score, cut float64, judged bool) {
	group := plausible.GroupOf(as)
	if group == plausible.GroupCount {
		return 0, 0, false
	}
	j.evidence = j.attested.Evidence(j.evidence[:0], as, &j.claim)
	w := j.judgement.Weights[group]
	score = w[len(w)-1]
	for i, x := range j.evidence {
		score += float64(w[i] * x)
	}
	return score, j.judgement.Cuts[as], true
}
