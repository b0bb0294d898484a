//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package train

import (
	"testing"

	"capgraph/kernels/cuda"
	"capgraph/testing/golden"
	"capgraph/train/model"
)

// A step of a Swin transformer through the device of CUDA is PyTorch's, but for what bf16
// rounds.
func TestASwinOnACardIsPyTorchs(t *testing.T) {
	g, want := readGolden(t), tinySwin(t)
	for _, p := range []struct {
		cuda.Precision
		loss, gradient float64
	}{{cuda.Float32, 1e-5, 1e-4}, {cuda.BFloat16, 2e-2, 0.2}} {
		t.Run(p.String(), func(t *testing.T) {
			_, d := newStubCard(t, p.Precision)
			m, err := model.New(d, want.Model)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Free)
			golden.FillFormula(m)
			r := goldenRunOf(t, m, g, golden.Case{Batch: "captions", Objective: "clip"}, Batch{ChunkTokens: 40, Recompute: RecomputeBlocks})
			if loss, err := r.computeGradients(r.samples); err != nil || !near(loss, want.Loss, p.loss) {
				t.Fatalf("loss %v, %v, not %v", loss, err, want.Loss)
			}
			gradientsAre(t, r, want.Gradients, p.gradient)
		})
	}
}
