package selfcheck

import (
	"fmt"

	"capgraph/kernels"
)

// The operations that compare an image with scene graphs.

func productCases() []Case {
	var cases []Case
	for _, s := range []struct {
		n, k, m int
		large   bool
	}{{1, 1, 1, false}, {0, 3, 2, false}, {5, 0, 3, false}, {7, 5, 3, false}, {1, 33, 2, false}, {67, 49, 131, true}, {259, 300, 97, true}} {
		for _, act := range []kernels.Activation{kernels.NoActivation, kernels.GELU} {
			for _, added := range []bool{false, true} {
				inputs := []Input{matrixInput(s.n, s.k), matrixInput(s.k, s.m)}
				if added {
					inputs = append(inputs, matrixInput(s.n, s.m))
				}
				cases = append(cases, Case{
					Name:   fmt.Sprintf("product of %d × %d and %d × %d, activation %d, with more %v", s.n, s.k, s.k, s.m, act, added),
					Inputs: inputs, Large: s.large,
					Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
						in = append(in[:len(in):len(in)], nil)
						return single(t.Product(in[0], in[1], in[2], act))
					},
				})
			}
		}
	}
	return append(cases, Case{
		Name: "product of a matrix with itself, and itself besides", Inputs: []Input{matrixInput(4, 4)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			return single(t.Product(in[0], in[0], in[0], kernels.GELU))
		},
	})
}

func scoreCases() []Case {
	var cases []Case
	for _, s := range []struct {
		what             string
		nodes, relations []int32
	}{
		{"one node", []int32{1}, []int32{0}},
		{"no graph", nil, nil},
		{"an empty one", []int32{2, 0, 1}, []int32{1, 0, 0}},
		{"relations alone", []int32{0, 3}, []int32{2, 0}},
		{"thirty nodes", []int32{3, 30, 2, 5}, []int32{2, 40, 0, 1}},
	} {
		nodes, relations := startsOf(s.nodes...), startsOf(s.relations...)
		cases = append(cases, Case{
			Name: "scores: " + s.what,
			Inputs: []Input{
				matrixInput(1, int(nodes[len(nodes)-1])), matrixInput(1, int(relations[len(relations)-1])),
				{Rows: 1, Cols: 2, Centre: 0.5, Spread: 2}, {Rows: 1, Cols: 1, Centre: 2},
			},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Score(in[0], in[1], in[2], in[3], t.Device.Ints(nodes), t.Device.Ints(relations)))
			},
		})
	}
	return cases
}

func stackCases() []Case {
	var cases []Case
	for _, rows := range [][2]int{{2, 3}, {0, 2}, {4, 0}} {
		cases = append(cases, Case{
			Name: fmt.Sprintf("stack of %d and %d rows", rows[0], rows[1]), Inputs: []Input{matrixInput(rows[0], 5), matrixInput(rows[1], 5)},
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var { return single(t.Stack(in[0], in[1])) },
		})
	}
	return append(cases, Case{
		Name: "stack of a matrix and itself", Inputs: []Input{matrixInput(3, 2)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var { return single(t.Stack(in[0], in[0])) },
	})
}
