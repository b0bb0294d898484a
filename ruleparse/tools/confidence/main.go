// Command confidence fits the confidence of the parts of a graph to annotated captions: the development part, on
// which the parser was not trained. It prints the calibration by five-fold cross-validation.
//
//	go run ./ruleparse/tools/confidence -data ../shared/data -out ruleparse/internal/rules/confidence.tsv -reliability ruleparse/reliability.tsv
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"capgraph/internal/annotated"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

func main() {
	data := flag.String("data", "", "folder with written/graphs.jsonl")
	out := flag.String("out", "", "file to write the weights to")
	reliability := flag.String("reliability", "", "file to write to how many parts are right, by tenths of the probability")
	flag.Parse()
	if err := fitConfidence(*data, *out, *reliability, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "confidence:", err)
		os.Exit(1)
	}
}

// example is a part of a graph, and whether the annotators have the part too.
type example struct {
	source   string
	fold     int // of its caption
	features []float64
	right    bool

	probability float64 // by a regression fitted to other captions
}

type examples [rules.PartKinds][]example

func fitConfidence(data, out, reliability string, table io.Writer) error {
	m, err := model.Embedded()
	if err != nil {
		return err
	}
	if m.Analyst.Encoder, err = model.Encoder(); err != nil {
		return err
	}
	set, err := rules.NewSet(m.Reader.Lexicon)
	if err != nil {
		return err
	}
	p := parser{model: m, rules: set}
	parts, err := p.readParts(filepath.Join(data, "written", "graphs.jsonl"))
	if err != nil {
		return err
	}
	var w rules.PartWeights
	bins := reliabilityHeader
	for k := range w {
		w[k] = fitRegression(parts[k])
		rateFolds(parts[k])
		printCalibration(table, rules.PartNames[k], parts[k])
		for tenth, b := range countTenths(parts[k], "") {
			if b.parts > 0 {
				bins += fmt.Sprintf("%s\t%d\t%.4f\t%.4f\t%.0f\n", rules.PartNames[k], tenth, b.predicted/b.parts, b.right/b.parts, b.parts)
			}
		}
	}
	if reliability != "" {
		if err := os.WriteFile(reliability, []byte(bins), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(out, []byte(w.Write()), 0o644)
}

// folds is the number of folds of the captions, for cross-validation.
const folds = 5

// rateFolds sets the probability of each example by a regression fitted to the other folds.
func rateFolds(all []example) {
	for fold := range folds {
		var others []example
		for _, x := range all {
			if x.fold != fold {
				others = append(others, x)
			}
		}
		w := fitRegression(others)
		for i := range all {
			if all[i].fold == fold {
				all[i].probability = predictRight(w, all[i].features)
			}
		}
	}
}

type parser struct {
	model   *model.Model
	rules   rules.Set
	text    tokens.Text
	decoder analysis.Decoder
	reading rules.Reading
}

// readParts returns the parts of the parser's graphs for the development captions in a file.
func (p *parser) readParts(path string) (out examples, err error) {
	f, err := os.Open(path)
	if err != nil {
		return out, err
	}
	defer f.Close()
	for gold, err := range annotated.Read(f, path) {
		if err != nil {
			return out, err
		}
		if annotated.IsDevelopment(gold.Text) {
			p.addParts(&gold, &out)
		}
	}
	return out, nil
}

// addParts adds the parts of the parser's graph for the caption of gold.
func (p *parser) addParts(gold *annotated.Row, out *examples) {
	var parsed schemas.Parsed
	g := &parsed.Graph
	p.model.Reader.Read(&p.text, gold.Text)
	p.reading.Analysis = p.model.Analyst.Analyse(&p.decoder, p.text.Tokens)
	p.rules.Correct(&p.reading, p.text.Tokens)
	p.rules.Build(gold.Text, p.text.Low, p.text.Tokens, &p.reading, g)
	row := annotated.FromParsed(gold.Text, &parsed)
	ends := annotated.AlignedEnds(&row, gold)
	want := annotated.Tuples(gold, annotated.ObjectEnds(gold))
	p.rules.RateParts(p.text.Tokens, &p.reading, g, func(part *rules.Part) {
		x := example{source: gold.Source, fold: int(uint64(scenegraph.TextID(gold.Text)) / 5 % folds), features: append([]float64(nil), part.Features...)}
		one := annotated.Row{Text: row.Text, Objects: make([]annotated.Object, len(row.Objects))}
		kind := annotated.ObjectTuple
		switch part.Kind {
		case rules.AttributePart:
			kind = annotated.AttributeTuple
			one.Objects[part.Index].Attributes = row.Objects[part.Index].Attributes[part.Attribute:][:1]
		case rules.RelationPart:
			kind = annotated.RelationTuple
			one.Relations = row.Relations[part.Index:][:1]
		}
		for t := range annotated.Tuples(&one, ends) {
			if t.Kind == kind && (kind != annotated.ObjectTuple || t.Subject == ends[part.Index]) {
				x.right = want[t]
			}
		}
		out[part.Kind] = append(out[part.Kind], x)
	})
}

// fitRegression returns the weights of a logistic regression, the bias first. It uses Newton's method with a small
// ridge penalty.
func fitRegression(all []example) []float64 {
	if len(all) == 0 {
		return nil
	}
	n := 1 + len(all[0].features)
	w := make([]float64, n)
	row := make([]float64, n)
	row[0] = 1
	for range 12 {
		gradient, hessian := make([]float64, n), make([][]float64, n)
		for i := range hessian {
			hessian[i] = make([]float64, n)
			hessian[i][i] = 1
			gradient[i] = w[i]
		}
		for _, x := range all {
			copy(row[1:], x.features)
			p := predictRight(w, x.features)
			d := p
			if x.right {
				d--
			}
			for i := range row {
				gradient[i] += d * row[i]
				for j := range row {
					hessian[i][j] += p * (1 - p) * row[i] * row[j]
				}
			}
		}
		for i, step := range solveEquations(hessian, gradient) {
			w[i] -= step
		}
	}
	return w
}

func predictRight(w, features []float64) float64 {
	z := w[0]
	for i, x := range features {
		z += w[i+1] * x
	}
	return 1 / (1 + portable.Exp(-z))
}

// solveEquations returns x with a·x = b, by Gaussian elimination with pivots. It overwrites a and b.
func solveEquations(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		best := i
		for k := i + 1; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[best][i]) {
				best = k
			}
		}
		a[i], a[best], b[i], b[best] = a[best], a[i], b[best], b[i]
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < n; j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= a[i][k] * b[k]
		}
		b[i] /= a[i][i]
	}
	return b
}

