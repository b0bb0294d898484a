package train

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/store"
	"capgraph/testing/golden"
	"capgraph/train/checkpoint"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/objective"
	"capgraph/train/optimiser"
)

func readResNet(t *testing.T) *golden.ResNet {
	t.Helper()
	g, err := golden.ReadResNet()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// newResNetRun is a tiny ResNet with the formula's weights on the golden batch.
func newResNetRun(t *testing.T, d kernels.Device, g *golden.ResNet, memory Batch, frozen ...string) *goldenRun {
	t.Helper()
	m, err := model.New(d, g.Model, frozen...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	golden.FillFormula(m)
	tokens := map[string][]int32{}
	r := &goldenRun{}
	encode := func(dst []int32, text string) []int32 { return append(dst, tokens[text]...) }
	r.stepper = newStepper(m, encode, []weightedObjective{{&objective.CLIP{}, 1}}, memory, false)
	pixels := resNetPixels(g)
	size := len(pixels) / len(g.Tokens)
	for i, ids := range g.Tokens {
		text := loader.Text{Text: fmt.Sprint(ids), ID: int64(i)}
		tokens[text.Text] = ids
		r.samples = append(r.samples, &loader.Sample{Pixels: pixels[i*size : (i+1)*size], Caption: text, Known: []int64{text.ID}})
	}
	return r
}

func resNetPixels(g *golden.ResNet) []byte {
	return golden.FormulaBytes("pixels", len(g.Tokens)*3*g.Model.Image.ImageSize*g.Model.Image.ImageSize)
}

// evaluated are the features of the golden images by running averages.
func evaluated(m *model.Model, g *golden.ResNet) []float64 {
	tape, packer := kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0)), model.Packer{}
	tape.ForwardOnly = true
	return readAll(m.Device, m.EncodeImages(tape, packer.Images(m.Device, m.Config, resNetPixels(g))).Value)
}

// resNetBounds are how far features, gradients and tensors may be from PyTorch's.
var resNetBounds = map[string]struct{ features, gradient, tensors float64 }{
	"float64": {1e-12, 1e-9, 1e-9},
	"float32": {1e-5, 1e-4, 2e-3},
}

func TestAResNetIsPyTorchs(t *testing.T) {
	g := readResNet(t)
	specs := model.Parameters(g.Model)
	for _, s := range specs {
		if shape, ok := g.Tensors[s.Name]; !ok || !slices.Equal(shape, s.Shape) {
			t.Errorf("%s is %v, and in open_clip %v", s.Name, s.Shape, shape)
		}
	}
	if len(specs) != len(g.Tensors) {
		t.Errorf("it has %d tensors, and in open_clip %d", len(specs), len(g.Tensors))
	}
	for _, dev := range devices {
		bounds := resNetBounds[dev.name]
		d := dev.make()
		defer d.Close()
		if e := relativeError(evaluated(newResNetRun(t, d, g, Batch{}).model, g), slices.Concat(g.Features...)); e > bounds.features {
			t.Errorf("%s: features by running averages are off by %.2g", dev.name, e)
		}
		for _, c := range g.Cases {
			for _, recompute := range []string{RecomputeNone, RecomputeBlocks} {
				t.Run(fmt.Sprintf("%s/%d/%s", dev.name, c.Chunks, recompute), func(t *testing.T) {
					r := newResNetRun(t, d, g, Batch{ChunkTokens: c.Chunks[0] * g.Model.Image.Tokens(), Recompute: recompute})
					loss, err := r.computeGradients(r.samples)
					if err != nil || !near(loss, c.Loss, dev.loss) {
						t.Fatalf("loss %v, %v, not %v", loss, err, c.Loss)
					}
					if len(r.image.chunks) != len(c.Chunks) {
						t.Fatalf("the images are %d chunks, not %d", len(r.image.chunks), len(c.Chunks))
					}
					var want []float64 // of length 1
					for _, row := range c.Image {
						length := math.Sqrt(dotOf(row, row))
						for _, v := range row {
							want = append(want, v/length)
						}
					}
					if e := relativeError(readAll(d, r.image.outputs[0].Tensor), want); e > bounds.features {
						t.Errorf("features are off by %.2g", e)
					}
					var whole float64
					for _, s := range c.Gradients {
						whole += s[0] * s[0]
					}
					for i, s := range r.model.Specs {
						if s.Running {
							sketched(t, s, readAll(d, r.model.Vars[i].Value), c.Averages[s.Name], 0, bounds.features)
						} else {
							sketched(t, s, readAll(d, r.model.Vars[i].Grad), c.Gradients[s.Name], 1e-3*math.Sqrt(whole), bounds.gradient)
						}
					}
				})
			}
		}
	}
}

// Weights of open_clip's file, by its names and in its shapes, are the model's.
func TestAResNetsFileIsOpenCLIPs(t *testing.T) {
	g := readResNet(t)
	tensors := map[string]checkpoint.Tensor{}
	for name, shape := range g.Tensors {
		tensors[name] = checkpoint.Tensor{Shape: shape, Data: golden.Formula(name, shape)}
	}
	name := filepath.Join(t.TempDir(), "model.safetensors")
	if err := checkpoint.Save(store.Local{}, name, tensors, nil); err != nil {
		t.Fatal(err)
	}
	w, err := checkpoint.Load(store.Local{}, name, g.Model)
	if err != nil {
		t.Fatal(err)
	}
	d := kernels.NewReference()
	m, err := model.New(d, g.Model)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Apply(m); err != nil {
		t.Fatal(err)
	}
	if e := relativeError(evaluated(m, g), slices.Concat(g.Features...)); e > 1e-12 {
		t.Errorf("features are off by %.2g", e)
	}
}

