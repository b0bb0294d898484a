package loader

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"os/exec"
	"reflect"
	"testing"

	"capgraph/schemas/drawing"
)

var update = flag.Bool("update", false, "write the expected values of testdata/order.json")

// orderVectors is testdata/order.json, made from docs/format.md, "The order".
type orderVectors struct {
	Shards  []orderVector
	Windows []orderVector
	Corpora []corpusVector
}

type orderVector struct {
	Seed, Epoch     uint64
	List, Window, N int
	Replacement     bool
	Want            []int
}

type corpusVector struct {
	Seed    uint64
	Epoch   int
	Weights []float64
	Want    []int
}

func TestOrderVectors(t *testing.T) {
	const path = "testdata/order.json"
	var got, want orderVectors
	for i := range 6 {
		v := orderVector{Seed: []uint64{0, 7, 1<<64 - 1}[i%3], Epoch: uint64(i * i), List: i % 2, N: []int{1, 2, 5, 8, 13, 21}[i]}
		d := drawing.Draw{Seed: v.Seed, Epoch: v.Epoch}
		v.Want = shardOrder(d, v.List, v.N)
		got.Shards = append(got.Shards, v)
		v.Window, v.Replacement = 3*i, i%2 == 1
		v.Want = windowOrder(d, v.List, v.Window, v.N, v.Replacement)
		got.Windows = append(got.Windows, v)
	}
	for i, weights := range [][]float64{{1, 1}, {0.1, 0.2, 0.7}, {1, 1e-3, 3}} {
		v := corpusVector{Seed: 7, Epoch: i, Weights: weights}
		m := mixer{seed: v.Seed}
		sum := 0.0
		for _, w := range weights {
			sum += w
			m.cumulative = append(m.cumulative, sum)
		}
		m.beginEpoch(v.Epoch)
		for range 24 {
			v.Want = append(v.Want, m.nextStream())
		}
		got.Corpora = append(got.Corpora, v)
	}
	if *update {
		data, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// pythonSample is a line of testdata/draws.py.
type pythonSample struct {
	Image     string `json:"image_key"`
	Key, Text string
	Known     []int64
	MosaiCLIP pythonDraw
	NegCLIP   pythonDraw
	CECLIP    pythonDraw
}

type pythonDraw struct {
	Pos   []string
	PosID []int64 `json:"pos_id"`
	Neg   []string
	NegOf []int `json:"neg_of"`
	Kind  []int
	// rounded
	Weight, Margin []float64
}

// drawOf returns the draw of a sample in the form of the Python script.
func drawOf(positives []Text, negatives []Negative) pythonDraw {
	d := pythonDraw{Neg: []string{}, NegOf: []int{}, Kind: []int{}, Margin: []float64{}}
	round := func(x float32) float64 { return math.Round(1e4*float64(x)) / 1e4 }
	for _, p := range positives {
		d.Pos, d.PosID, d.Weight = append(d.Pos, p.Text), append(d.PosID, p.ID), append(d.Weight, round(p.Confidence))
	}
	for _, g := range negatives {
		d.Neg, d.NegOf, d.Kind, d.Margin = append(d.Neg, g.Text), append(d.NegOf, g.Of), append(d.Kind, g.Class), append(d.Margin, round(g.Margin))
	}
	return d
}

// PyTorch draws the same: the same images in the same order, with
// the same texts. CAPGRAPH_PYTHON names a Python that has torch and pyarrow.
func TestPythonDrawsTheSame(t *testing.T) {
	python := os.Getenv("CAPGRAPH_PYTHON")
	if python == "" {
		t.Skip("CAPGRAPH_PYTHON names no Python with torch and pyarrow")
	}
	folder := writeTexts(t, makeImages("i", 30), 7)
	var cases [][]any
	var loads []Options
	for _, c := range []struct {
		dir         string
		images      int
		window      int
		replacement bool
	}{
		{"../../testdata/format-4", 9, 100, false}, // made by the binary
		{folder, 30, 8, false},
		{folder, 30, 8, true},
	} {
		for _, epoch := range []int{0, 3} {
			o := testOptions(c.dir)
			o.Batch, o.Seed, o.Window, o.Replacement, o.From = c.images, 9, c.window, c.replacement, Position{Epoch: epoch}
			loads = append(loads, o)
			cases = append(cases, []any{c.dir + "/texts", o.Seed, epoch, c.window, c.replacement})
		}
	}
	argument, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "testdata/draws.py", string(argument))
	cmd.Env = append(os.Environ(), "PYTHONPATH=../../python", "OMP_NUM_THREADS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for _, o := range loads {
		comparePython(t, o, lines)
	}
	if lines.Scan() {
		t.Error("Python draws more")
	}
}

func comparePython(t *testing.T, o Options, lines *bufio.Scanner) {
	t.Helper()
	batch := func(classes []string) *Batch {
		o.Plan = func(int) Plan {
			return Plan{Positives: 3, Negatives: 6, Weights: [4]uint64{18, 51, 51, 40}, Classes: classes}
		}
		b, err := openLoader(t, o).Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	negclip, ceclip := batch(drawing.NegCLIPClasses[:]), batch(drawing.CECLIPClasses[:])
	for i, s := range negclip.Samples {
		if !lines.Scan() {
			t.Fatalf("Python draws %d samples of %d", i, len(negclip.Samples))
		}
		var want pythonSample
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		caption := []Text{s.Caption}
		got := pythonSample{
			Image: s.ImageKey, Key: s.Key, Text: s.Caption.Text, Known: s.Known, MosaiCLIP: drawOf(s.Positives, s.Negatives),
			NegCLIP: drawOf(caption, s.CaptionNegatives), CECLIP: drawOf(caption, ceclip.Samples[i].CaptionNegatives),
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("sample %d is %+v\nin Python %+v", i, got, want)
		}
	}
}
