package devicetest

import (
	"fmt"

	"capgraph/kernels"
)

// The operations on parameters and on plain memory.

func optimiserCases() []Case {
	var cases []Case
	for _, n := range []int{1, 31, 70_001} {
		vector := Input{Rows: 1, Cols: n}
		cases = append(cases, Case{
			Name: fmt.Sprintf("AdamW of %d, three steps", n), Plain: true,
			Inputs: []Input{vector, vector, {Rows: 1, Cols: 1, Centre: 0.5, Spread: 0.25}, {Rows: 1, Cols: n, Spread: 1e-9}, {Rows: 1, Cols: n, Centre: 2}},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				for step := 1; step <= 3; step++ {
					t.Device.AdamW(in[0].Value, in[1].Value, in[3].Value, in[4].Value, in[2].Value, kernels.AdamW{
						LearningRate: 0.01, Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, WeightDecay: 0.2, Step: step,
					})
				}
				return []*kernels.Var{in[0], in[3], in[4]}
			},
		}, Case{
			Name: fmt.Sprintf("norm of %d and %d", n, n), Plain: true, Inputs: []Input{vector, vector},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				squares := t.Arena.Tensor(1, 1)
				t.Device.SquareSum(squares, in[0].Value, false)
				t.Device.SquareSum(squares, in[1].Value, true)
				out := []*kernels.Var{t.Constant(squares)}
				for _, most := range []float64{0, 0.25, 1e9} {
					factor := t.Arena.Tensor(1, 1)
					t.Device.ClipFactor(factor, squares, most)
					out = append(out, t.Constant(factor))
				}
				return out
			},
		}, Case{
			Name: fmt.Sprintf("clamp, fill, copy, add and zero of %d", n), Plain: true, Inputs: []Input{vector, vector},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				a, b, c := t.Arena.Tensor(1, n), t.Arena.Tensor(1, n), t.Arena.Tensor(1, n)
				t.Device.Clamp(in[0].Value, -0.5, 0.75)
				t.Device.Fill(a, 0.3)
				t.Device.Copy(b, in[0].Value)
				t.Device.AddScaled(b, in[1].Value, -1.7)
				t.Device.Zero(c)
				return []*kernels.Var{in[0], t.Constant(a), t.Constant(b), t.Constant(c)}
			},
		})
	}
	return cases
}
