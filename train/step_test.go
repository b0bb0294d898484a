package train

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/testing/golden"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/objective"
	"capgraph/train/optimiser"
)

// goldenRun is a model with the golden weights, and a stepper of one objective.
type goldenRun struct {
	*stepper
	samples []*loader.Sample
}

// newGoldenRun makes the samples of a golden batch.
func newGoldenRun(t testing.TB, d kernels.Device, g *golden.Golden, c golden.Case, memory Batch) *goldenRun {
	t.Helper()
	config := g.Config(c.QuickGELU)
	if c.HasBias() {
		config.LogitBias = model.SigLIPBias
	}
	m, err := model.New(d, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	for i, s := range m.Specs {
		x, ok := g.Weights[s.Name].Floats()
		if s.Name == model.LogitBias {
			x, ok = []float64{model.SigLIPBias}, true
		}
		if !ok {
			t.Fatalf("%s is no floats", s.Name)
		}
		d.Write(m.Vars[i].Value, x)
	}
	if c.Objective == "fscclip" {
		softenScale(m)
	}
	return goldenRunOf(t, m, g, c, memory)
}

// goldenRunOf is newGoldenRun of a model that has its weights. Texts are named t0, t1, …,
// but for equal ones, which are one.
func goldenRunOf(t testing.TB, m *model.Model, g *golden.Golden, c golden.Case, memory Batch) *goldenRun {
	t.Helper()
	var o objective.Objective
	switch c.Objective {
	case "clip":
		o = &objective.CLIP{}
	case "siglip":
		o = &objective.SigLIP{}
	case "distill":
		o = objective.NewDistill(2.5)
	case "negclip":
		o = objective.NewNegCLIP(0, 0)
	case "mosaiclip":
		o = objective.NewMosaiCLIP(objective.MosaiCLIPOptions{})
	case "mosaiclip apart":
		o = objective.NewMosaiCLIP(objective.MosaiCLIPOptions{Compete: objective.Apart})
	case "mosaiclip sigmoid":
		o = objective.NewMosaiCLIP(objective.MosaiCLIPOptions{Compete: objective.Sigmoid})
	case "csclip":
		o = &objective.CSCLIP{}
	case "c2lip":
		o = objective.NewC2LIP(0.3)
	case "readclip":
		o = &objective.READCLIP{}
	case "fscclip":
		o = objective.NewFSCCLIP(objective.FSCOptions{Global: 0.5, Local: 0.2, Focal: 2, Smoothing: 0.02})
	case "ceclip":
		o = objective.NewCECLIP(objective.CEOptions{IMC: 0.2, CMR: 0.4, Most: 10, Anchored: c.IMC == "anchored"})
		if err := o.Restore(objective.State{Thresholds: c.Thresholds}); err != nil {
			t.Fatal(err)
		}
	}
	b := g.Batches[c.Batch]
	tokens := map[string][]int32{}
	name := func(ids []int32) string {
		text := fmt.Sprint(ids)
		tokens[text] = ids
		return text
	}
	r := &goldenRun{}
	r.stepper = newStepper(m, func(dst []int32, text string) []int32 { return append(dst, tokens[text]...) }, []weightedObjective{{o, 1}}, memory, false)
	if c.Objective == "distill" {
		r.setTeacher(goldenTeacher(t, m, g, c), memory)
	}
	texts := cut(b.Tokens, b.Lengths, name)
	siblings := cut(b.SiblingTokens, b.SiblingLengths, name)
	size := len(b.Images) / b.N
	for i := range b.N {
		s := &loader.Sample{Pixels: b.Images[i*size : (i+1)*size], Caption: texts[i]}
		if len(siblings) > 0 {
			s.Sibling = siblings[i]
		}
		for j, text := range texts {
			if b.True[i*len(texts)+j] == 1 {
				s.Known = append(s.Known, text.ID)
			}
		}
		r.samples = append(r.samples, s)
	}
	owner := make([]int, b.M) // of each positive, its own image
	for j := range b.M {
		owner[j] = slices.IndexFunc(r.samples, func(s *loader.Sample) bool { return slices.Contains(s.Known, texts[j].ID) })
		if !strings.HasPrefix(c.Objective, "mosaiclip") && !slices.Contains([]string{"csclip", "c2lip", "readclip"}, c.Objective) {
			owner[j] = j
		}
	}
	place := make([]int, b.M) // of each positive, among those of its image
	for j := range b.M {
		s := r.samples[owner[j]]
		place[j] = len(s.Positives)
		s.Positives = append(s.Positives, texts[j])
	}
	for _, s := range r.samples { // the first and the last stand for a text and its paraphrase
		if last := len(s.Positives) - 1; last > 0 {
			s.Paraphrases = append(s.Paraphrases, [2]loader.Text{s.Positives[0], s.Positives[last]})
		}
	}
	for k, of := range b.Of {
		text := texts[b.M+k]
		s := r.samples[owner[of]]
		s.Negatives = append(s.Negatives, loader.Negative{Text: text.Text, ID: text.ID, Of: place[of]})
		s.CaptionNegatives = append(s.CaptionNegatives, loader.Negative{Text: text.Text, ID: text.ID, Class: int(b.Kind[k])})
	}
	return r
}

// goldenTeacher returns a model with the golden weights but for 1.5 less of logit scale, and the
// activation that a case does not have.
func goldenTeacher(t testing.TB, m *model.Model, g *golden.Golden, c golden.Case) *model.Model {
	t.Helper()
	teacher, err := model.New(m.Device, g.Config(!c.QuickGELU), model.ImageTower, model.TextTower, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(teacher.Free)
	if err := g.Weights.Apply(teacher); err != nil {
		t.Fatal(err)
	}
	softenScale(teacher)
	return teacher
}

// softenScale takes 1.5 off the logit scale, as golden.py does.
func softenScale(m *model.Model) {
	scale := m.LogScale().Value
	m.Device.Write(scale, []float64{readScalar(m.Device, scale) - 1.5})
}

// cut makes texts of tokens; two of the same tokens have one id.
func cut(tokens, lengths []int32, name func([]int32) string) []loader.Text {
	var texts []loader.Text
	ids := map[string]int64{}
	for _, n := range lengths {
		text := name(tokens[:n])
		if _, ok := ids[text]; !ok {
			ids[text] = int64(len(ids) + 1)
		}
		texts = append(texts, loader.Text{Text: text, ID: ids[text]})
		tokens = tokens[n:]
	}
	return texts
}

func readGolden(t *testing.T) *golden.Golden {
	t.Helper()
	g, err := golden.Read()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// bounds are how far a device may be from PyTorch in float64.
type bounds struct{ loss, gradient, weight float64 }

var devices = []struct {
	name string
	make func() kernels.Device
	bounds
}{
	{"float64", func() kernels.Device { return kernels.NewReference() }, bounds{1e-12, 1e-11, 1e-7}},
	{"float32", func() kernels.Device { return cpu.New() }, bounds{1e-5, 1e-3, 1e-3}},
}

// near says whether two numbers differ by at most most, relative to their size.
func near(a, b, most float64) bool { return math.Abs(a-b) <= most*max(1, math.Abs(b)) }

func TestFeaturesArePyTorchs(t *testing.T) {
	g := readGolden(t)
	for _, dev := range devices {
		for _, want := range g.Features {
			d := dev.make()
			defer d.Close()
			r := newGoldenRun(t, d, g, golden.Case{Batch: want.Batch, Objective: "mosaiclip", QuickGELU: want.QuickGELU}, Batch{})
			b := g.Batches[want.Batch]
			tape, packer := kernels.NewTape(d, kernels.NewArena(d, 0)), model.Packer{}
			tape.ForwardOnly = true
			compare := func(what string, y *kernels.Var, rows [][]float64) {
				t.Helper()
				x := make([]float64, y.Value.Len())
				d.Read(x, y.Value)
				for i, row := range rows {
					for k, v := range row {
						if !near(x[i*len(row)+k], v, dev.loss) {
							t.Fatalf("%s: %s %d of %s has %v at %d, not %v", dev.name, what, i, want.Batch, x[i*len(row)+k], k, v)
						}
					}
				}
			}
			compare("image", r.model.EncodeImages(tape, packer.Images(d, r.model.Config, b.Images)), want.Image)
			compare("text", r.model.EncodeTexts(tape, packer.Texts(d, r.model.Config, b.Tokens, b.Lengths, model.Room{})), want.Text)
		}
	}
}

func TestGradientsArePyTorchs(t *testing.T) {
	g := readGolden(t)
	for _, dev := range devices {
		for _, c := range g.Cases {
			for _, chunk := range []int{0, 20} {
				t.Run(fmt.Sprintf("%s/%s/%s/%v/%s/%d", dev.name, c.Objective, c.Batch, c.QuickGELU, c.IMC, chunk), func(t *testing.T) {
					d := dev.make()
					defer d.Close()
					r := newGoldenRun(t, d, g, c, Batch{ChunkTokens: chunk})
					loss, err := r.computeGradients(r.samples)
					if err != nil || !near(loss, c.Terms["loss"], dev.loss) {
						t.Fatalf("loss %v, %v, not %v", loss, err, c.Terms["loss"])
					}
					var whole float64
					for _, s := range c.Gradients {
						whole += s[0] * s[0]
					}
					for i, s := range r.model.Specs {
						x := make([]float64, s.Len())
						d.Read(x, r.model.Vars[i].Grad)
						got, err := golden.SketchOf(s, x)
						if err != nil {
							t.Fatal(err)
						}
						if e := got.Distance(c.Gradients[s.Name], 1e-2*math.Sqrt(whole)); e > dev.gradient {
							t.Errorf("the gradient of %s is off by %.2g", s.Name, e)
						}
					}
					after := r.objectives[0].State().Thresholds
					for k, want := range c.ThresholdsAfter {
						if c.Objective == "ceclip" && !near(after[k], want, 100*dev.loss) {
							t.Errorf("threshold %d is %v, not %v", k, after[k], want)
						}
					}
				})
			}
		}
	}
}

// goldenOptions are those of golden.py's AdamW.
func goldenOptions(steps, warmup int, rate float64) optimiser.Options {
	return optimiser.Options{
		Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, ClipNorm: 1,
		Schedule: optimiser.Schedule{Form: optimiser.Cosine, Steps: steps},
		Rate:     optimiser.Rate{LearningRate: rate, Warmup: warmup, WeightDecay: 0.1},
	}
}

func TestStepsArePyTorchs(t *testing.T) {
	g := readGolden(t)
	for _, dev := range devices {
		for _, c := range g.Training {
			t.Run(fmt.Sprintf("%s/%s/%v/%s", dev.name, c.Objective, c.QuickGELU, c.IMC), func(t *testing.T) {
				d := dev.make()
				defer d.Close()
				r := newGoldenRun(t, d, g, c.Case, Batch{})
				z := optimiser.New(r.model, goldenOptions(10, 3, 1e-3))
				for step, want := range c.After.Losses {
					loss, err := r.computeGradients(r.samples)
					if err != nil || !near(loss, want, 10*dev.loss) {
						t.Fatalf("step %d: loss %v, %v, not %v", step, loss, err, want)
					}
					norm, err := z.GradientNorm()
					if err != nil || !near(norm, c.After.Norms[step], dev.gradient) {
						t.Fatalf("step %d: norm %v, %v, not %v", step, norm, err, c.After.Norms[step])
					}
					if rate := z.LearningRate(); !near(rate, c.After.LearningRates[step], 1e-15) {
						t.Errorf("step %d: learning rate %v, not %v", step, rate, c.After.LearningRates[step])
					}
					z.Step()
				}
				for i, s := range r.model.Specs {
					sketched(t, s, readAll(d, r.model.Vars[i].Value), c.After.Weights[s.Name], 0, dev.weight)
				}
			})
		}
	}
}

// Blocks that are computed again give the same gradients, bit for bit.
func TestBlocksMadeAgainHaveTheSameBits(t *testing.T) {
	g := readGolden(t)
	for _, dev := range devices {
		for _, c := range g.Cases[:min(len(g.Cases), 8)] {
			for _, chunk := range []int{0, 20} {
				var gradients [2][]float64
				for i, again := range []string{RecomputeNone, RecomputeBlocks} {
					d := dev.make()
					defer d.Close()
					r := newGoldenRun(t, d, g, c, Batch{ChunkTokens: chunk, Recompute: again})
					for range 2 { // in arenas of several blocks, then of one
						d.Zero(r.model.Gradients())
						if _, err := r.computeGradients(r.samples); err != nil {
							t.Fatal(err)
						}
					}
					gradients[i] = readAll(d, r.model.Gradients())
				}
				if !slices.Equal(gradients[0], gradients[1]) {
					t.Errorf("%s, %s, %s, chunks of %d: the gradients are others", dev.name, c.Objective, c.Batch, chunk)
				}
			}
		}
	}
}

// Texts that are equal are encoded once, whichever images and objectives they are of.
func TestEqualTextsAreEncodedOnce(t *testing.T) {
	g := readGolden(t)
	d := kernels.NewReference()
	r := newGoldenRun(t, d, g, g.Cases[0], Batch{})
	r.objectives = append(r.objectives, weightedObjective{&objective.CLIP{}, 1}, weightedObjective{objective.NewMosaiCLIP(objective.MosaiCLIPOptions{Swap: true}), 1})
	r.loadBatch(r.samples)
	seen, tokens := map[string]bool{}, 0
	for i, text := range r.batch.Texts {
		if seen[text] {
			t.Errorf("%s is encoded twice", text)
		}
		seen[text] = true
		tokens += int(r.lengths[i])
	}
	once := len(r.batch.Texts)
	r.loadBatch(append(r.samples, r.samples...))
	if len(r.batch.Texts) != once || len(r.ids) != tokens || once == 0 {
		t.Errorf("twice the images have %d texts of %d tokens, not %d of %d", len(r.batch.Texts), len(r.ids), once, tokens)
	}
}
