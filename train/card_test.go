//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package train

import (
	"math"
	"strings"
	"testing"

	"capgraph/kernels/cuda"
	"capgraph/kernels/cuda/stub"
	"capgraph/train/golden"
	"capgraph/train/optimiser"
)

// newStubCard is a card whose driver is a stub and whose kernels run on the
// processor.
func newStubCard(t *testing.T, p cuda.Precision) (*stub.Stub, *cuda.Device) {
	t.Helper()
	s := stub.Build(t)
	s.Compute(t, "../kernels")
	t.Setenv("LD_LIBRARY_PATH", s.Folder)
	d, err := cuda.Open(0, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if left := s.Memory(); len(left) > 0 {
			t.Errorf("%d pieces of memory are left", len(left))
		}
	})
	return s, d
}

// A step of each objective through the device of CUDA is PyTorch's, but for what
// bf16 rounds.
func TestAStepOnACardIsPyTorchs(t *testing.T) {
	g := readGolden(t)
	for _, p := range []struct {
		cuda.Precision
		bounds
	}{{cuda.Float32, bounds{1e-5, 1e-3, 1e-3}}, {cuda.BFloat16, bounds{1e-2, 5e-2, 1e-2}}} {
		seen := map[string]bool{}
		for _, c := range g.Cases {
			if seen[c.Objective] {
				continue
			}
			seen[c.Objective] = true
			t.Run(p.String()+"/"+c.Objective, func(t *testing.T) {
				s, d := newStubCard(t, p.Precision)
				r := newGoldenRun(t, d, g, c, Batch{})
				launches := strings.Count(s.Log(), "cuLaunchKernel")
				loss, err := r.gradients(r.samples)
				if err != nil || !near(loss, c.Terms["loss"], p.loss) {
					t.Fatalf("loss %v, %v, not %v", loss, err, c.Terms["loss"])
				}
				t.Logf("%d launches", strings.Count(s.Log(), "cuLaunchKernel")-launches)
				var whole float64
				for _, sketch := range c.Gradients {
					whole += sketch[0] * sketch[0]
				}
				for i, spec := range r.model.Specs {
					x := make([]float64, spec.Len())
					d.Read(x, r.model.Vars[i].Grad)
					got, err := golden.SketchOf(spec, x)
					if err != nil {
						t.Fatal(err)
					}
					if e := got.Error(c.Gradients[spec.Name], 1e-2*math.Sqrt(whole)); e > p.gradient {
						t.Errorf("the gradient of %s is off by %.2g", spec.Name, e)
					}
				}
				z := optimiser.New(r.model, optimiser.Options{Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, ClipNorm: 1, Schedule: optimiser.Schedule{Form: optimiser.Const}, Rate: optimiser.Rate{LearningRate: 1e-3}})
				if _, err := z.Norm(); err != nil {
					t.Fatal(err)
				}
				if z.Step(); d.Err() != nil {
					t.Fatal(d.Err())
				}
			})
		}
	}
}
