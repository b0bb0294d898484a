package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/annotated"
	"capgraph/internal/portable"
	"capgraph/negatives"
	"capgraph/ruleparse"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/store"
)

// saidText is a positive as a teacher is asked about it, and as a reader judged it.
type saidText struct {
	Source   string  `json:"source"`
	Caption  string  `json:"caption"`
	Text     string  `json:"text"`
	Kind     string  `json:"kind"`
	Verdict  string  `json:"verdict,omitempty"` // of a reader
	Answer   float64 `json:"answer,omitempty"`  // of a teacher: log-odds that it is good
	Split    string  `json:"split,omitempty"`   // what a judged text is for: fit, cut or test
	features []uint32
	graph    *schemas.SceneGraph
	target   float64 // probability that it is good
}

// good is the verdict of a text without a fault.
const good = "good"

// part returns the part of the data that a caption's texts are for. It is decided by the pos_id of
// the caption, as an unsigned number, modulo 5.
func (t *saidText) part() string {
	switch uint64(scenegraph.TextID(t.Caption)) % 5 {
	case 0:
		return "test"
	case 1:
		return "cut"
	}
	return "fit"
}

// eachText calls f with each positive of runs that says a part of a graph, of texts that are equal
// in one caption with the first.
func eachText(runs []string, f func(t saidText, said *negatives.SaidPart) error) error {
	parser, err := ruleparse.New()
	if err != nil {
		return err
	}
	for _, arg := range runs {
		source, dir, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q: want SOURCE=RUN", arg)
		}
		rows, err := countsOf(dir)
		if err != nil {
			return err
		}
		opts := negatives.Defaults()
		opts.MinConfidence, opts.MaxNegatives = 0, 0
		vocab, err := negatives.ReadVocabulary(rows, opts)
		if err != nil {
			return err
		}
		opts.Methods = nil
		g, err := negatives.New(opts, vocab, 7)
		if err != nil {
			return err
		}
		images, err := readImages(folder.Folder{Store: store.Local{}, Dir: dir})
		if err != nil {
			return err
		}
		for i := range images {
			for k := range images[i].Captions {
				c := &images[i].Captions[k]
				var parsed schemas.Parsed
				parser.ParseText(c.Text, &parsed)
				c.Tokens, c.Graph = parsed.Tokens, parsed.Graph
			}
		}
		var pools []schemas.Pool
		for i := range images {
			var failed error
			seen := map[string]bool{}
			drops := negatives.Drops{Said: func(s negatives.SaidPart) {
				c := &images[i].Captions[s.Caption]
				if key := fmt.Sprint(s.Caption, s.Text); failed == nil && !seen[key] {
					seen[key] = true
					t := saidText{Source: source, Caption: c.Text, Text: s.Text, Kind: schemas.KindObject, graph: &c.Graph}
					if s.Part.Relation != scenegraph.NoRelation {
						t.Kind = schemas.KindRelation
					}
					failed = f(t, &s)
				}
			}}
			pools = schemas.Resize(pools, len(images[i].Captions))
			if err := cmp.Or(g.Texts(context.Background(), &images[i], pools, &drops), failed); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeParts writes the positives of annotated captions, with a verdict: good if the annotators have
// each part that a text says. Captions of judged texts that no model learns from are left out.
func writeParts(goldFile, judgedFile, out string, runs []string) error {
	judged, err := readTexts(judgedFile)
	if err != nil {
		return err
	}
	held := map[string]bool{}
	for _, t := range judged {
		held[t.Caption] = t.part() != "fit"
	}
	gold := map[string]*annotated.Row{}
	in, err := os.Open(goldFile)
	if err != nil {
		return err
	}
	defer in.Close()
	for row, err := range annotated.Read(in, goldFile) {
		if err != nil {
			return err
		}
		gold[row.Text] = &row
	}
	return writeEach(out, runs, func(t *saidText, s *negatives.SaidPart) bool {
		row := gold[t.Caption]
		if row == nil || held[t.Caption] {
			return false
		}
		t.Verdict = "false"
		if isAnnotated(row, t.graph, s.Part) {
			t.Verdict = good
		}
		return true
	})
}

// isAnnotated reports whether the annotated graph of a caption has a part of the parser's.
func isAnnotated(gold *annotated.Row, g *schemas.SceneGraph, part scenegraph.SubGraph) bool {
	parsed := schemas.Parsed{Graph: *g}
	row := annotated.FromParsed(gold.Text, &parsed)
	ends := annotated.AlignedEnds(&row, gold)
	keep := map[int]uint64{int(part.Subject): part.SubjectAttributes}
	if part.Relation != scenegraph.NoRelation {
		keep[int(part.Object)] = part.ObjectAttributes
		row.Relations = row.Relations[part.Relation:][:1]
	} else {
		row.Relations = nil
	}
	for i := range row.Objects {
		var said []annotated.Attribute
		for k, a := range row.Objects[i].Attributes {
			if k < 64 && keep[i]>>k&1 == 1 {
				said = append(said, a)
			}
		}
		row.Objects[i].Attributes, row.Objects[i].Quantity = said, annotated.Quantity{}
	}
	want := annotated.Tuples(gold, annotated.ObjectEnds(gold))
	for t := range annotated.Tuples(&row, ends) {
		own := t.Kind != annotated.ObjectTuple
		for i := range keep {
			own = own || ends[i] == t.Subject
		}
		if own && !want[t] {
			return false
		}
	}
	return true
}

// writeJudged writes judged texts with what each is for.
func writeJudged(judgedFile, out string) error {
	judged, err := readTexts(judgedFile)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	e := json.NewEncoder(f)
	for _, t := range judged {
		t.Split = t.part()
		if err := e.Encode(t); err != nil {
			return err
		}
	}
	return f.Close()
}

// writeTexts writes the positives of runs, for a teacher to answer about.
func writeTexts(out string, runs []string) error {
	return writeEach(out, runs, func(*saidText, *negatives.SaidPart) bool { return true })
}

// writeEach writes the positives of runs that fill takes, a JSON object a line.
func writeEach(out string, runs []string, fill func(*saidText, *negatives.SaidPart) bool) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	err = eachText(runs, func(t saidText, said *negatives.SaidPart) error {
		if !fill(&t, said) {
			return nil
		}
		return e.Encode(t)
	})
	if err := cmp.Or(err, w.Flush()); err != nil {
		return err
	}
	return f.Close()
}

// readTexts reads texts, a JSON object a line.
func readTexts(path string) ([]saidText, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []saidText
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var t saidText
		if err := d.Decode(&t); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: text %d: %w", path, len(all)+1, err)
		}
		all = append(all, t)
	}
}

