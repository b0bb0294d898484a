package train

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/testing/golden"
	"capgraph/train/model"
	"capgraph/train/optimiser"
)

// fixedAdapters are options of a rate of 0, whose first moments are the gradients of the last step.
var fixedAdapters = optimiser.Options{Beta1: 0, Beta2: 0.98, Epsilon: 1e-6, Schedule: optimiser.Schedule{Form: optimiser.Const}}

// loraRun is a golden batch on a model with adapters, its optimiser, and what that keeps of adapters.
func loraRun(t *testing.T, d kernels.Device, c golden.Case, l LoRA, o optimiser.Options) (*goldenRun, *optimiser.Optimiser, map[string]kernels.Tensor) {
	t.Helper()
	g := readGolden(t)
	r := &Recipe{LoRA: l}
	m, err := model.NewLearning(d, g.Config(c.QuickGELU), r.learnsParameter)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	for i, s := range m.Specs {
		x, _ := g.Weights[s.Name].Floats()
		d.Write(m.Vars[i].Value, x)
	}
	run := goldenRunOf(t, m, g, c, Batch{})
	o.LoRA = l.optimiserOptions(1)
	z := optimiser.New(m, o)
	t.Cleanup(z.Free)
	z.Start()
	state := map[string]kernels.Tensor{}
	for name, tensor := range z.AdapterState() {
		state[name] = tensor
	}
	return run, z, state
}

// mergeStep computes the loss and updates; with a rate of 0 the model gets what the adapters were set to.
func mergeStep(t *testing.T, r *goldenRun, z *optimiser.Optimiser) float64 {
	t.Helper()
	loss, _ := prepareStep(t, r, z)
	z.Step()
	return loss
}

// The gradients of adapters are the central differences of the loss, in float64, and only adapters and
// logit_scale are learned.
func TestLoRAGradients(t *testing.T) {
	c := golden.Case{Batch: readGolden(t).Cases[0].Batch, Objective: "clip"}
	run, z, state := loraRun(t, kernels.NewReference(), c, LoRA{Rank: 3, Alpha: 6, Targets: []string{model.AttentionPart, model.MLPPart}}, fixedAdapters)
	d := run.model.Device
	before := mergeStep(t, run, z)
	random := portable.SplitMix64(5)
	for name, b := range state { // B is 0 at first, and then A has no gradient
		if strings.HasSuffix(name, ".lora_B") && !strings.HasPrefix(name, "first.") && !strings.HasPrefix(name, "second.") {
			x := make([]float64, b.Len())
			d.Read(x, b)
			for i := range x {
				if x[i] != 0 {
					t.Fatalf("%s begins with %v", name, x[i])
				}
				x[i] = float64(random.IntN(1000))/20000 - 0.02
			}
			d.Write(b, x)
		}
	}
	if loss := mergeStep(t, run, z); loss != before {
		t.Errorf("the loss is %v with adapters that add nothing, not %v", loss, before)
	}
	if loss := mergeStep(t, run, z); loss == before {
		t.Error("adapters change nothing")
	}
	gradients := map[string][]float64{}
	for name, x := range state {
		if of, ok := strings.CutPrefix(name, "first."); ok {
			gradients[of] = readAll(d, x)
		}
	}
	adapted := 0
	for i, s := range run.model.Specs {
		if s.BlockPart() == "" {
			if learned := run.model.Vars[i].NeedsGrad(); learned != (s.Name == model.LogitScale) {
				t.Errorf("%s is learned: %v", s.Name, learned)
			}
			continue
		}
		adapted++
		for _, part := range []string{".lora_A", ".lora_B"} {
			x := readAll(d, state[s.Name+part])
			at := len(x) / 3
			const h = 1e-5
			loss := func(v float64) float64 {
				own := x[at]
				x[at] = v
				d.Write(state[s.Name+part], x)
				x[at] = own
				z.Step() // at a rate of 0: it merges
				if _, _, _, err := run.computeLoss(); err != nil {
					t.Fatal(err)
				}
				return readScalar(d, run.losses[0].Value)
			}
			slope := (loss(x[at]+h) - loss(x[at]-h)) / (2 * h)
			d.Write(state[s.Name+part], x)
			if got := gradients[s.Name+part][at]; math.Abs(got-slope) > 1e-8+1e-5*math.Abs(slope) {
				t.Errorf("the gradient of %s is %v, not %v", s.Name+part, got, slope)
			}
		}
	}
	if adapted != 16 { // four matrices of two blocks of two towers
		t.Errorf("%d matrices have adapters", adapted)
	}
}

