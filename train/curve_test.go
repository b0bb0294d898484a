package train

import (
	"fmt"
	"math"
	"testing"

	"capgraph/kernels"
	"capgraph/testing/golden"
	"capgraph/train/loader"
	"capgraph/train/optimiser"
)

// curve trains with clip on the batches of golden's curve, and returns how far a
// loss was from PyTorch's at most, relative to it.
func curve(t testing.TB, d kernels.Device, steps int) float64 {
	t.Helper()
	g, err := golden.Read()
	if err != nil {
		t.Fatal(err)
	}
	want, err := golden.Curve()
	if err != nil {
		t.Fatal(err)
	}
	g.Batches["curve"] = golden.CurveBatch(0)
	r := newGoldenRun(t, d, g, golden.Case{Batch: "curve", Objective: "clip", QuickGELU: true}, Batch{})
	z := optimiser.New(r.model, goldenOptions(golden.CurveSteps, golden.CurveWarmup, golden.CurveRate))
	worst := 0.0
	for step, loss := range want[:steps] {
		r.take(golden.CurveBatch(step))
		got, _ := prepareStep(t, r, z)
		worst = max(worst, math.Abs(got/loss-1))
		z.Step()
	}
	return worst
}

// prepareStep computes the loss of a step and the norm of its gradient, and makes ready for the update.
func prepareStep(t testing.TB, r *goldenRun, z *optimiser.Optimiser) (loss, norm float64) {
	t.Helper()
	loss, err := r.computeGradients(r.samples)
	if err == nil {
		norm, err = z.GradientNorm()
	}
	if err != nil {
		t.Fatal(err)
	}
	return loss, norm
}

// take makes images with a caption each the samples of the run.
func (r *goldenRun) take(b golden.Batch) {
	tokens := map[string][]int32{}
	r.tokenize = func(dst []int32, text string) []int32 { return append(dst, tokens[text]...) }
	texts := cut(b.Tokens, b.Lengths, func(ids []int32) string {
		text := fmt.Sprint(ids)
		tokens[text] = ids
		return text
	})
	size := len(b.Images) / b.N
	r.samples = r.samples[:0]
	for i := range b.N {
		r.samples = append(r.samples, &loader.Sample{Pixels: b.Images[i*size : (i+1)*size], Caption: texts[i]})
	}
}

func TestCurveIsPyTorchs(t *testing.T) {
	for i, most := range []float64{1e-12, 1e-3} { // float64 and float32
		d := devices[i].make()
		if worst := curve(t, d, 100); worst > most {
			t.Errorf("%s: a loss of 100 steps is off by %.2g of itself", devices[i].name, worst)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkCurve is all 1,000 steps in float64; ppb is how far a loss was off at
// most, in billionths of itself.
func BenchmarkCurve(b *testing.B) {
	for b.Loop() {
		d := kernels.NewReference()
		worst := curve(b, d, golden.CurveSteps)
		if worst > 1e-3 {
			b.Errorf("a loss is off by %.2g of itself", worst)
		}
		b.ReportMetric(worst*1e9, "ppb")
		if err := d.Close(); err != nil {
			b.Error(err)
		}
	}
}
