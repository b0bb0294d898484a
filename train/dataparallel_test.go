package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"capgraph/kernels"
	"capgraph/testing/freeport"
	"capgraph/train/group"
	"capgraph/train/optimiser"
)

// outcome is what some steps came to.
type outcome struct {
	losses         []float64
	gradients      []float64 // of the first step
	weights        []float64
	temperature    float64 // the gradient of log τ in the first step
	images, tokens int     // that this process encoded in the last step
}

// limitToRank makes a golden run that of one of several processes, which have their
// share of the pixels. Where partners is set, the second half of the samples are
// the partners of the first.
func limitToRank(r *goldenRun, rank, world int, partners bool) {
	if partners {
		half := len(r.samples) / 2
		for i, s := range r.samples[:half] {
			s.Partner = r.samples[half+i]
		}
		r.usePartners, r.samples = true, r.samples[:half]
	}
	n := len(r.samples)
	for i, s := range r.samples {
		if i < rank*n/world || i >= (rank+1)*n/world {
			s.Pixels = nil
			if s.Partner != nil {
				s.Partner.Pixels = nil
			}
		}
	}
}

// runSteps makes steps with everything that a training does in one.
func runSteps(r *goldenRun, n int) (outcome, error) {
	var o outcome
	m := r.model
	z := optimiser.New(m, optimiser.Options{
		Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, ClipNorm: 1, Schedule: optimiser.Schedule{Form: optimiser.Const},
		Rate: optimiser.Rate{LearningRate: 1e-3, WeightDecay: 0.1},
	})
	defer z.Free()
	for step := range n {
		loss, err := r.computeGradients(r.samples)
		if err != nil {
			return o, err
		}
		o.losses = append(o.losses, loss)
		if step == 0 {
			o.gradients = readAll(m.Device, m.Gradients())
			o.temperature = readScalar(m.Device, m.LogScale().Grad)
		}
		if _, err := z.GradientNorm(); err != nil {
			return o, err
		}
		z.Step()
	}
	for _, v := range m.Vars {
		o.weights = append(o.weights, readAll(m.Device, v.Value)...)
	}
	o.images = r.image.ownCount()
	for _, n := range r.lengths[r.text.ownRows[0].first:r.text.ownRows[0].last] {
		o.tokens += int(n)
	}
	return o, nil
}

func readAll(d kernels.Device, t kernels.Tensor) []float64 {
	x := make([]float64, t.Len())
	d.Read(x, t)
	return x
}

// runGroup runs steps in as many processes as there are runs, all in this one.
func runGroup(t *testing.T, runs []*goldenRun, n int) ([]outcome, error) {
	t.Helper()
	outcomes := make([]outcome, len(runs))
	err := runRanks(t, len(runs), func(g *group.Group) (err error) {
		runs[g.Rank].parallel.group = g
		outcomes[g.Rank], err = runSteps(runs[g.Rank], n)
		return err
	})
	return outcomes, err
}

// runRanks lets the ranks of a group work, all in this process.
func runRanks(t *testing.T, world int, work func(*group.Group) error) error {
	t.Helper()
	master := fmt.Sprint("127.0.0.1:", freeport.Find(t))
	errs := make(chan error)
	for rank := range world {
		go func() {
			g, err := group.Join(context.Background(), group.Place{
				Rank: rank, World: world, LocalRank: rank, LocalWorld: world, Master: master,
			}, group.Options{Timeout: time.Minute})
			if err == nil {
				if err = work(g); err != nil {
					g.Fail(err)
				}
				g.Close()
			}
			errs <- err
		}()
	}
	var err error
	for range world {
		err = errors.Join(err, <-errs)
	}
	return err
}

// relativeError is how far a is from b, relative to the length of b.
func relativeError(a, b []float64) float64 {
	var d, n float64
	for i := range b {
		d += (a[i] - b[i]) * (a[i] - b[i])
		n += b[i] * b[i]
	}
	return math.Sqrt(d / n)
}

func TestSeveralProcessesAreOne(t *testing.T) {
	g := readGolden(t)
	type form struct {
		world, chunk int
		partners     bool
	}
	for _, dev := range devices {
		near := map[string]float64{"float64": 1e-12, "float32": 1e-5}[dev.name]
		for i, c := range g.Cases {
			forms := []form{{2, 0, false}, {4, 20, false}}
			if i == 0 {
				forms = append(forms, form{3, 0, false}, form{8, 0, false}) // more than there are images
			}
			if slices.Contains([]string{"negclip", "c2lip"}, c.Objective) && g.Batches[c.Batch].N > 1 {
				forms = append(forms, form{2, 0, true}, form{4, 20, true})
			}
			for _, f := range forms {
				t.Run(fmt.Sprintf("%s/%s/%s/%v/%s/%+v", dev.name, c.Objective, c.Batch, c.QuickGELU, c.IMC, f), func(t *testing.T) {
					run := func(rank, world int) *goldenRun {
						d := dev.make()
						t.Cleanup(func() { d.Close() })
						r := newGoldenRun(t, d, g, c, Batch{ChunkTokens: f.chunk})
						limitToRank(r, rank, world, f.partners)
						return r
					}
					want, err := runSteps(run(0, 1), 2)
					if err != nil {
						t.Fatal(err)
					}
					var runs []*goldenRun
					for rank := range f.world {
						runs = append(runs, run(rank, f.world))
					}
					all, err := runGroup(t, runs, 2)
					if err != nil {
						t.Fatal(err)
					}
					images, tokens := 0, 0
					for rank, got := range all {
						if !slices.Equal(got.losses, all[0].losses) || !slices.Equal(got.gradients, all[0].gradients) || !slices.Equal(got.weights, all[0].weights) {
							t.Errorf("rank %d has other bits than rank 0", rank)
						}
						images, tokens = images+got.images, tokens+got.tokens
					}
					if images != want.images || tokens != want.tokens {
						t.Errorf("%d images and %d tokens were encoded, of %d and %d", images, tokens, want.images, want.tokens)
					}
					got := all[0]
					for step, loss := range want.losses {
						if d := math.Abs(got.losses[step]/loss - 1); d > near {
							t.Errorf("step %d: loss %v, not %v: off by %.2g", step, got.losses[step], loss, d)
						}
					}
					if d := relativeError(got.gradients, want.gradients); d > near {
						t.Errorf("gradients are off by %.2g", d)
					}
					if d := math.Abs(got.temperature/want.temperature - 1); d > 100*near {
						t.Errorf("the gradient of log τ is %v, not %v", got.temperature, want.temperature)
					}
					if d := relativeError(got.weights, want.weights); d > near {
						t.Errorf("weights are off by %.2g", d)
					}
				})
			}
		}
	}
}

func TestProcessesOfDifferentBatchesFail(t *testing.T) {
	g := readGolden(t)
	var runs []*goldenRun
	for rank := range 2 {
		d := kernels.NewReference()
		t.Cleanup(func() { d.Close() })
		r := newGoldenRun(t, d, g, g.Cases[0], Batch{})
		limitToRank(r, rank, 2, false)
		r.samples = r.samples[:len(r.samples)-rank]
		runs = append(runs, r)
	}
	if _, err := runGroup(t, runs, 1); !errors.Is(err, errBatchesDiffer) {
		t.Errorf("error %v", err)
	}
}
