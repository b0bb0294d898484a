package selfcheck

import (
	"fmt"

	"capgraph/kernels"
)

func layerScaleCases() []Case {
	var cases []Case
	for _, s := range [][2]int{{1, 1}, {0, 4}, {3, 7}, {5, 64}, {300, 37}} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("layer scale %d × %d", s[0], s[1]),
			Inputs: []Input{matrixInput(s[0], s[1]), matrixInput(1, s[1]), matrixInput(s[0], s[1])},
			Large:  s[0] > 100,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.LayerScale(in[0], in[1], in[2]))
			},
		})
	}
	return append(cases, Case{
		Name: "layer scale whose residual is its input", Inputs: []Input{matrixInput(5, 3), matrixInput(1, 3)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			x := t.LayerScale(in[0], in[1], in[0])
			return single(t.LayerScale(x, in[1], x))
		},
	})
}
