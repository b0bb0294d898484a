package selfcheck

import (
	"fmt"

	"capgraph/kernels"
)

func windowAttentionCases() []Case {
	var cases []Case
	for _, s := range []struct {
		n, heads, width int
		kernels.Windows
		large bool
		fixed int // 1: the first input has no gradient; 2: the table has none
	}{
		{1, 1, 1, kernels.Windows{Side: 1, Size: 1}, false, 0},
		{0, 2, 3, kernels.Windows{Side: 2, Size: 1}, false, 0},
		{2, 2, 3, kernels.Windows{Side: 2, Size: 2}, false, 0},
		{1, 1, 2, kernels.Windows{Side: 4, Size: 2, Shift: 1}, false, 0},
		{2, 2, 1, kernels.Windows{Side: 3, Size: 3, Shift: 2}, false, 0},
		{3, 2, 8, kernels.Windows{Side: 6, Size: 3, Shift: 1}, true, 0},
		{2, 3, 32, kernels.Windows{Side: 14, Size: 7, Shift: 3}, true, 0},
		{1, 2, 3, kernels.Windows{Side: 4, Size: 2, Shift: 1}, false, 1},
		{1, 2, 3, kernels.Windows{Side: 4, Size: 2, Shift: 1}, false, 2},
		{1, 1, 40, kernels.Windows{Side: 21, Size: 7}, true, 0},
	} {
		cells := (2*s.Size - 1) * (2*s.Size - 1)
		inputs := []Input{{Rows: s.n * s.Side * s.Side, Cols: 3 * s.heads * s.width, Spread: 2}, matrixInput(cells, s.heads)}
		if s.fixed > 0 {
			inputs[s.fixed-1].Fixed = true
		}
		cases = append(cases, Case{
			Name:   fmt.Sprintf("attention of %d images, %d heads of %d, %+v, input %d fixed", s.n, s.heads, s.width, s.Windows, s.fixed),
			Inputs: inputs, Large: s.large,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.WindowAttention(in[0], in[1], s.Windows))
			},
		})
	}
	return cases
}
