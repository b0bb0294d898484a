package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"capgraph/internal/portable"
	"capgraph/negatives"
)

// measureQuality prints how well the embedded model of package quality agrees with a reader's
// verdicts.
func measureQuality(judgedFile string, runs []string, table io.Writer) error {
	judged, err := readTexts(judgedFile)
	if err != nil {
		return err
	}
	type key struct{ caption, text string }
	verdict := map[key]string{}
	for _, t := range judged {
		verdict[key{t.Caption, t.Text}] = t.Verdict
	}
	var measured []saidText
	err = eachText(runs, func(t saidText, said *negatives.SaidPart) error {
		if t.Verdict = verdict[key{t.Caption, t.Text}]; t.Verdict != "" {
			t.Answer = portable.Log(said.Quality / (1 - said.Quality))
			measured = append(measured, t)
		}
		return nil
	})
	if err != nil {
		return err
	}
	tabulateQuality(table, measured)
	return nil
}

// Settings of the regression over hashed features.
const (
	tableSize   = 1 << 17
	epochs      = 5
	stepSize    = 0.03
	decay       = 2e-6
	judgedTimes = 4 // how often a text with a reader's verdict is used in training
)

// fitQuality learns the model of package quality from a teacher's answers and a reader's verdicts on
// texts of runs. It prints how well the model agrees with verdicts that were not used.
func fitQuality(judgedFile, answersFile, out string, runs []string, table io.Writer) error {
	judged, err := readTexts(judgedFile)
	if err != nil {
		return err
	}
	answers, err := readTexts(answersFile)
	if err != nil {
		return err
	}
	type key struct{ caption, text string }
	answer, verdict := map[key]float64{}, map[key]string{}
	for _, t := range answers {
		answer[key{t.Caption, t.Text}] = t.Answer
	}
	held := map[string]bool{}
	for i := range judged {
		t := &judged[i]
		verdict[key{t.Caption, t.Text}] = t.Verdict
		if t.splitName() != "fit" {
			held[t.Caption] = true
		}
	}
	var train, measured []saidText
	err = eachText(runs, func(t saidText, said *negatives.SaidPart) error {
		k := key{t.Caption, t.Text}
		t.Verdict = verdict[k]
		logOdds, asked := answer[k]
		t.features = nil
		switch {
		case t.Verdict != "" && t.splitName() != "fit":
			t.features = slices.Clone(said.Features)
			measured = append(measured, t)
		case t.Verdict != "":
			t.features = slices.Clone(said.Features)
			measured = append(measured, t)
			if t.Verdict == good {
				t.target = 1
			}
			for range judgedTimes {
				train = append(train, t)
			}
		case asked && !held[t.Caption]:
			t.features = slices.Clone(said.Features)
			t.target = 1 / (1 + portable.Exp(-logOdds))
			train = append(train, t)
		}
		return nil
	})
	if err != nil {
		return err
	}
	w := regressHashed(train)
	bias, unit, small := quantiseWeights(w)
	for i := range measured {
		t := &measured[i]
		sum := 0
		for _, f := range t.features {
			sum += int(small[f%tableSize])
		}
		t.Answer = float64(bias) + float64(unit)*float64(sum)
	}
	fmt.Fprintf(table, "%d texts to learn from, %d judged\n", len(train), len(measured))
	tabulateQuality(table, measured)
	b := binary.LittleEndian.AppendUint32(nil, math.Float32bits(bias))
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(unit))
	for _, v := range small {
		b = append(b, byte(v))
	}
	return os.WriteFile(out, b, 0o666)
}

// regressHashed fits a logistic regression over hashed features by AdaGrad. The last weight is the
// bias.
func regressHashed(train []saidText) []float64 {
	w, squares, sum := make([]float64, tableSize+1), make([]float64, tableSize+1), make([]float64, tableSize+1)
	order := make([]int, len(train))
	for i := range order {
		order[i] = i
	}
	rnd := portable.SplitMix64(7)
	n := 0.0
	for epoch := range epochs {
		for i := len(order) - 1; i > 0; i-- {
			k := rnd.IntN(i + 1)
			order[i], order[k] = order[k], order[i]
		}
		for _, i := range order {
			t := &train[i]
			z := w[tableSize]
			for _, f := range t.features {
				z += w[f%tableSize]
			}
			g := 1/(1+portable.Exp(-z)) - t.target
			step := func(f uint32) {
				d := g + decay*float64(len(train))*w[f]/100
				squares[f] += d * d
				w[f] -= stepSize * d / math.Sqrt(1+squares[f])
			}
			for _, f := range t.features {
				step(f % tableSize)
			}
			step(tableSize)
		}
		if epoch >= epochs/2 { // weights are averaged over the epochs of the second half
			for f := range w {
				sum[f] += w[f]
			}
			n++
		}
	}
	for f := range sum {
		sum[f] /= n
	}
	return sum
}

// quantiseWeights returns the weights as int8 multiples of unit, and the bias.
func quantiseWeights(w []float64) (bias, unit float32, small []int8) {
	largest := 0.0
	for _, x := range w[:tableSize] {
		largest = max(largest, math.Abs(x))
	}
	unit = float32(largest / 127)
	small = make([]int8, tableSize)
	for f, x := range w[:tableSize] {
		small[f] = int8(math.Round(x / float64(unit)))
	}
	return float32(w[tableSize]), unit, small
}

// tabulateQuality prints, for each part of the data and source, the area under the curve, and the
// share of texts that is kept if 80, 85, 90 and 95 % of the kept texts are good.
func tabulateQuality(table io.Writer, all []saidText) {
	for _, part := range []string{"fit", "cut", "test"} {
		for _, source := range []string{"web", "cc3m", "coco", ""} {
			var some []saidText
			var right, wrong []float64
			for _, t := range all {
				if t.splitName() == part && (source == "" || t.Source == source) {
					some = append(some, t)
					if t.Verdict == good {
						right = append(right, t.Answer)
					} else {
						wrong = append(wrong, t.Answer)
					}
				}
			}
			slices.SortFunc(some, func(a, b saidText) int { return cmp.Compare(b.Answer, a.Answer) })
			fmt.Fprintf(table, "%s %-4s %4d texts, %2.0f %% good, area %.3f; kept at", part, source, len(some), 100*float64(len(right))/float64(len(some)), areaUnderCurve(right, wrong))
			for _, share := range []float64{0.80, 0.85, 0.90, 0.95} {
				kept, found := 0, 0
				for i, t := range some {
					if t.Verdict == good {
						found++
					}
					if i >= 9 && float64(found) >= share*float64(i+1) {
						kept = i + 1
					}
				}
				fmt.Fprintf(table, " %.0f: %.0f %%", 100*share, 100*float64(kept)/float64(len(some)))
			}
			fmt.Fprint(table, "; cut at")
			for _, p := range []float64{0.5, 0.6, 0.75, 0.9} {
				kept, found := 0, 0
				for _, t := range some {
					if t.Answer >= portable.Log(p/(1-p)) {
						kept++
						if t.Verdict == good {
							found++
						}
					}
				}
				fmt.Fprintf(table, " %.1f: %.0f %% of %.0f %%", p, 100*float64(found)/float64(kept), 100*float64(kept)/float64(len(some)))
			}
			fmt.Fprintln(table)
		}
	}
}
