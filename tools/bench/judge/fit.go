package main

import (
	"errors"
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
	"capgraph/scenegraph"
)

// Settings of the regressions. Ridges are penalties on the weights of evidence that is scaled to unit variance.
const (
	ridge       = 40.0  // of counts
	ridgeAlike  = 10.0  // of the similarity of words
	ridgeVector = 100.0 // of each number of a vector
	rounds      = 2000
	rate        = 0.5
	goodKept    = 0.92 // the share of good pairs that the cut keeps
	folds       = 5
	// caution is added to the cut of methods that only add a word or phrase, which no judged pair has.
	caution = 0.75
)

// example is a judged pair with the evidence of the judge of plausibility.
type example struct {
	evidence []float64
	good     bool
	fold     int
}

// fitJudge learns the weights and the cut from all pairs and writes them to out. To table it prints which pairs would
// be kept, each by weights that were learned from pairs of other captions.
func fitJudge(pairs, out string, sources []string, table io.Writer) error {
	all, err := rejudgePairs(pairs, sources)
	if err != nil {
		return err
	}
	var file strings.Builder
	logits := make([]float64, len(all))
	for _, methods := range plausible.JudgedMethods() {
		names := plausible.EvidenceNames(methods[0])
		var some []example
		var of []int
		for i := range all {
			r := &all[i]
			if r.Judged != nil && slices.Contains(methods, r.Judged.As) {
				of = append(of, i)
				some = append(some, example{r.Judged.Evidence, r.Verdict == evalnegatives.Good, foldOf(&r.JudgedPair)})
			}
		}
		for fold := range folds {
			weights, bias := fitLogistic(slices.DeleteFunc(slices.Clone(some), func(e example) bool { return e.fold == fold }), names)
			for k, i := range of {
				if some[k].fold == fold {
					logits[i] = logOdds(weights, bias, some[k].evidence)
				}
			}
		}
		weights, bias := fitLogistic(some, names)
		for j, name := range names {
			fmt.Fprintf(&file, "%s\t%s\t%s\n", methods[0], name, formatShort(weights[j]))
		}
		fmt.Fprintf(&file, "%s\tbias\t%s\n", methods[0], formatShort(bias))
	}
	cut, err := chooseCut(all, logits)
	if err != nil {
		return fmt.Errorf("%s: %w", pairs, err)
	}
	for _, methods := range plausible.JudgedMethods() {
		for _, m := range methods {
			least := cut
			if m.IsHalfTruth() {
				least += caution
			}
			fmt.Fprintf(&file, "%s\tcut\t%s\n", m, formatShort(least))
		}
	}
	some := slices.Clone(all)
	for i := range some {
		switch r := &some[i]; { // a pair that this build's judge dropped may pass with the new weights
		case r.Judged == nil:
		case logits[i] < cut:
			r.Outcome = evalnegatives.Dropped
		case r.Outcome == evalnegatives.Dropped && r.Reason == negatives.ReasonImplausible:
			r.Outcome = evalnegatives.Kept
		}
	}
	some = slices.DeleteFunc(some, func(r evalnegatives.Rejudged) bool { return r.Replacements != negatives.FromCorpus })
	if err := evalnegatives.WriteJudged(table, evalnegatives.TabulateJudged(some)); err != nil {
		return err
	}
	writeAreas(table, all, logits)
	return os.WriteFile(out, []byte(file.String()), 0o666)
}

// foldOf returns the fold of a pair. All pairs of a caption are in one fold.
func foldOf(p *evalnegatives.JudgedPair) int {
	of := p.Key
	if of == "" {
		of = p.Positive
	}
	return int(uint64(scenegraph.TextID(of)) % folds)
}

func logOdds(weights []float64, bias float64, evidence []float64) float64 {
	for j, x := range evidence {
		bias += weights[j] * x
	}
	return bias
}

// writeAreas prints, for the pairs of each file and source, the area under the curve of the new weights, learned from
// other captions, and of this build's weights. It also prints the share of bad pairs that is dropped if given shares of
// good pairs are kept.
func writeAreas(table io.Writer, all []evalnegatives.Rejudged, logits []float64) {
	type scores struct{ good, bad, nowGood, nowBad []float64 }
	by := map[string]*scores{}
	for i := range all {
		r := &all[i]
		if r.Judged == nil || r.Replacements != negatives.FromCorpus {
			continue
		}
		for _, group := range []string{r.Source, "all", "all, " + r.Judged.As.String()} {
			s := by[group]
			if s == nil {
				s = &scores{}
				by[group] = s
			}
			if r.Verdict == evalnegatives.Good {
				s.good, s.nowGood = append(s.good, r.Judged.Score), append(s.nowGood, logits[i])
			} else {
				s.bad, s.nowBad = append(s.bad, r.Judged.Score), append(s.nowBad, logits[i])
			}
		}
	}
	for _, group := range slices.Sorted(maps.Keys(by)) {
		s := by[group]
		fmt.Fprintf(table, "%s: %d good, %d bad, area %.3f, of this build %.3f", group, len(s.good), len(s.bad), areaUnderCurve(s.nowGood, s.nowBad), areaUnderCurve(s.good, s.bad))
		slices.Sort(s.nowGood)
		for _, kept := range []float64{0.95, 0.9, 0.8} {
			dropped := 0
			for _, x := range s.nowBad {
				if len(s.nowGood) > 0 && x < s.nowGood[int((1-kept)*float64(len(s.nowGood)))] {
					dropped++
				}
			}
			fmt.Fprintf(table, "; keeps %.0f %%, drops %.0f %%", 100*kept, 100*float64(dropped)/float64(max(1, len(s.nowBad))))
		}
		fmt.Fprintln(table)
	}
}

func formatShort(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// chooseCut returns the log-odds that the share goodKept of the good pairs with replacements from the corpus reaches.
func chooseCut(all []evalnegatives.Rejudged, logits []float64) (float64, error) {
	var good []float64
	for i := range all {
		if r := &all[i]; r.Judged != nil && r.Verdict == evalnegatives.Good && r.Replacements == negatives.FromCorpus {
			good = append(good, logits[i])
		}
	}
	if len(good) == 0 {
		return 0, errors.New("no good pair is judged, want some to set the cut on")
	}
	slices.Sort(good)
	return good[int((1-goodKept)*float64(len(good)))], nil
}

// fitLogistic fits a logistic regression by gradient descent on standardised evidence. The returned weights are for the
// evidence before standardising.
func fitLogistic(all []example, names []string) (weights []float64, bias float64) {
	n := len(names)
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
	ridges := ridgesOf(names)
	w, gradient := make([]float64, n+1), make([]float64, n+1)
	for range rounds {
		for j := range n {
			gradient[j] = ridges[j] * w[j]
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

// ridgesOf returns the ridge of each kind of evidence.
func ridgesOf(names []string) []float64 {
	ridges := make([]float64, len(names))
	vectors := 2 * plausible.Dimensions
	for j := range names {
		switch {
		case j >= len(names)-vectors:
			ridges[j] = ridgeVector
		case j >= len(names)-plausible.ChangeCount:
			ridges[j] = ridgeAlike
		default:
			ridges[j] = ridge
		}
	}
	return ridges
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// areaUnderCurve returns the share of pairs of a good and a bad value in which the good value is larger; NaN without
// such pairs.
func areaUnderCurve(good, bad []float64) float64 {
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
