package selfcheck

import (
	"fmt"
	"math"

	"capgraph/kernels"
)

// The operations on parameters and on plain memory.

func optimiserCases() []Case {
	var cases []Case
	numbers := func(step int) kernels.AdamW {
		return kernels.AdamW{LearningRate: 0.01, Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, WeightDecay: 0.2, Step: step}
	}
	for _, n := range []int{1, 31, 70_001} {
		vector := Input{Rows: 1, Cols: n}
		cases = append(cases, Case{
			Name: fmt.Sprintf("AdamW of %d, three steps", n), NoGradient: true,
			Inputs: []Input{vector, vector, {Rows: 1, Cols: 1, Centre: 0.5, Spread: 0.25}, {Rows: 1, Cols: n, Spread: 1e-9}, {Rows: 1, Cols: n, Centre: 2}},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				move := kernels.AdamWUpdate{P: in[0].Value, G: in[1].Value, M: in[3].Value, V: in[4].Value}
				for step := 1; step <= 3; step++ {
					move.AdamW = numbers(step)
					t.Device.AdamW([]kernels.AdamWUpdate{move}, in[2].Value)
				}
				return []*kernels.Var{in[0], in[3], in[4]}
			},
		}, Case{
			Name: fmt.Sprintf("norm of %d and %d", n, n), NoGradient: true, Inputs: []Input{vector, vector},
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
			Name: fmt.Sprintf("clamp, fill, copy, add and zero of %d", n), NoGradient: true, Inputs: []Input{vector, vector},
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
	return append(cases, Case{
		Name: "AdamW of 5 and 4097, at two rates; then of a factor that is not finite", NoGradient: true,
		Inputs: []Input{matrixInput(1, 5), matrixInput(1, 4097), {Rows: 1, Cols: 1, Centre: 0.5, Spread: 0.25}},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			d := t.Device
			var moves []kernels.AdamWUpdate
			var out []*kernels.Var
			for i, v := range in[:2] {
				m := kernels.AdamWUpdate{P: v.Value, G: t.Arena.Tensor(1, v.Value.Len()), M: t.Arena.Tensor(1, v.Value.Len()), V: t.Arena.Tensor(1, v.Value.Len()), AdamW: numbers(7)}
				m.LearningRate *= float64(1 + i)
				d.Copy(m.G, m.P)
				d.Fill(m.M, 0.25)
				d.Fill(m.V, 1)
				moves = append(moves, m)
				out = append(out, v, t.Constant(m.M), t.Constant(m.V))
			}
			d.AdamW(moves, in[2].Value)
			for _, squares := range []float64{math.NaN(), math.Inf(1)} {
				square, factor := t.Arena.Tensor(1, 1), t.Arena.Tensor(1, 1)
				d.Fill(square, squares)
				d.ClipFactor(factor, square, 1)
				d.AdamW(moves, factor)
				d.ClipFactor(factor, square, 0)
				d.AdamW(moves, factor)
			}
			return out
		},
	})
}