// A model is W + α/r·B·A, also of one part of the blocks.
func TestLoRAMerges(t *testing.T) {
	c := golden.Case{Batch: readGolden(t).Cases[0].Batch, Objective: "clip"}
	run, z, state := loraRun(t, kernels.NewReference(), c, LoRA{Rank: 2, Alpha: 1, Targets: []string{model.MLPPart}}, fixedAdapters)
	d := run.model.Device
	const name = "transformer.resblocks.1.mlp.c_proj.weight"
	for of, x := range state {
		if of == name+".lora_B" {
			d.Fill(x, 0.25)
		}
	}
	mergeStep(t, run, z)
	a, base := readAll(d, state[name+".lora_A"]), readAll(d, state["base."+name])
	for i, s := range run.model.Specs {
		if _, has := state[s.Name+".lora_A"]; has != (s.BlockPart() == model.MLPPart) {
			t.Errorf("%s has an adapter: %v", s.Name, has)
		}
		if s.Name != name {
			continue
		}
		for k, got := range readAll(d, run.model.Vars[i].Value) {
			col := k % s.Cols
			if want := base[k] + 0.5*0.25*(a[col]+a[s.Cols+col]); math.Abs(got-want) > 1e-14 {
				t.Fatalf("element %d is %v, not %v", k, got, want)
			}
		}
	}
}

// Steps of adapters on attention, on MLPs and on both are PyTorch's, from the same A. B begins with 0.
func TestLoRAIsPyTorchs(t *testing.T) {
	cases, _, err := golden.ReadLoRAAndEMA()
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range devices {
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s/%v", dev.name, c.Targets), func(t *testing.T) {
				d := dev.make()
				defer d.Close()
				l := LoRA{Rank: c.Rank, Alpha: c.Alpha, Targets: c.Targets}
				r, z, state := loraRun(t, d, golden.Case{Batch: "captions", Objective: "clip", QuickGELU: true}, l, goldenOptions(golden.LoRASteps, golden.LoRAWarmup, golden.LoRARate))
				adapters, initial := map[string]model.Spec{}, []float64(nil)
				for _, s := range r.model.Specs {
					a, b := s.Adapters(c.Rank)
					if x, ok := state[a.Name]; ok {
						initial = append(initial, readAll(d, x)...)
						d.Write(x, golden.Formula(a.Name, a.Shape))
						adapters[a.Name], adapters[b.Name] = a, b
					}
				}
				deviation := math.Sqrt(dotOf(initial, initial) / float64(len(initial)))
				if want := 1 / float64(c.Rank); math.Abs(deviation/want-1) > 0.08 {
					t.Errorf("A begins with a deviation of %v, not %v", deviation, want)
				}
				for step, want := range c.Losses {
					r.take(golden.CurveBatch(step))
					loss, norm := prepareStep(t, r, z)
					if !near(loss, want, 10*dev.loss) || !near(norm, c.Norms[step], 10*dev.gradient) {
						t.Fatalf("step %d: loss %v and norm %v, not %v and %v", step, loss, norm, want, c.Norms[step])
					}
					z.Step()
				}
				for i, s := range r.model.Specs {
					sketched(t, s, readAll(d, r.model.Vars[i].Value), c.Weights[s.Name], 0, dev.gradient)
				}
				if len(adapters) != len(c.Adapters) {
					t.Errorf("%d matrices A and B, not %d", len(adapters), len(c.Adapters))
				}
				for name, s := range adapters {
					sketched(t, s, readAll(d, state[name]), c.Adapters[name], 0, dev.gradient)
				}
			})
		}
	}
}
