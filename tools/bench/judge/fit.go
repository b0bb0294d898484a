package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	evalnegatives "capgraph/eval/negatives"
	"capgraph/negatives"
	"capgraph/negatives/plausible"
)

// Of the regressions.
const (
	ridge    = 40.0 // on weights of evidence of unit variance
	rounds   = 2000
	rate     = 0.5
	goodKept = 0.94 // the share of good pairs that the cut keeps
)

// example is a pair that the judge was asked about.
type example struct {
	evidence []float64
	good     bool
}

// fit learns the weights and the cuts and says what becomes of each part.
func fit(pairs, out string, sources []string, table io.Writer) error {
	all, err := rejudgePairs(pairs, sources)
	if err != nil {
		return err
	}
	var file strings.Builder
	logits := make([]float64, len(all))
	for _, methods := range plausible.JudgedMethods() {
		names := plausible.EvidenceNames(methods[0])
		var train []example
		var of []int
		for i := range all {
			r := &all[i]
			if r.Judged == nil || !slices.Contains(methods, r.Judged.As) {
				continue
			}
			of = append(of, i)
			if r.Part() == evalnegatives.PartFit {
				train = append(train, example{r.Judged.Evidence, r.Verdict == evalnegatives.Good})
			}
		}
		weights, bias := regress(train, len(names))
		for j, name := range names {
			fmt.Fprintf(&file, "%s\t%s\t%s\n", methods[0], name, short(weights[j]))
		}
		fmt.Fprintf(&file, "%s\tbias\t%s\n", methods[0], short(bias))
		for _, i := range of {
			logits[i] = bias
			for j, x := range all[i].Judged.Evidence {
				logits[i] += weights[j] * x
			}
		}
	}
	cut, err := cutOf(all, logits)
	if err != nil {
		return fmt.Errorf("%s: %w", pairs, err)
	}
	for _, methods := range plausible.JudgedMethods() {
		for _, m := range methods {
			fmt.Fprintf(&file, "%s\tcut\t%s\n", m, short(cut))
		}
	}
	for _, part := range []string{evalnegatives.PartFit, evalnegatives.PartCut, evalnegatives.PartTest} {
		var some []evalnegatives.Rejudged
		var good, bad []float64
		for i, r := range all {
			if r.Part() != part || r.Replacements != negatives.FromCorpus {
				continue
			}
			if r.Judged != nil {
				switch { // what the judge of this build turned away, another may pass
				case logits[i] < cut:
					r.Outcome = evalnegatives.Dropped
				case r.Outcome == evalnegatives.Dropped && r.Reason == negatives.ReasonImplausible:
					r.Outcome = evalnegatives.Kept
				}
				if r.Verdict == evalnegatives.Good {
					good = append(good, logits[i])
				} else {
					bad = append(bad, logits[i])
				}
			}
			some = append(some, r)
		}
		fmt.Fprintf(table, "%s: area under the curve %.3f\n", part, area(good, bad))
		if err := evalnegatives.WriteJudged(table, evalnegatives.TabulateJudged(some)); err != nil {
			return err
		}
	}
	writeAreas(table, all, logits)
	return os.WriteFile(out, []byte(file.String()), 0o666)
}

// writeAreas writes, of the pairs of each source that are to measure with, the area under the curve of
// the judge of this build and of the new one.
func writeAreas(table io.Writer, all []evalnegatives.Rejudged, logits []float64) {
	type scores struct{ good, bad, nowGood, nowBad []float64 }
	by := map[string]*scores{}
	for i := range all {
		r := &all[i]
		if r.Judged == nil || r.Part() != evalnegatives.PartTest || r.Replacements != negatives.FromCorpus {
			continue
		}
		for _, source := range []string{r.Source, "all"} {
			s := by[source]
			if s == nil {
				s = &scores{}
				by[source] = s
			}
			if r.Verdict == evalnegatives.Good {
				s.good, s.nowGood = append(s.good, r.Judged.Score), append(s.nowGood, logits[i])
			} else {
				s.bad, s.nowBad = append(s.bad, r.Judged.Score), append(s.nowBad, logits[i])
			}
		}
	}
	for _, source := range slices.Sorted(maps.Keys(by)) {
		s := by[source]
		fmt.Fprintf(table, "test, %s: %d good, %d bad, area %.3f, before %.3f\n", source, len(s.good), len(s.bad), area(s.nowGood, s.nowBad), area(s.good, s.bad))
	}
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// cutOf is the log-odds that goodKept of the good pairs for it reach, with replacements of the
// corpus.
func cutOf(all []evalnegatives.Rejudged, logits []float64) (float64, error) {
	var good []float64
	for i := range all {
		if r := &all[i]; r.Judged != nil && r.Part() == evalnegatives.PartCut && r.Verdict == evalnegatives.Good && r.Replacements == negatives.FromCorpus {
			good = append(good, logits[i])
		}
	}
	if len(good) == 0 {
		return 0, fmt.Errorf("no good pair of the part %s is judged, want some to set the cut on", evalnegatives.PartCut)
	}
	slices.Sort(good)
	return good[int((1-goodKept)*float64(len(good)))], nil
}

// regress is a logistic regression by gradient descent on evidence of mean 0 and variance 1,
// with its weights given for the evidence as it is.
func regress(all []example, n int) (weights []float64, bias float64) {
	mean, deviation := make([]float64, n), make([]float64, n)
	for j := range n {
		for _, e := range all {
			mean[j] += e.evidence[j] / float64(len(all))
		}
		for _, e := range all {
			d := e.evidence[j] - mean[j]
			deviation[j] += d * d / float64(len(all))
		}
		deviation[j] = math.Sqrt(deviation[j])
	}
	rows := make([][]float64, len(all))
	for i, e := range all {
		rows[i] = make([]float64, n)
		for j := range n {
			if deviation[j] > 1e-9 {
				rows[i][j] = (e.evidence[j] - mean[j]) / deviation[j]
			}
		}
	}
	w, gradient := make([]float64, n+1), make([]float64, n+1)
	for range rounds {
		for j := range n {
			gradient[j] = ridge * w[j]
		}
		gradient[n] = 0
		for i, x := range rows {
			z := w[n]
			for j := range n {
				z += w[j] * x[j]
			}
			d := 1/(1+math.Exp(-z)) - indicator(all[i].good)
			for j := range n {
				gradient[j] += d * x[j]
			}
			gradient[n] += d
		}
		for j := range gradient {
			w[j] -= rate / float64(max(1, len(all))) * gradient[j]
		}
	}
	weights, bias = make([]float64, n), w[n]
	for j := range n {
		if deviation[j] > 1e-9 {
			weights[j] = w[j] / deviation[j]
			bias -= weights[j] * mean[j]
		}
	}
	return weights, bias
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// area is the area under the curve: how often a good pair is above a bad one; NaN where there are
// none of both.
func area(good, bad []float64) float64 {
	above := 0.0
	for _, g := range good {
		for _, b := range bad {
			switch {
			case g > b:
				above++
			case g == b:
				above += 0.5
			}
		}
	}
	return above / float64(len(good)*len(bad))
}
