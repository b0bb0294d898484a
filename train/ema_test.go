package train

import (
	"testing"

	"capgraph/testing/golden"
	"capgraph/train/optimiser"
)

// Averages of weights, and of a ResNet's running averages, are those of PyTorch's AveragedModel.
func TestAveragesArePyTorchs(t *testing.T) {
	_, cases, err := golden.ReadLoRAAndEMA()
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range devices {
		for _, c := range cases {
			t.Run(dev.name+"/"+c.Model, func(t *testing.T) {
				d := dev.make()
				defer d.Close()
				var r *goldenRun
				var o optimiser.Options
				most := dev.gradient
				if c.Model == "resnet" {
					g := readResNet(t)
					r, o = newResNetRun(t, d, g, Batch{}), goldenOptions(len(g.Training.Losses), 3, 1e-3)
					most = resNetBounds[dev.name].tensors
				} else {
					r = newGoldenRun(t, d, readGolden(t), golden.Case{Batch: "captions", Objective: "clip", QuickGELU: true}, Batch{})
					o = goldenOptions(golden.LoRASteps, golden.LoRAWarmup, golden.LoRARate)
				}
				run := &training{device: d, model: r.model, optimiser: optimiser.New(r.model, o), ema: optimiser.NewEMA(r.model, c.Decay)}
				run.ema.Start()
				for step := range o.Schedule.Steps {
					if c.Model == "tiny" {
						r.take(golden.CurveBatch(step))
					}
					prepareStep(t, r, run.optimiser)
					run.updateWeights()
				}
				averages := run.averagedWeights()
				for _, s := range r.model.Specs {
					x, ok := averages[s.Name].Floats()
					if !ok {
						t.Fatalf("%s has no average", s.Name)
					}
					sketched(t, s, x, c.Weights[s.Name], 0, most)
				}
			})
		}
	}
}