// measureQuality prints how the embedded model of package quality does on a reader's verdicts.
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

// Of the regression over hashed features.
const (
	tableSize   = 1 << 17
	epochs      = 5
	stepSize    = 0.03
	decay       = 2e-6
	judgedTimes = 4 // how often a text that a reader judged is learned from
)

// fitQuality learns the model of package quality from a teacher's answers and a reader's verdicts on
// texts of runs, and prints how it does on the verdicts that it did not learn from.
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
		if t.part() != "fit" {
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
		case t.Verdict != "" && t.part() != "fit":
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
	bias, unit, small := quantise(w)
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

// regressHashed is a logistic regression by AdaGrad over hashed features. The last weight is the
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
		if epoch >= epochs/2 { // averaged over the epochs of the second half
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

// quantise gives the weights as int8 in units.
func quantise(w []float64) (bias, unit float32, small []int8) {
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

// tabulateQuality prints, for each part and source, the area under the curve, and the share of texts
// that is kept when 80, 85, 90 and 95 % of those kept are good.
func tabulateQuality(table io.Writer, all []saidText) {
	for _, part := range []string{"fit", "cut", "test"} {
		for _, source := range []string{"web", "cc3m", "coco", ""} {
			var some []saidText
			var right, wrong []float64
			for _, t := range all {
				if t.part() == part && (source == "" || t.Source == source) {
					some = append(some, t)
					if t.Verdict == good {
						right = append(right, t.Answer)
					} else {
						wrong = append(wrong, t.Answer)
					}
				}
			}
			slices.SortFunc(some, func(a, b saidText) int { return cmp.Compare(b.Answer, a.Answer) })
			fmt.Fprintf(table, "%s %-4s %4d texts, %2.0f %% good, area %.3f; kept at", part, source, len(some), 100*float64(len(right))/float64(len(some)), area(right, wrong))
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