const reliabilityHeader = "# Written by ruleparse/tools/confidence: the kind of part, the tenth of the probability, the mean probability, the share that annotators have, the number of parts.\n"

// tenth has sums over the parts whose probability is in one range of width 0.1. variance is the variance of right if the
// probabilities are exact.
type tenth struct{ parts, predicted, right, variance float64 }

// countTenths returns the sums over the parts of a source, or of all sources if that is empty, by tenths of the
// probability.
func countTenths(all []example, source string) (bins [10]tenth) {
	for _, x := range all {
		if source != "" && x.source != source {
			continue
		}
		b := &bins[min(9, int(10*x.probability))]
		b.parts++
		b.predicted += x.probability
		b.variance += x.probability * (1 - x.probability)
		if x.right {
			b.right++
		}
	}
	return bins
}

// printCalibration prints for each tenth of the probability the number of parts, their mean probability and the share
// that is right. "By chance" is the mean difference between the two that exact probabilities would have with so few
// parts: E|X-m| = s sqrt(2/pi) of a normal distribution.
func printCalibration(table io.Writer, name string, all []example) {
	for _, source := range []string{"coco", "cc3m", "web", ""} {
		bins := countTenths(all, source)
		var sum tenth
		var difference, chance float64
		for _, b := range bins {
			sum.parts += b.parts
			sum.predicted += b.predicted
			sum.right += b.right
			difference += math.Abs(b.predicted - b.right)
			chance += math.Sqrt(2 * b.variance / math.Pi)
		}
		fmt.Fprintf(table, "%-9s %-4s %5.0f: predicted %.1f %%, right %.1f %%, mean difference of tenths %.1f points (by chance %.1f):", name, source, sum.parts, 100*sum.predicted/sum.parts, 100*sum.right/sum.parts, 100*difference/sum.parts, 100*chance/sum.parts)
		for _, b := range bins {
			if b.parts > 0 {
				fmt.Fprintf(table, " %.0f/%.0f (%.0f)", 100*b.predicted/b.parts, 100*b.right/b.parts, b.parts)
			}
		}
		fmt.Fprintln(table)
	}
}
