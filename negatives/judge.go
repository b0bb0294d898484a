package negatives

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/vocabulary"
)

// judge scores how plausible a claim is, by counts of the corpus and of other captions. A claim is
// what a negative states that its positive does not.
type judge struct {
	attested  *plausible.Attested
	judgement *plausible.Judgement
	changes   plausible.Changes
	corpus    *vocabulary.Vocabulary
	// enabled is set if the replacements come from the corpus: only then are negatives judged.
	enabled bool

	claim    plausible.Claim
	claimant *plan // the plan that makes the claim; nil for a whole negative
	evidence plausible.Evidence
}

// newClaim clears the claim, assigns it to a plan and returns it, to be filled.
func (j *judge) newClaim(pl *plan) *plausible.Claim {
	c := &j.claim
	*c, j.claimant = plausible.Claim{Facts: c.Facts[:0], Traits: c.Traits[:0]}, pl
	return c
}

// An attribute that the corpus never has with a noun counts as missing if by chance the corpus
// would have the pair at least this often. An exchange needs stronger evidence, since its positive
// has the same nouns and attributes.
const (
	minMissing           = 1.0
	minMissingOfExchange = 16.0
)

// isOneSided reports whether the claim has a noun with an attribute that the corpus never has with
// it, though by chance it would at least atLeast times. Such pairs occur in negatives only, so a
// model would learn that they are false.
func (j *judge) isOneSided(atLeast float64) bool {
	return slices.ContainsFunc(j.claim.Traits, func(t plausible.Trait) bool { return j.corpus.IsMissing(t.Noun.Head, t.Is.Text, atLeast) })
}

// score returns the log-odds that a reader calls a negative good, and the least log-odds that
// method as accepts. judged is false for methods that are not judged.
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
