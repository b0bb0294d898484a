package selfcheck

import (
	"fmt"
	"slices"

	"capgraph/kernels"
)

// The operations of the objectives.

func normalizeCases() []Case {
	var cases []Case
	for _, s := range [][2]int{{1, 1}, {0, 4}, {3, 7}, {301, 67}} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("normalize %d × %d", s[0], s[1]),
			Inputs: []Input{{Rows: s[0], Cols: s[1], Centre: 1, Spread: 3}}, Large: s[0] > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var { return single(t.Normalize(in[0])) },
		})
	}
	return append(cases, Case{
		Name: "normalize rows of no length", Inputs: []Input{{Rows: 3, Cols: 5, Spread: 1e-30}}, Large: true,
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var { return single(t.Normalize(in[0])) },
	})
}

func similarityCases() []Case {
	var cases []Case
	for _, s := range [][3]int{{1, 1, 1}, {3, 7, 5}, {2, 1, 4}, {0, 2, 3}, {67, 129, 64}, {9, 300, 31}} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("similarity %d × %d of %d", s[0], s[1], s[2]),
			Inputs: []Input{matrixInput(s[0], s[2]), matrixInput(s[1], s[2]), {Rows: 1, Cols: 1, Centre: 2}}, Large: s[1] > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Similarity(in[0], in[1], in[2]))
			},
		})
	}
	return append(cases, Case{
		Name: "similarity of values to themselves", Inputs: []Input{matrixInput(5, 3), {Rows: 1, Cols: 1}},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			return single(t.Similarity(in[0], in[0], in[1]))
		},
	})
}

func rowDotCases() []Case {
	var cases []Case
	for _, s := range [][2]int{{1, 1}, {0, 3}, {7, 5}, {211, 67}} {
		cases = append(cases, Case{
			Name:   fmt.Sprintf("row dot %d × %d", s[0], s[1]),
			Inputs: []Input{matrixInput(s[0], s[1]), matrixInput(s[0], s[1]), {Rows: 1, Cols: 1, Centre: 2}}, Large: s[0] > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.RowDot(in[0], in[1], in[2]))
			},
		})
	}
	return append(cases, Case{
		Name: "row dot of values with themselves", Inputs: []Input{matrixInput(5, 3), {Rows: 1, Cols: 1}},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			return single(t.RowDot(in[0], in[0], in[1]))
		},
	})
}

// contrastiveCases returns the cases of Contrastive, PairContrastive and SigmoidContrastive.
func contrastiveCases() (together, pairs, sigmoid []Case) {
	const o, y, x = kernels.MaskNegative, kernels.MaskPositive, kernels.MaskIgnored
	diagonal := func(n, m int) []byte {
		mask := make([]byte, n*m)
		for i := range min(n, m) {
			mask[i*m+i] = y
		}
		return mask
	}
	random := func(n, m int) []byte { // some rows have no positive, or nothing but ignored texts
		mask := diagonal(n, m)
		for i, v := range drawIndices(len(mask), 9, 5) {
			switch {
			case v == 0:
				mask[i] = y
			case v < 3:
				mask[i] = x
			}
		}
		for j := range m {
			mask[(n-1)*m+j] = x
		}
		return mask
	}
	for _, s := range []struct {
		name          string
		n, m, columns int
		mask          []byte
		spread        float64
	}{
		{"one image and its text", 1, 1, 1, []byte{y}, 2},
		{"the diagonal", 5, 5, 5, diagonal(5, 5), 5},
		{"negatives behind the texts", 3, 7, 3, diagonal(3, 7), 5},
		{"no column", 3, 4, 0, diagonal(3, 4), 5},
		{"no image", 0, 3, 3, nil, 1},
		{"a text of two images, and one left out", 3, 4, 3, []byte{y, y, o, x, o, y, x, o, o, o, y, o}, 3},
		{"an image without a true text", 3, 2, 2, []byte{y, o, o, o, o, y}, 3},
		{"an image of which all is left out", 2, 3, 3, []byte{y, y, o, x, x, x}, 3},
		{"nothing true", 2, 2, 2, []byte{o, x, x, o}, 3},
		{"logits of 100", 4, 4, 4, diagonal(4, 4), 100},
		{"a batch", 67, 131, 67, random(67, 131), 20},
		{"a long batch", 300, 41, 41, random(300, 41), 20},
	} {
		weight, inputs := 0.5/float64(max(1, s.n)), []Input{{Rows: s.n, Cols: s.m, Spread: s.spread}}
		together = append(together, Case{
			Name: "contrastive: " + s.name, Inputs: inputs, Large: s.n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Contrastive(in[0], t.Device.Bytes(s.mask), s.columns, weight, 0.25))
			},
		})
		pairs = append(pairs, Case{
			Name: "contrastive pairs: " + s.name, Inputs: inputs, Large: s.n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.PairContrastive(in[0], t.Device.Bytes(s.mask), s.columns, weight, 0.25))
			},
		})
		sigmoid = append(sigmoid, Case{
			Name: "contrastive sigmoid: " + s.name, Inputs: append(inputs, Input{Rows: 1, Cols: 1, Centre: -2}), Large: s.n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.SigmoidContrastive(in[0], in[1], t.Device.Bytes(s.mask), weight))
			},
		})
	}
	return together, pairs, sigmoid
}

