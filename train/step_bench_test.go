package train

import (
	"fmt"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels/cpu"
	"capgraph/scenegraph"
	"capgraph/schemas/drawing"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/objective"
	"capgraph/train/optimiser"
)

// stepOf is a whole step on samples: gradients, their norm, AdamW.
func stepOf(b *testing.B, s *stepper, samples []*loader.Sample) func() {
	z := optimiser.New(s.model, optimiser.Options{
		Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, ClipNorm: 1, Schedule: optimiser.Schedule{Form: optimiser.Const},
		Rate: optimiser.Rate{LearningRate: 1e-5, WeightDecay: 0.1},
	})
	return func() {
		if _, err := s.computeGradients(samples); err != nil {
			b.Fatal(err)
		}
		if _, err := z.GradientNorm(); err != nil {
			b.Fatal(err)
		}
		z.Step()
		if err := s.model.Device.Err(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStep is one step of CLIP: batch 64, width 64, 2 layers, images of 32 ×
// 32 in patches of 8, texts of 5 to 16 tokens. testdata/step.py is the same in
// PyTorch, padded to 77 tokens, to 32 and to the longest.
func BenchmarkStep(b *testing.B) { benchmarkStep(b, &objective.CLIP{}) }

// BenchmarkStepOfGraphs is the same of OC-CLIP, with a binding as wide as the towers:
// graphs of two or three nodes of 48, and one or two of eight relations.
func BenchmarkStepOfGraphs(b *testing.B) { benchmarkStep(b, objective.NewOCCLIP(1)) }

func benchmarkStep(b *testing.B, o objective.Objective) {
	c, err := model.Parse([]byte(`{"embed_dim": 64,
		"vision_cfg": {"image_size": 32, "patch_size": 8, "width": 64, "layers": 2, "head_width": 32},
		"text_cfg": {"context_length": 77, "vocab_size": 1024, "width": 64, "heads": 2, "layers": 2}}`))
	if err != nil {
		b.Fatal(err)
	}
	if o.Name() == "occlip" {
		c.Binding = model.Binding{Width: 64, Relation: 32, Layers: 2, Heads: 4, Defaults: 4}
	}
	d := cpu.New()
	defer d.Close()
	m, err := model.New(d, c)
	if err != nil {
		b.Fatal(err)
	}
	m.Initialise(1)
	random := portable.SplitMix64(1)
	tokens := map[string][]int32{}
	var samples []*loader.Sample
	for i := range 64 {
		pixels := make([]byte, 32*32*3)
		for k := range pixels {
			pixels[k] = byte(random.IntN(256))
		}
		text := fmt.Sprint(i)
		ids := []int32{1022}
		for range 3 + i%12 {
			ids = append(ids, int32(random.IntN(1022)))
		}
		tokens[text] = append(ids, 1023)
		s := &loader.Sample{Caption: loader.Text{Text: text, ID: int64(i)}, Pixels: pixels}
		for k := range 2 + i%2 {
			node := fmt.Sprintf("node %d", (i*7+k*13)%48)
			tokens[node] = []int32{1022, int32(i % 8), int32(k), 1023}
			s.Graph.Nodes = append(s.Graph.Nodes, node)
			if k > 0 {
				predicate := fmt.Sprintf("relation %d", (i+k)%8)
				tokens[predicate] = []int32{1022, 9, int32(k), 10, 1023}
				s.Graph.Relations = append(s.Graph.Relations, scenegraph.WordRelation{Subject: k - 1, Object: k, Predicate: predicate})
			}
		}
		s.Altered = drawing.Perturbation{Subject: i%2 - 1, Object: 2*(i%2) - 1 + i%2}
		samples = append(samples, s)
	}
	s := newStepper(m, func(dst []int32, text string) []int32 { return append(dst, tokens[text]...) }, []weightedObjective{{o, 1}}, Batch{}, false)
	step := stepOf(b, s, samples)
	step()
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
	b.ReportMetric(64*float64(b.N)/b.Elapsed().Seconds(), "images/s")
}
