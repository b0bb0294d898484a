package selfcheck

import (
	"fmt"

	"capgraph/kernels"
)

func batchNormCases() []Case {
	var cases []Case
	for _, s := range [][2]int{{1, 1}, {0, 4}, {3, 3}, {6, 7}, {130, 5}, {300, 37}, {1100, 16}} {
		n, w := s[0], s[1]
		for _, rectified := range []bool{false, true} {
			for _, also := range []string{"", " with residual"} {
				inputs := []Input{{Rows: n, Cols: w, Centre: 3, Spread: 2}, {Rows: 1, Cols: w, Centre: 1}, matrixInput(1, w)}
				if also != "" {
					inputs = append(inputs, matrixInput(n, w))
				}
				cases = append(cases, Case{
					Name:   fmt.Sprintf("batch norm %d × %d, rectified %v%s", n, w, rectified, also),
					Inputs: inputs, Large: rectified || n > 100,
					Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
						in = append(in[:len(in):len(in)], nil)
						z, moved := normalisation(t, w, rectified)
						return append([]*kernels.Var{t.BatchNorm(in[0], in[1], in[2], in[3], z)}, moved...)
					},
				})
			}
			cases = append(cases, Case{
				Name:   fmt.Sprintf("norm by running averages %d × %d, rectified %v", n, w, rectified),
				Inputs: []Input{{Rows: n, Cols: w, Spread: 2, Fixed: true}, {Rows: 1, Cols: w, Centre: 1, Fixed: true}, {Rows: 1, Cols: w, Fixed: true}, {Rows: n, Cols: w, Fixed: true}},
				Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
					z, _ := normalisation(t, w, rectified)
					return []*kernels.Var{t.InferenceBatchNorm(in[0], in[1], in[2], in[3], z), t.InferenceBatchNorm(in[0], in[1], in[2], nil, z)}
				},
			})
		}
	}
	return append(cases, Case{
		Name: "batch norm whose residual is its input", Inputs: []Input{matrixInput(5, 3), {Rows: 1, Cols: 3, Centre: 1}, matrixInput(1, 3)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			z, _ := normalisation(t, 3, false)
			x := t.BatchNorm(in[0], in[1], in[2], in[0], z)
			return single(t.BatchNorm(x, in[1], in[2], x, z))
		},
	}, Case{
		Name: "batch norm again, whose averages stay", Inputs: []Input{matrixInput(5, 3), {Rows: 1, Cols: 3, Centre: 1}, matrixInput(1, 3)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			t.Recompute = true
			z, moved := normalisation(t, 3, true)
			return append([]*kernels.Var{t.BatchNorm(in[0], in[1], in[2], nil, z)}, moved...)
		}, Large: true,
	})
}

// normalisation returns settings with running averages of w columns, and the averages as constants.
func normalisation(t *kernels.Tape, w int, rectified bool) (kernels.Normalisation, []*kernels.Var) {
	mean, variance := t.Arena.Tensor(1, w), t.Arena.Tensor(1, w)
	writeTensor(t.Device, mean, matrixInput(1, w).randomNumbers(11))
	writeTensor(t.Device, variance, Input{Rows: 1, Cols: w, Centre: 2}.randomNumbers(12))
	z := kernels.Normalisation{Mean: mean, Variance: variance, Momentum: 0.1, Eps: 1e-5, Rectified: rectified}
	return z, []*kernels.Var{t.Constant(mean), t.Constant(variance)}
}
