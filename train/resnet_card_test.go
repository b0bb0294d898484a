//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package train

import (
	"math"
	"slices"
	"testing"

	"capgraph/kernels/cuda"
)

// A step of a ResNet through the device of CUDA is PyTorch's, but for what bf16 rounds: of
// two images it makes other places 0, and gradients of PyTorch's autocast to bf16 are off
// by 0.4 in the middle as well. No gradient at all would be off by 1.
func TestAResNetOnACardIsPyTorchs(t *testing.T) {
	g := readResNet(t)
	c := g.Cases[1]
	for _, p := range []struct {
		cuda.Precision
		bounds
	}{{cuda.Float32, bounds{1e-5, 1e-3, 1e-4}}, {cuda.BFloat16, bounds{2e-2, 0.8, 2e-2}}} {
		t.Run(p.String(), func(t *testing.T) {
			_, d := newStubCard(t, p.Precision)
			r := newResNetRun(t, d, g, Batch{ChunkTokens: c.Chunks[0] * g.Model.Image.Tokens()})
			loss, err := r.computeGradients(r.samples)
			if err != nil || !near(loss, c.Loss, p.loss) {
				t.Fatalf("loss %v, %v, not %v", loss, err, c.Loss)
			}
			var whole float64
			for _, s := range c.Gradients {
				whole += s[0] * s[0]
			}
			for i, s := range r.model.Specs {
				if s.Running {
					sketched(t, s, readAll(d, r.model.Vars[i].Value), c.Averages[s.Name], 0, p.weight)
				} else {
					sketched(t, s, readAll(d, r.model.Vars[i].Grad), c.Gradients[s.Name], 1e-2*math.Sqrt(whole), p.gradient)
				}
			}
		})
	}
}

// Steps of a ResNet that are recorded and replayed have the bits of steps that are not, and
// move the running averages once each, also where chunks are encoded twice.
func TestRecordedStepsOfAResNetAreTheSame(t *testing.T) {
	g := readResNet(t)
	_, d := newStubCard(t, cuda.BFloat16)
	batch := Batch{ChunkTokens: 3 * g.Model.Image.Tokens(), Recompute: RecomputeBlocks}
	plain := newResNetRun(t, d, g, batch)
	batch.Buckets = 4
	kept := newResNetRun(t, d, g, batch)
	for round := range 3 {
		var got [2][]float64
		for i, r := range []*goldenRun{plain, kept} {
			d.Zero(r.model.Gradients())
			loss, err := r.computeGradients(r.samples)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = append(append(readAll(d, r.model.Gradients()), readAll(d, r.model.RunningAverages())...), loss)
		}
		if !slices.Equal(got[0], got[1]) {
			t.Fatalf("round %d: other gradients or averages", round)
		}
	}
}
