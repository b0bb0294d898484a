package objective

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/train/loader"
)

// TestSuperCLIPIsPyTorchs compares losses and gradients of batches that follow each other with PyTorch's.
func TestSuperCLIPIsPyTorchs(t *testing.T) {
	var want struct {
		Head  [][]float64
		Steps []struct {
			Parts    [][]int32
			Features [][]float64
			Loss     float64
			DFeature [][]float64 `json:"d_features"`
			DHead    [][]float64 `json:"d_head"`
		}
	}
	data, err := os.ReadFile("testdata/superclip.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	d := kernels.NewReference()
	o := NewSuperCLIP(len(want.Head))
	for k, s := range want.Steps {
		if k == 1 { // as after a checkpoint
			state := o.State()
			o = NewSuperCLIP(len(want.Head))
			if err := o.Restore(state); err != nil {
				t.Fatal(err)
			}
		}
		var samples []*loader.Sample
		for _, p := range s.Parts {
			samples = append(samples, &loader.Sample{KnownParts: p})
		}
		var b Batch
		b.Begin(samples, false)
		o.Prepare(&b)
		if len(b.Texts) > 0 {
			t.Errorf("step %d encodes %q", k, b.Texts)
		}
		tape := kernels.NewTape(d, kernels.NewArena(d, 0))
		input := func(rows [][]float64) *kernels.Var {
			x := tape.Arena.Tensor(len(rows), len(rows[0]))
			d.Write(x, slices.Concat(rows...))
			v := tape.Input(x)
			v.Grad = tape.Arena.Tensor(len(rows), len(rows[0]))
			d.Zero(v.Grad)
			return v
		}
		e := Features{Image: input(s.Features), PartHead: input(want.Head)}
		loss := o.Loss(tape, e)
		tape.Seed(loss, kernels.Tensor{})
		tape.Backward()
		compare := func(what string, got, want []float64) {
			t.Helper()
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-12 {
					t.Errorf("step %d: %s[%d] is %v, want %v", k, what, i, got[i], want[i])
					return
				}
			}
		}
		compare("the loss", loss.Value.F64, []float64{s.Loss})
		compare("the gradient of features", e.Image.Grad.F64, slices.Concat(s.DFeature...))
		compare("the gradient of the head", e.PartHead.Grad.F64, slices.Concat(s.DHead...))
	}
	if err := o.Restore(State{Counts: make([]int64, 3)}); err == nil {
		t.Error("counts of other classes are taken")
	}
}
