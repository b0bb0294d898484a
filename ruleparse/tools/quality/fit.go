package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

const (
	rounds = 400
	rate   = 0.5
)

// standardiseVectors scales each element of the vectors to mean 0 and variance 1 over all texts, and returns the
// original means and standard deviations.
func standardiseVectors(all []text) (mean, deviation []float64) {
	mean, deviation = make([]float64, width), make([]float64, width)
	n := float64(len(all))
	for i := range all {
		for j, x := range all[i].vector {
			mean[j] += x / n
		}
	}
	for i := range all {
		for j, x := range all[i].vector {
			deviation[j] += (x - mean[j]) * (x - mean[j]) / n
		}
	}
	for j := range deviation {
		deviation[j] = math.Sqrt(deviation[j]) + 1e-6
	}
	for i := range all {
		for j := range all[i].vector {
			all[i].vector[j] = (all[i].vector[j] - mean[j]) / deviation[j]
		}
	}
	return mean, deviation
}

func scoreText(w []float64, t *text) float64 {
	z := w[width]
	for j, x := range t.vector {
		z += w[j] * x
	}
	return z
}

// regressVectors returns the weights of a logistic regression, the bias last. It uses gradient descent with momentum.
func regressVectors(train []*text) []float64 {
	w, step, gradient := make([]float64, width+1), make([]float64, width+1), make([]float64, width+1)
	n := float64(len(train))
	for range rounds {
		for j := range width {
			gradient[j] = ridge * w[j]
		}
		gradient[width] = 0
		for _, t := range train {
			d := 1/(1+math.Exp(-scoreText(w, t))) - t.good
			for j, x := range t.vector {
				gradient[j] += d * x
			}
			gradient[width] += d
		}
		for j := range w {
			step[j] = 0.9*step[j] - rate/20*gradient[j]/n
			w[j] += step[j]
		}
	}
	return w
}

// fitScale returns the scale and the bias with which the scores of the vectors are added to those of the hashed
// features.
func fitScale(all []*text) (scale, bias float64) {
	n := float64(len(all))
	for range 4000 {
		var ds, db float64
		for _, t := range all {
			d := 1/(1+math.Exp(-beside*t.Answer-scale*t.head-bias)) - t.good
			ds, db = ds+d*t.head, db+d
		}
		scale, bias = scale-rate*ds/n, bias-rate*db/n
	}
	return scale, bias
}

// writeAreas writes the areas under the ROC curve with and without the vectors, on texts of captions on which the
// hashed features were not trained.
func writeAreas(w io.Writer, all []text, final []float64) {
	for _, source := range []string{"web", "cc3m", "coco", ""} {
		var good, bad, goodNow, badNow []float64
		kept, right := 0, 0
		for i := range all {
			t := &all[i]
			if !t.isHeldOut() || source != "" && t.Source != source {
				continue
			}
			if t.good == 1 {
				good, goodNow = append(good, final[i]), append(goodNow, t.Answer)
			} else {
				bad, badNow = append(bad, final[i]), append(badNow, t.Answer)
			}
			if final[i] >= math.Log(3) {
				kept, right = kept+1, right+int(t.good)
			}
		}
		n := len(good) + len(bad)
		fmt.Fprintf(w, "%-4s %4d texts, %.0f %% good: area %.3f with vectors, %.3f without; from 0.75 %.0f of %.0f %% good\n", source, n, 100*float64(len(good))/float64(n),
			measureArea(good, bad), measureArea(goodNow, badNow), 100*float64(right)/float64(kept), 100*float64(kept)/float64(n))
	}
}

// measureArea returns the area under the ROC curve: the share of pairs in which the good text has the higher score.
func measureArea(good, bad []float64) float64 {
	slices.Sort(bad)
	above := 0.0
	for _, g := range good {
		low, _ := slices.BinarySearch(bad, g)
		high, _ := slices.BinarySearchFunc(bad, g, func(b, g float64) int {
			if b <= g {
				return -1
			}
			return 1
		})
		above += float64(low+high) / 2
	}
	return above / float64(len(good)*len(bad))
}
