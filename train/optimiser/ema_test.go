package optimiser

import (
	"math"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/testing/golden"
	"capgraph/train/model"
)

// Three steps of the average are the formula's, in float64, and parameters that are frozen have none.
func TestEMA(t *testing.T) {
	g, err := golden.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		device kernels.Device
		decay  float64
		most   float64
	}{{kernels.NewReference(), 0.9998, 1e-15}, {kernels.NewReference(), 0.15, 1e-15}, {cpu.New(), 0.9998, 1e-6}} {
		d := c.device
		defer d.Close()
		m, err := model.New(d, g.Config(false), model.ImageTower)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Free()
		m.Initialise(1)
		e := NewEMA(m, c.decay)
		defer e.Free()
		e.Start()
		for i, s := range m.Specs {
			if e.Average(i).IsNone() != (s.Tower == model.ImageTower) {
				t.Errorf("%s: an average is there: %v", s.Name, !e.Average(i).IsNone())
			}
		}
		at := len(m.Specs) - 1
		value := func(x kernels.Tensor) float64 {
			var v [1]float64
			d.Read(v[:], x)
			return v[0]
		}
		want := value(m.Vars[at].Value)
		for step, next := range []float64{1, -3, 0.5} {
			d.Fill(m.Vars[at].Value, next)
			e.Update(step)
			decay := min(c.decay, []float64{1. / 10, 2. / 11, 3. / 12}[step])
			want = decay*want + (1-decay)*next
			if got := value(e.Average(at)); math.Abs(got-want) > c.most {
				t.Errorf("decay %v: %v after step %d, not %v", c.decay, got, step, want)
			}
		}
	}
}
