package selfcheck

import (
	"fmt"

	"capgraph/kernels"
)

func convolutionCases() []Case {
	var cases []Case
	for _, s := range []struct {
		n, in, out int
		kernels.Window
		large bool
	}{
		{1, 1, 1, kernels.Window{Side: 1, Kernel: 1, Stride: 1}, false},
		{0, 3, 2, kernels.Window{Side: 4, Kernel: 3, Stride: 1, Padding: 1}, false},
		{2, 3, 2, kernels.Window{Side: 4, Kernel: 3, Stride: 1, Padding: 1}, false},
		{1, 2, 3, kernels.Window{Side: 5, Kernel: 3, Stride: 2, Padding: 1}, false},
		{2, 1, 2, kernels.Window{Side: 6, Kernel: 3, Stride: 2, Padding: 1}, false},
		{1, 2, 2, kernels.Window{Side: 5, Kernel: 2, Stride: 3}, false},
		{1, 1, 2, kernels.Window{Side: 1, Kernel: 3, Stride: 1, Padding: 1}, false},
		{3, 8, 16, kernels.Window{Side: 7, Kernel: 3, Stride: 1, Padding: 1}, true},
		{5, 16, 24, kernels.Window{Side: 14, Kernel: 3, Stride: 2, Padding: 1}, true},
	} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("convolution %d × %d → %d, %+v", s.n, s.in, s.out, s.Window),
			Inputs: []Input{matrixInput(s.n*s.Side*s.Side, s.in), matrixInput(s.out, s.Kernel*s.Kernel*s.in)}, Large: s.large,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Convolution(in[0], in[1], s.Window))
			},
		})
	}
	return cases
}

func unfoldCases() []Case {
	var cases []Case
	for _, s := range []struct {
		n, w int
		kernels.Window
	}{{1, 1, kernels.Window{Side: 1, Kernel: 1, Stride: 1}}, {0, 3, kernels.Window{Side: 2, Kernel: 2, Stride: 2}}, {2, 3, kernels.Window{Side: 4, Kernel: 2, Stride: 2}}, {1, 2, kernels.Window{Side: 3, Kernel: 3, Stride: 2, Padding: 1}}} {
		cases = append(cases, Case{
			Name: fmt.Sprintf("unfold %d × %d, %+v", s.n, s.w, s.Window), Inputs: []Input{matrixInput(s.n*s.Side*s.Side, s.w)},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var { return single(t.Unfold(in[0], s.Window)) },
		})
	}
	return cases
}

func averagePoolCases() []Case {
	var cases []Case
	for _, s := range []struct{ n, side, by, w int }{{1, 1, 1, 1}, {0, 2, 2, 3}, {2, 4, 2, 3}, {2, 5, 2, 2}, {3, 7, 7, 5}, {9, 14, 2, 40}} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("average pool %d × %d² by %d × %d", s.n, s.side, s.by, s.w),
			Inputs: []Input{matrixInput(s.n*s.side*s.side, s.w)}, Large: s.w > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.AveragePool(in[0], s.side, s.by))
			},
		})
	}
	return cases
}
