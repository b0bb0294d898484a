// Command quality trains the quality score of tokens: how likely a text that is made from a caption and uses the
// token is good. Its inputs are the encoder's vectors (ruleparse/tools/README.md):
//
//	go run ./tools/bench/judge tokens -pairs positives.jsonl -out tokens.jsonl web=RUN cc3m=RUN coco=RUN
//	go run ./ruleparse/tools/quality -out ruleparse/internal/model/quality.bin tokens.jsonl
//
// The model is a logistic regression over the mean vector of a text's tokens, trained on all verdicts. Its score is
// added to that of hashed features, with a scale and a bias that are fitted to texts on which neither was trained.
// The printed figures are from cross-validation: five folds, with all texts of a caption in one.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"

	"capgraph/ruleparse/internal/encoder"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
)

// text is a text with a judge's verdict.
type text struct {
	Source  string  `json:"source"`
	Caption string  `json:"caption"`
	Verdict string  `json:"verdict"`
	Answer  float64 `json:"answer"` // log odds by the hashed features
	Split   string  `json:"split"`
	Tokens  []int   `json:"tokens"`
	vector  []float64
	good    float64
	head    float64 // score by a regression over vectors that was not trained on this text
}

func (t *text) foldNumber() int { return int(uint64(scenegraph.TextID(t.Caption)) / 5 % folds) }

// isHeldOut reports whether the hashed features were not trained on the caption.
func (t *text) isHeldOut() bool { return t.Split != "fit" }

const (
	folds  = 5
	width  = encoder.Width
	ridge  = 600.0 // penalty on the weights of standardised elements
	beside = 0.7   // weight of the hashed features: besideEncoder of package quality
)

func main() {
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	if err := writeQuality(flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func writeQuality(path, out string) error {
	all, err := readTexts(path)
	if err != nil {
		return err
	}
	mean, deviation := standardiseVectors(all)
	for k := range folds {
		w := regressVectors(selectTexts(all, func(t *text) bool { return t.foldNumber() != k }))
		for i := range all {
			if all[i].foldNumber() == k {
				all[i].head = scoreText(w, &all[i])
			}
		}
	}
	final := make([]float64, len(all))
	for k := range folds {
		scale, bias := fitScale(selectTexts(all, func(t *text) bool { return t.foldNumber() != k && t.isHeldOut() }))
		for i := range all {
			if all[i].foldNumber() == k {
				final[i] = beside*all[i].Answer + scale*all[i].head + bias
			}
		}
	}
	writeAreas(os.Stdout, all, final)
	scale, bias := fitScale(selectTexts(all, (*text).isHeldOut))
	w := regressVectors(selectTexts(all, func(*text) bool { return true }))
	b := make([]byte, 0, 4*(width+1))
	last := scale*w[width] + bias
	for j := range width {
		x := scale * w[j] / deviation[j]
		last -= x * mean[j]
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(last)))
	return os.WriteFile(out, b, 0o666)
}

// selectTexts returns the texts for which f holds.
func selectTexts(all []text, f func(*text) bool) []*text {
	var some []*text
	for i := range all {
		if f(&all[i]) {
			some = append(some, &all[i])
		}
	}
	return some
}

// readTexts returns the texts in a file, with the mean vectors of their tokens.
func readTexts(path string) ([]text, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := model.Embedded()
	if err != nil {
		return nil, err
	}
	e, err := model.Encoder()
	if err != nil {
		return nil, err
	}
	var all []text
	var read tokens.Text
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var t text
		if err := d.Decode(&t); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: text %d: %w", path, len(all)+1, err)
		}
		m.Reader.Read(&read, t.Caption)
		vectors := e.Vectors(read.Tokens)
		t.vector = make([]float64, width)
		for _, i := range t.Tokens {
			if (i+1)*width > len(vectors) {
				return nil, fmt.Errorf("%s: text %d: token %d of %d", path, len(all)+1, i, len(vectors)/width)
			}
			for k, v := range vectors[i*width:][:width] {
				t.vector[k] += float64(v) / float64(len(t.Tokens))
			}
		}
		if t.Verdict == "good" {
			t.good = 1
		}
		all = append(all, t)
	}
}
