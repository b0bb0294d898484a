package train

import (
	"fmt"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/cuda"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// The step that tools/bench/gpu measures.
const (
	cardImages    = 256
	cardTexts     = 10 // of an image, of which
	cardPositives = 3
)

// cardLengths are the tokens of an image's texts: 6.7 in the mean.
var cardLengths = [cardTexts]int{5, 6, 6, 7, 7, 7, 7, 7, 7, 8}

// cardConfig is ViT-B/32, as open_clip has it.
const cardConfig = `{"embed_dim": 512, "vision_cfg": {"image_size": 224, "patch_size": 32, "width": 768, "layers": 12},
	"text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 512, "heads": 8, "layers": 12}}`

// cardStep makes the samples of the step, and their tokens.
func cardStep() ([]*loader.Sample, tokenizeFunc) {
	random := portable.SplitMix64(1)
	tokens := map[string][]int32{}
	samples := make([]*loader.Sample, cardImages)
	for i := range samples {
		s := &loader.Sample{Pixels: make([]byte, 224*224*3)}
		for k := range s.Pixels {
			s.Pixels[k] = byte(random.IntN(256))
		}
		for j, n := range cardLengths {
			id := int64(i*cardTexts + j)
			text := fmt.Sprint(id)
			ids := []int32{49406}
			for range n - 2 {
				ids = append(ids, int32(random.IntN(49406)))
			}
			tokens[text] = append(ids, 49407)
			if j < cardPositives {
				s.Positives = append(s.Positives, loader.Text{Text: text, ID: id})
				s.Known = append(s.Known, id)
			} else {
				s.Negatives = append(s.Negatives, loader.Negative{Text: text, ID: id})
			}
		}
		samples[i] = s
	}
	return samples, func(dst []int32, text string) []int32 { return append(dst, tokens[text]...) }
}

// BenchmarkStepOnACard is a step of MosaiCLIP on ViT-B/32: 256 images, 10 texts each.
// tools/bench/gpu has the same in PyTorch.
func BenchmarkStepOnACard(b *testing.B) {
	for _, precision := range []cuda.Precision{cuda.BFloat16, cuda.Float32} {
		b.Run(precision.String(), func(b *testing.B) {
			d, err := cuda.Open(0, precision)
			if err != nil {
				b.Skip("nothing is measured: ", err)
			}
			defer d.Close()
			work := benchmarkCard(b, d)
			seconds := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(1e3*seconds, "ms/step")
			b.ReportMetric(cardImages/seconds, "images/s")
			b.ReportMetric(work/seconds/1e12, "TFLOP/s")
			b.ReportMetric(float64(d.HeldBytes())/1e9, "GB")
		})
	}
}

// benchmarkCard does the steps, and returns the work of one.
func benchmarkCard(b *testing.B, d kernels.Device) float64 {
	c, err := model.Parse([]byte(cardConfig))
	if err != nil {
		b.Fatal(err)
	}
	samples, tokenize := cardStep()
	objectives := func() []weightedObjective {
		return []weightedObjective{{objective.NewMosaiCLIP(objective.MosaiCLIPOptions{}), 1}}
	}
	plan := &kernels.CountingDevice{ElementSize: 4}
	planned, err := model.New(plan, c)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := newStepper(planned, tokenize, objectives(), Batch{}, false).computeGradients(samples); err != nil {
		b.Fatal(err)
	}
	m, err := model.New(d, c)
	if err != nil {
		b.Fatal(err)
	}
	m.Initialise(1)
	s := newStepper(m, tokenize, objectives(), Batch{Buckets: Defaults().Batch.Buckets}, false)
	step := stepOf(b, s, samples)
	for range 5 {
		step()
	}
	b.ResetTimer()
	for b.Loop() {
		step()
	}
	readScalar(d, m.LogScale().Value) // until the card is done
	b.StopTimer()
	return plan.Flops
}

// The step of the benchmark is the one that tools/bench/gpu counts.
func TestTheStepOnACardHasItsWork(t *testing.T) {
	c, err := model.Parse([]byte(cardConfig))
	if err != nil {
		t.Fatal(err)
	}
	samples, tokenize := cardStep()
	plan := &kernels.CountingDevice{ElementSize: 4}
	m, err := model.New(plan, c)
	if err != nil {
		t.Fatal(err)
	}
	s := newStepper(m, tokenize, []weightedObjective{{objective.NewMosaiCLIP(objective.MosaiCLIPOptions{}), 1}}, Batch{}, false)
	if _, err := s.computeGradients(samples); err != nil {
		t.Fatal(err)
	}
	if tera := plan.Flops / 1e12; tera < 10.4 || tera > 10.8 || len(s.ids) != 67*cardImages {
		t.Errorf("%.2f TFLOP, %d tokens", tera, len(s.ids))
	}
}
