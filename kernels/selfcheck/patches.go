package selfcheck

import (
	"fmt"

	"capgraph/kernels"
)

// The operations that compare texts with the patches of images.

// patchShape has the sizes of a case: texts, and images whose patches they are compared with.
type patchShape struct {
	name           string
	texts          int
	first, lengths []int32 // for each image, its first text, and its number of texts
	patches, width int
	large          bool
}

func patchShapes() []patchShape {
	return []patchShape{
		{"one text and one image", 1, []int32{0}, []int32{1}, 1, 3, false},
		{"one text and several patches", 1, []int32{0}, []int32{1}, 4, 3, false},
		{"texts of their images, one without, one left out", 6, []int32{0, 3, 3}, []int32{3, 0, 2}, 3, 5, false},
		{"all texts with all images", 4, []int32{0, 0, 0}, []int32{4, 4, 4}, 5, 4, false},
		{"as many texts of each image, some between them, some shared", 8, []int32{0, 3, 6, 2, 1, 1}, []int32{2, 2, 2, 2, 2, 2}, 3, 4, false},
		{"texts that overlap", 5, []int32{0, 1, 2}, []int32{3, 3, 3}, 2, 4, false},
		{"no text", 0, []int32{0, 0}, []int32{0, 0}, 3, 2, false},
		{"a batch of texts of their images", 211, []int32{0, 40, 40, 77}, []int32{40, 0, 37, 134}, 49, 67, true},
		{"a batch of all texts with all images", 101, []int32{0, 0, 0}, []int32{101, 101, 101}, 50, 64, true},
	}
}

// makeBlocks returns the blocks of the shape in the memory of the tape's device.
func (s patchShape) makeBlocks(t *kernels.Tape) kernels.Blocks {
	return kernels.Blocks{First: t.Device.Ints(s.first), Starts: t.Device.Ints(startsOf(s.lengths...))}
}

// makeInputs returns the texts and the patches.
func (s patchShape) makeInputs() []Input {
	return []Input{matrixInput(s.texts, s.width), matrixInput(s.patches*len(s.first), s.width)}
}

func blockProductCases() []Case {
	var cases []Case
	for _, s := range patchShapes() {
		cases = append(cases, Case{
			Name: "block product: " + s.name, Inputs: s.makeInputs(), Large: s.large,
			Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
				return single(t.BlockProduct(in[0], in[1], s.makeBlocks(t)))
			},
		})
	}
	return append(cases, Case{
		Name: "block product of patches with themselves", Inputs: []Input{matrixInput(6, 4)},
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			b := kernels.Blocks{First: t.Device.Ints([]int32{0, 3}), Starts: t.Device.Ints([]int32{0, 3, 6})}
			return single(t.BlockProduct(in[0], in[0], b))
		},
	})
}

// pooledCosineCases returns cases whose inner products are those of real patches; arbitrary ones
// may be impossible. With MinMaxWeights the gradient differs from central differences, because the
// weights count as constants.
func pooledCosineCases() []Case {
	var cases []Case
	for _, s := range patchShapes() {
		for weights, name := range []string{kernels.SoftmaxWeights: "softmax", kernels.MinMaxWeights: "min-max"} {
			weights := kernels.PatchWeights(weights)
			cases = append(cases, Case{
				Name: fmt.Sprintf("pooled cosine, %s: %s", name, s.name), Inputs: s.makeInputs(), Large: s.large || weights == kernels.MinMaxWeights,
				Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
					products := s
					products.first, products.lengths = nil, nil
					for i := range s.first {
						products.first, products.lengths = append(products.first, int32(i*s.patches)), append(products.lengths, int32(s.patches))
					}
					g := t.BlockProduct(in[1], in[1], products.makeBlocks(t))
					b := s.makeBlocks(t)
					return single(t.PooledCosine(t.BlockProduct(in[0], in[1], b), g, b.Starts, weights))
				},
			})
		}
	}
	return append(cases, Case{
		Name: "pooled cosine: patches that are all as near", Inputs: []Input{{Rows: 1, Cols: 3, Centre: 0.5, Spread: 1e-30}, {Rows: 3, Cols: 3, Centre: 1, Spread: 1e-30}}, Large: true,
		Apply: func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var {
			return single(t.PooledCosine(in[0], in[1], t.Device.Ints([]int32{0, 1}), kernels.MinMaxWeights))
		},
	})
}
