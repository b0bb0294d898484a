package golden_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"capgraph/testing/golden"
	"capgraph/train/model"
)

func TestGolden(t *testing.T) {
	g, err := golden.Read()
	if err != nil {
		t.Fatal(err)
	}
	specs := model.Parameters(g.Model)
	for _, s := range specs {
		x, _ := g.Weights[s.Name].Floats()
		got, err := golden.SketchOf(s, x)
		if err != nil {
			t.Fatal(err)
		}
		if e := got.Distance(g.Sketches[s.Name], 0); e > 1e-12 {
			t.Errorf("%s: Go's sketch is %v, Python's %v", s.Name, got, g.Sketches[s.Name])
		}
		if len(x) > 8 { // a small error anywhere must show
			x[len(x)/2] += 1e-3 * got[0]
			if off, _ := golden.SketchOf(s, x); off.Distance(g.Sketches[s.Name], 0) < 5e-4 {
				t.Errorf("%s: a sketch hides an error", s.Name)
			}
		}
	}
	if len(g.Cases) < 30 || len(g.Training) < 5 || len(g.Features) != 4 {
		t.Errorf("%d cases, %d trainings, %d features", len(g.Cases), len(g.Training), len(g.Features))
	}
	for _, c := range g.Cases {
		b, ok := g.Batches[c.Batch]
		parameters := len(specs)
		if c.HasBias() {
			parameters++
		}
		if !ok || len(c.Gradients) != parameters {
			t.Errorf("%s on %s has %d gradients", c.Objective, c.Batch, len(c.Gradients))
		}
		texts := len(b.Lengths)
		if len(b.Images) != b.N*32*32*3 || len(b.True) != b.N*texts || texts != b.M+len(b.Of) || len(b.Of) != len(b.Kind) {
			t.Errorf("batch %s does not fit itself", c.Batch)
		}
	}
	if g.Config(true).QuickGELU == g.Config(false).QuickGELU {
		t.Error("both activations are the same")
	}
}

func TestCurve(t *testing.T) {
	losses, err := golden.Curve()
	if err != nil || len(losses) != 1000 {
		t.Fatal(len(losses), err)
	}
	if first, last := losses[0], losses[999]; first < 2 || last > 1 {
		t.Errorf("from %v to %v nothing was learned", first, last)
	}
}

// The digests are those of curve.py's batches: images, then tokens as bytes.
func TestCurveBatches(t *testing.T) {
	for step, want := range map[int]string{0: "2aaad4b80bbc1711", 999: "aab6ea2173ec9c85"} {
		b := golden.CurveBatch(step)
		bytes := b.Images
		for _, id := range b.Tokens {
			bytes = append(bytes, byte(id))
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(bytes)); got[:16] != want {
			t.Errorf("the batch of step %d hashes to %s, not %s…", step, got, want)
		}
	}
}