func hingeCases() []Case {
	var cases []Case
	for _, s := range []struct {
		name                             string
		n, m, kinds                      int
		rows, positives, negatives, kind []int32
	}{
		{"one pair", 1, 2, 1, []int32{0}, []int32{0}, []int32{1}, []int32{0}},
		{"no pair", 2, 3, 4, nil, nil, nil, nil},
		{"a row without pairs, a positive of several", 4, 9, 3, []int32{0, 0, 0, 2, 3, 3}, []int32{0, 0, 1, 2, 3, 3}, []int32{4, 5, 5, 6, 7, 7}, []int32{0, 1, 2, 2, 0, 0}},
		{"a batch", 61, 130, 4, sortIndices(drawIndices(173, 61, 6)), drawIndices(173, 61, 7), drawIndices(173, 69, 8), drawIndices(173, 4, 9)},
	} {
		cases = append(cases, Case{
			Name:   "hinge: " + s.name,
			Inputs: []Input{{Rows: s.n, Cols: s.m, Spread: 8}, {Rows: 1, Cols: s.kinds, Centre: 2, Fixed: true}}, Large: s.n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				ints := t.Device.Ints
				loss, gap := t.Hinge(in[0], in[1].Value, ints(s.rows), ints(s.positives), ints(s.negatives), ints(s.kind), 0.3)
				return []*kernels.Var{loss, t.Constant(gap)}
			},
		})
	}
	return cases
}

// sortIndices returns indices in ascending order.
func sortIndices(v []int32) []int32 {
	slices.Sort(v)
	return v
}

// segmentCases returns the cases of SegmentLSE and SegmentFocal.
func segmentCases() (lse, focal []Case) {
	for _, lengths := range [][]int32{{1}, {}, {0}, {3, 0, 1, 5}, {4, 4, 0, 1, 100, 17}} {
		starts := startsOf(lengths...)
		n := int(starts[len(starts)-1])
		inputs := []Input{{Rows: 1, Cols: n, Spread: 5}}
		lse = append(lse, Case{
			Name:   fmt.Sprintf("segments %v", lengths),
			Inputs: inputs, Large: n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.SegmentLSE(in[0], t.Device.Ints(starts)))
			},
		})
		for _, f := range [][2]float64{{0, 0}, {0, 0.1}, {1, 0}, {2, 0.02}, {2.5, 0.5}} {
			focal = append(focal, focalCase(lengths, inputs, f[0], f[1], n > 20))
		}
	}
	for _, f := range [][2]float64{{0, 0}, {1, 0}, {1, 0.1}, {2, 0.02}} {
		focal = append(focal, focalCase([]int32{2, 3, 4, 5, 2, 3}, []Input{{Rows: 1, Cols: 19, Spread: 1e4}}, f[0], f[1], true))
	}
	return lse, focal
}

// focalCase returns a case of SegmentFocal.
func focalCase(lengths []int32, inputs []Input, gamma, smoothing float64, large bool) Case {
	starts := startsOf(lengths...)
	return Case{
		Name:   fmt.Sprintf("focal %v within %v, exponent %v, smoothing %v", lengths, inputs[0].Spread, gamma, smoothing),
		Inputs: inputs, Large: large,
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			return single(t.SegmentFocal(in[0], t.Device.Ints(starts), 0.7, gamma, smoothing))
		},
	}
}

func slotsCases() []Case {
	var cases []Case
	for _, s := range []struct {
		patches int
		lengths []int32
	}{{1, []int32{1}}, {3, []int32{5, 0, 2, 1}}, {4, []int32{}}, {49, []int32{7, 5, 0, 9, 6, 13}}} {
		starts := startsOf(s.lengths...)
		n := int(starts[len(starts)-1])
		cases = append(cases, Case{
			Name:   fmt.Sprintf("slots of %v queries, %d patches", s.lengths, s.patches),
			Inputs: []Input{{Rows: n, Cols: s.patches, Spread: 3}}, Large: n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.Slots(in[0], t.Device.Ints(starts)))
			},
		})
	}
	return cases
}

func sumCases() []Case {
	var cases []Case
	for _, n := range []int{0, 1, 7, 301} {
		cases = append(cases, Case{
			Name: fmt.Sprintf("sum of a row of %d", n), Inputs: []Input{{Rows: 1, Cols: n, Centre: 1}}, Large: n > 20,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var { return single(t.SumRow(in[0], -0.3)) },
		})
	}
	return append(cases, Case{
		Name: "sum of losses, one of weight 0 and one twice", Inputs: []Input{matrixInput(1, 1), matrixInput(1, 1), matrixInput(1, 1)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			return single(t.Sum([]*kernels.Var{in[0], in[1], in[2], in[0]}, []float64{0.5, 0, -2, 0.25}))
		},
	}, Case{
		Name: "sum of matrices", Inputs: []Input{matrixInput(3, 5), matrixInput(3, 5)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			return single(t.Sum(in, []float64{1, 0.2}))
		},
	})
}
