package objective

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/scenegraph"
	"capgraph/train/loader"
)

// marginsGolden is testdata/margins.json, which margins.py writes.
type marginsGolden struct {
	Margin  float64
	Samples []struct {
		Pos, Neg [][]any
	}
	Names       []string
	Image, Text [][]float64
	LogScale    float64 `json:"log_scale"`
	Cases       map[string]struct {
		Loss      float64
		DImage    [][]float64 `json:"d_image"`
		DText     [][]float64 `json:"d_text"`
		DLogScale float64     `json:"d_log_scale"`
	}
}

// samples returns the batch.
func (g *marginsGolden) samples() (all []*loader.Sample) {
	for _, from := range g.Samples {
		s := &loader.Sample{}
		for _, p := range from.Pos {
			text := loader.Text{Text: p[0].(string), ID: scenegraph.TextID(p[0].(string)), Confidence: float32(p[1].(float64))}
			s.Positives, s.Known = append(s.Positives, text), append(s.Known, text.ID)
		}
		slices.Sort(s.Known)
		s.Caption = s.Positives[0]
		for _, n := range from.Neg {
			x := loader.Negative{Text: n[0].(string), ID: scenegraph.TextID(n[0].(string)), Of: int(n[1].(float64)), Margin: float32(n[2].(float64))}
			if s.Negatives = append(s.Negatives, x); x.Of == 0 {
				s.CaptionNegatives = append(s.CaptionNegatives, x)
			}
		}
		all = append(all, s)
	}
	return all
}

// TestMarginsArePyTorchs compares losses with margins and weights, and their gradients, with PyTorch's.
func TestMarginsArePyTorchs(t *testing.T) {
	var want marginsGolden
	data, err := os.ReadFile("testdata/margins.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Objective{
		"negclip":   NewNegCLIP(0, want.Margin),
		"mosaiclip": NewMosaiCLIP(MosaiCLIPOptions{Compete: Together, Margin: want.Margin}),
		"fscclip":   NewFSCCLIP(FSCOptions{Global: 1, Focal: 2, Smoothing: 0.02, Margin: want.Margin}),
	} {
		t.Run(name, func(t *testing.T) {
			d := kernels.NewReference()
			tape := kernels.NewTape(d, kernels.NewArena(d, 0))
			input := func(rows ...[]float64) *kernels.Var {
				x := tape.Arena.Tensor(len(rows), len(rows[0]))
				d.Write(x, slices.Concat(rows...))
				v := tape.Input(x)
				v.Grad = tape.Arena.Tensor(len(rows), len(rows[0]))
				d.Zero(v.Grad)
				return v
			}
			var b Batch
			for range 2 { // the second batch finds nothing of the first
				b.Begin(want.samples(), false)
				o.Prepare(&b)
			}
			var rows [][]float64
			for _, text := range b.Texts {
				rows = append(rows, want.Text[slices.Index(want.Names, text)])
			}
			e := Features{Image: input(want.Image...), Text: input(rows...), LogScale: input([]float64{want.LogScale})}
			loss := o.Loss(tape, e)
			tape.Seed(loss, kernels.Tensor{})
			tape.Backward()
			golden := want.Cases[name]
			dText := make([][]float64, len(b.Texts))
			for i, text := range b.Texts {
				dText[i] = golden.DText[slices.Index(want.Names, text)]
			}
			for what, pair := range map[string][2][]float64{
				"loss": {loss.Value.F64, {golden.Loss}}, "gradient of images": {e.Image.Grad.F64, slices.Concat(golden.DImage...)},
				"gradient of texts": {e.Text.Grad.F64, slices.Concat(dText...)}, "gradient of the scale": {e.LogScale.Grad.F64, {golden.DLogScale}},
			} {
				for i, x := range pair[1] { // margins and weights are float32
					if math.Abs(pair[0][i]-x) > 3e-7 {
						t.Errorf("%s[%d] is %v, want %v", what, i, pair[0][i], x)
						break
					}
				}
			}
		})
	}
}
