package selfcheck

import (
	"fmt"

	"capgraph/kernels"
)

// The operations of the towers.

func linearCases() []Case {
	var cases []Case
	for _, s := range []struct {
		n, in, out int
		large      bool
	}{
		{1, 1, 1, false}, {0, 3, 2, false}, {7, 5, 3, false}, {2, 13, 17, false}, {1, 33, 2, false},
		{67, 64, 131, true}, {259, 31, 97, true}, {1, 128, 192, true}, {45, 64, 72, true},
	} {
		for _, act := range []kernels.Activation{kernels.NoActivation, kernels.GELU, kernels.QuickGELU} {
			for _, also := range []string{"", " with bias", " with bias and residual"} {
				inputs := []Input{{Rows: s.n, Cols: s.in, Spread: 2}, matrixInput(s.out, s.in)}
				if also != "" {
					inputs = append(inputs, matrixInput(1, s.out))
				}
				if also == " with bias and residual" {
					inputs = append(inputs, matrixInput(s.n, s.out))
				}
				cases = append(cases, Case{
					Name:   fmt.Sprintf("linear %d × %d → %d, activation %d%s", s.n, s.in, s.out, act, also),
					Inputs: inputs, Large: s.large,
					Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
						in = append(in[:len(in):len(in)], nil, nil)
						return single(t.Linear(in[0], in[1], in[2], in[3], act))
					},
				})
			}
		}
	}
	for _, s := range [][3]int{{2, 8, 16}, {5, 16, 24}, {3, 8, 5}, {0, 8, 8}, {131, 40, 48}} {
		n, w, hidden := s[0], s[1], s[2]
		cases = append(cases, Case{
			Name:  fmt.Sprintf("linear of what linear layers alone read, %d × %d → %d", n, w, hidden),
			Large: n > 20,
			Inputs: []Input{
				{Rows: n, Cols: w, Spread: 2}, {Rows: 1, Cols: w, Centre: 1}, matrixInput(1, w), matrixInput(hidden, w), matrixInput(1, hidden), matrixInput(w, hidden), matrixInput(2, w),
			},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				norm := t.HalfLayerNorm(in[0], in[1], in[2], 1e-5)
				x := t.Linear(t.HiddenLinear(norm, in[3], in[4], kernels.GELU), in[5], nil, in[0], kernels.NoActivation)
				return []*kernels.Var{x, t.Linear(norm, in[6], nil, nil, kernels.NoActivation)}
			},
		})
	}
	return append(cases, Case{
		Name: "linear whose residual is its input", Inputs: []Input{matrixInput(5, 3), matrixInput(3, 3), matrixInput(1, 3)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			x := t.Linear(in[0], in[1], in[2], in[0], kernels.GELU)
			return single(t.Linear(x, in[1], nil, x, kernels.NoActivation))
		},
	})
}

func layerNormCases() []Case {
	var cases []Case
	for _, s := range [][2]int{{1, 1}, {0, 4}, {3, 7}, {5, 64}, {300, 37}} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("layer norm %d × %d", s[0], s[1]),
			Inputs: []Input{{Rows: s[0], Cols: s[1], Centre: 3, Spread: 2}, {Rows: 1, Cols: s[1], Centre: 1}, matrixInput(1, s[1])},
			Large:  s[0] > 100,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.LayerNorm(in[0], in[1], in[2], 1e-5))
			},
		})
	}
	return cases
}

func attentionCases() []Case {
	var cases []Case
	for _, s := range []struct {
		heads, width int
		lengths      []int32
	}{
		{1, 1, []int32{1}}, {1, 3, []int32{5}}, {2, 7, []int32{3, 0, 1, 6, 0}}, {3, 2, []int32{0, 17}}, {2, 8, []int32{}}, {1, 4, []int32{0}},
		{8, 8, []int32{5, 77, 1, 8, 0, 33, 6, 6, 6, 19}}, {2, 64, []int32{50, 50, 50}}, {1, 40, []int32{257}},
	} {
		starts := startsOf(s.lengths...)
		n := int(starts[len(starts)-1])
		for _, causal := range []bool{false, true} {
			cases = append(cases, Case{
				Name:   fmt.Sprintf("attention of %v, %d heads of %d, causal %v", s.lengths, s.heads, s.width, causal),
				Inputs: []Input{{Rows: n, Cols: 3 * s.heads * s.width, Spread: 2}},
				Large:  n > 20,
				Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
					return single(t.Attention(in[0], t.Device.Ints(starts), s.heads, causal))
				},
			})
		}
	}
	return cases
}

func gatherCases() []Case {
	var cases []Case
	for _, s := range []struct {
		n, w int
		rows []int32
	}{
		{1, 1, []int32{0}}, {4, 3, []int32{2, 2, 0, 2}}, {3, 5, []int32{}}, {7, 2, []int32{6, 5, 4, 3, 2, 1, 0}},
		{50, 65, drawIndices(211, 50, 1)},
	} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("gather %d of %d × %d", len(s.rows), s.n, s.w),
			Inputs: []Input{matrixInput(s.n, s.w)}, Large: s.n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Gather(in[0], t.Device.Ints(s.rows), groupIndices(t, s.rows, s.n)))
			},
		})
	}
	return cases
}

func tokensCases() []Case {
	var cases []Case
	for _, s := range []struct {
		vocabulary, context, w int
		ids                    []int32
		lengths                []int32
	}{
		{1, 1, 1, []int32{0}, []int32{1}},
		{5, 4, 3, []int32{4, 4, 1, 0, 4, 0}, []int32{2, 0, 4}},
		{9, 7, 2, []int32{}, []int32{}},
		{97, 77, 67, drawIndices(118, 97, 2), []int32{77, 3, 0, 8, 1, 29}},
	} {
		starts := startsOf(s.lengths...)
		cases = append(cases, Case{
			Name:   fmt.Sprintf("tokens %v of %d × %d", s.lengths, s.vocabulary, s.w),
			Inputs: []Input{matrixInput(s.vocabulary, s.w), matrixInput(s.context, s.w)}, Large: s.vocabulary > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Tokens(in[0], in[1], t.Device.Ints(s.ids), t.Device.Ints(starts), groupIndices(t, s.ids, s.vocabulary)))
			},
		})
	}
	return cases
}

func visionCases() []Case {
	var cases []Case
	for _, s := range []struct{ n, patches, w int }{{1, 1, 1}, {0, 4, 3}, {3, 4, 5}, {9, 49, 67}} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("vision %d × %d × %d", s.n, s.patches, s.w),
			Inputs: []Input{matrixInput(s.n*s.patches, s.w), matrixInput(1, s.w), matrixInput(1+s.patches, s.w)}, Large: s.w > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Vision(in[0], in[1], in[2]))
			},
		})
	}
	for _, s := range []struct{ n, side, patch int }{{0, 2, 1}, {1, 1, 1}, {2, 6, 3}, {3, 32, 8}} {
		pixels := make([]byte, s.n*s.side*s.side*3)
		for i, v := range drawIndices(len(pixels), 256, 3) {
			pixels[i] = byte(v)
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("patchify %d × %d by %d", s.n, s.side, s.patch), NoGradient: true,
			Apply: func(t *kernels.Tape, _ []*kernels.Var) []*kernels.Var {
				return single(t.Patchify(t.Device.Bytes(pixels), s.side, s.patch, [3]float64{0.48, 0.46, 0.41}, [3]float64{0.27, 0.26, 0.28}))
			},
		})
	}
	return cases
}
