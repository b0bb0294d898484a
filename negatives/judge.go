package negatives

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
)

// passesJudge reports whether what a plan claims is plausible enough: with another source than the corpus it is
// not asked.
func (g *Generator) passesJudge(pl *plan) bool {
	if !g.filtered.plausible || g.claimant != pl || g.claim.Settled {
		return true
	}
	return g.isPlausible(pl.method, pl.method.String(), pl.caption, pl.positiveIndex())
}

// isPlausible reports whether the log-odds that a reader calls the claim and g.text good are no less than the
// cut of a method, or it is not judged. method is the one that made it, of a positive of a caption.
func (g *Generator) isPlausible(as methods.Method, method string, caption int, positive int16) bool {
	group := plausible.GroupOf(as)
	if group == plausible.GroupCount {
		return true
	}
	j := g.vocab.judgement
	g.evidence = g.vocab.attested.Evidence(g.evidence[:0], as, &g.claim)
	w := j.Weights[group]
	score := w[len(w)-1]
	for i, x := range g.evidence {
		score += float64(w[i] * x)
	}
	if g.drops.Judged != nil {
		g.drops.Judged(Judged{
			Caption: caption, Positive: g.out.Positives[positive].Text, Text: string(g.text), Method: method, As: as, Score: score, Cut: j.Cuts[as],
			Evidence: slices.Clone(g.evidence),
		})
	}
	return score >= j.Cuts[as]
}
