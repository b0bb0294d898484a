//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package train

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"capgraph/kernels/cuda"
	"capgraph/testing/cudastub"
	"capgraph/testing/cutest"
	"capgraph/testing/golden"
	"capgraph/train/optimiser"
)

// compiled are the kernels for the processor, once for all tests.
var compiled = sync.OnceValues(func() (*cutest.Machine, error) { return cutest.New("../kernels") })

// newStubCard is a card whose driver is a stub and whose kernels run on the
// processor.
func newStubCard(t *testing.T, p cuda.Precision) (*cudastub.Stub, *cuda.Device) {
	t.Helper()
	s := cudastub.Build(t)
	m, err := compiled()
	if errors.Is(err, cutest.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Compute(t, m, cutest.Forward)
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
				loss, err := r.computeGradients(r.samples)
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
					if e := got.Distance(c.Gradients[spec.Name], 1e-2*math.Sqrt(whole)); e > p.gradient {
						t.Errorf("the gradient of %s is off by %.2g", spec.Name, e)
					}
				}
				z := optimiser.New(r.model, optimiser.Options{Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, ClipNorm: 1, Schedule: optimiser.Schedule{Form: optimiser.Const}, Rate: optimiser.Rate{LearningRate: 1e-3}})
				if _, err := z.GradientNorm(); err != nil {
					t.Fatal(err)
				}
				if z.Step(); d.Err() != nil {
					t.Fatal(d.Err())
				}
			})
		}
	}
}

// Steps that are recorded and replayed have the bits of steps that are not, and what
// texts are padded with is in no sum. fscclip reads the features of patches and tokens
// too.
func TestRecordedStepsOnACardAreTheSame(t *testing.T) {
	g := readGolden(t)
	for _, objective := range []string{"clip", "fscclip"} {
		c := g.Cases[slices.IndexFunc(g.Cases, func(c golden.Case) bool { return c.Objective == objective })]
		for name, batch := range map[string]Batch{"at once": {}, "in chunks": {ChunkTokens: 40}, "made again": {Recompute: RecomputeBlocks}} {
			t.Run(objective+" "+name, func(t *testing.T) {
				s, d := newStubCard(t, cuda.BFloat16)
				plain := newGoldenRun(t, d, g, c, batch)
				batch.Buckets = 4
				kept := newGoldenRun(t, d, g, c, batch)
				gradients := func(r *goldenRun) (all []float64) {
					d.Zero(r.model.Gradients())
					loss, err := r.computeGradients(r.samples)
					if err != nil {
						t.Fatal(err)
					}
					x := make([]float64, r.model.Gradients().Len())
					d.Read(x, r.model.Gradients())
					return append(x, loss)
				}
				want := gradients(plain)
				for round := range 3 {
					s.ForgetCalls()
					got := gradients(kept)
					for i := range want {
						if got[i] != want[i] {
							t.Fatalf("round %d: gradient %d is %v, not %v", round, i, got[i], want[i])
						}
					}
					launches, runs := strings.Count(s.Log(), "cuLaunchKernel"), strings.Count(s.Log(), "cuGraphLaunch")
					t.Logf("round %d: %d launches, %d graphs", round, launches, runs)
					if round == 2 && (runs < 4 || launches > 60) {
						t.Errorf("the last round has %d launches and %d graphs", launches, runs)
					}
				}
			})
		}
	}
}