func dotOf(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// sketched holds a tensor against its sketch.
func sketched(t *testing.T, s model.Spec, x []float64, want golden.Sketch, least, most float64) {
	t.Helper()
	got, err := golden.SketchOf(s, x)
	if err != nil {
		t.Fatal(err)
	}
	if e := got.Distance(want, least); !(e <= most) {
		t.Errorf("%s is off by %.2g", s.Name, e)
	}
}

func TestTrainingAResNetIsPyTorchs(t *testing.T) {
	g := readResNet(t)
	for _, dev := range devices {
		bounds := resNetBounds[dev.name]
		d := dev.make()
		defer d.Close()
		r := newResNetRun(t, d, g, Batch{})
		z := optimiser.New(r.model, goldenOptions(len(g.Training.Losses), 3, 1e-3))
		for step, want := range g.Training.Losses {
			loss, err := r.computeGradients(r.samples)
			if err != nil || !near(loss, want, 100*dev.loss) {
				t.Fatalf("%s: step %d: loss %v, %v, not %v", dev.name, step, loss, err, want)
			}
			norm, err := z.GradientNorm()
			if err != nil || !near(norm, g.Training.Norms[step], 10*bounds.gradient) {
				t.Fatalf("%s: step %d: norm %v, %v, not %v", dev.name, step, norm, err, g.Training.Norms[step])
			}
			z.Step()
		}
		for i, s := range r.model.Specs {
			sketched(t, s, readAll(d, r.model.Vars[i].Value), g.Training.Tensors[s.Name], 0, bounds.tensors)
		}
		if e := relativeError(evaluated(r.model, g), slices.Concat(g.Training.Features...)); e > bounds.tensors {
			t.Errorf("%s: features afterwards are off by %.2g", dev.name, e)
		}
	}
}

// Blocks that are computed again give the same gradients and averages, bit for bit.
func TestAResNetMadeAgainHasTheSameBits(t *testing.T) {
	g := readResNet(t)
	for _, dev := range devices {
		d := dev.make()
		defer d.Close()
		for _, images := range []int{2, len(g.Tokens)} { // of a chunk
			var got [2][]float64
			for i, again := range []string{RecomputeNone, RecomputeBlocks} {
				r := newResNetRun(t, d, g, Batch{ChunkTokens: images * g.Model.Image.Tokens(), Recompute: again})
				for range 2 { // in arenas of several blocks, then of one
					d.Zero(r.model.Gradients())
					if _, err := r.computeGradients(r.samples); err != nil {
						t.Fatal(err)
					}
				}
				got[i] = append(readAll(d, r.model.Gradients()), readAll(d, r.model.RunningAverages())...)
			}
			if !slices.Equal(got[0], got[1]) {
				t.Errorf("%s, chunks of %d: the gradients or averages are others", dev.name, images)
			}
		}
	}
}

// A tower that is frozen encodes by its running averages, which stay.
func TestAFrozenResNetStays(t *testing.T) {
	g := readResNet(t)
	d := kernels.NewReference()
	r := newResNetRun(t, d, g, Batch{}, model.ImageTower)
	before := readWeights(r.model)
	if _, err := r.computeGradients(r.samples); err != nil {
		t.Fatal(err)
	}
	for name, after := range readWeights(r.model) {
		if !slices.Equal(after.Data.([]float64), before[name].Data.([]float64)) {
			t.Errorf("%s has moved", name)
		}
	}
	var want []float64
	for _, row := range g.Features {
		length := math.Sqrt(dotOf(row, row))
		for _, v := range row {
			want = append(want, v/length)
		}
	}
	if e := relativeError(readAll(d, r.image.outputs[0].Tensor), want); e > 1e-12 {
		t.Errorf("features are off by %.2g", e)
	}
}

// Processes have the losses and gradients of one process whose chunks are their images,
// and running averages that are the means of theirs, the same bits on each.
func TestAResNetOfSeveralProcesses(t *testing.T) {
	g := readResNet(t)
	for _, dev := range devices {
		most := map[string]float64{"float64": 1e-12, "float32": 1e-5}[dev.name]
		run := func(rank, world, first, last int) *goldenRun {
			d := dev.make()
			t.Cleanup(func() { d.Close() })
			r := newResNetRun(t, d, g, Batch{ChunkTokens: 2 * g.Model.Image.Tokens()})
			r.samples = r.samples[first:last]
			limitToRank(r, rank, world, false)
			return r
		}
		averages := func(r *goldenRun) []float64 { return readAll(r.model.Device, r.model.RunningAverages()) }
		want, err := runSteps(run(0, 1, 0, 4), 1)
		if err != nil {
			t.Fatal(err)
		}
		var mean []float64
		for first := 0; first < 4; first += 2 {
			r := run(0, 1, first, first+2)
			if _, err := runSteps(r, 1); err != nil {
				t.Fatal(err)
			}
			for i, x := range averages(r) {
				if first == 0 {
					mean = append(mean, x/2)
				} else {
					mean[i] += x / 2
				}
			}
		}
		runs := []*goldenRun{run(0, 2, 0, 4), run(1, 2, 0, 4)}
		all, err := runGroup(t, runs, 1)
		if err != nil {
			t.Fatal(err)
		}
		for rank, got := range all {
			if e := max(relativeError(got.losses, want.losses), relativeError(got.gradients, want.gradients)); e > most {
				t.Errorf("%s: losses and gradients of rank %d are off by %.2g", dev.name, rank, e)
			}
			if e := relativeError(averages(runs[rank]), mean); e > most {
				t.Errorf("%s: averages of rank %d are off by %.2g", dev.name, rank, e)
			}
		}
		if !slices.Equal(averages(runs[0]), averages(runs[1])) {
			t.Errorf("%s: the processes have other averages", dev.name)
		}
	}
}
