package encoder

import "slices"

// kernelSet is the functions of a kind of processor. Each returns the bits of the portable one.
type kernelSet struct {
	name string
	// unsigned tells that round adds 128 to each value, as products takes them.
	unsigned bool
	// rows is how many rows products computes at once. Buffers have room for a multiple of them.
	rows int

	products func(sums, start []int32, q, weights []int8, rows, inputs int)
	finish   [3]finishFunc // by finish
	largest  func(x []float32) float32
	round    func(q []int8, x []float32, factor float32)
	norm     func(x, gamma, beta []float32)
	scores   func(scores, query, keys []float32, stride, n int)
	softmax  func(shares, scores []float32, n int)
	context  func(out, shares, values []float32, stride, n int)
}

// finishFunc turns rows of sums into results.
type finishFunc func(y []float32, stride int, sums []int32, steps, scales, biases []float32, rows int)

var portable = kernelSet{
	name: "portable", rows: 1,
	products: portableProducts,
	finish:   [...]finishFunc{portableFinish(store), portableFinish(storeGELU), portableFinish(addTo)},
	largest:  portableLargest,
	round:    portableRound,
	norm:     portableNorm,
	scores:   portableScores,
	softmax:  portableSoftmax,
	context:  portableContext,
}

// kernel is the kernel of this processor: the last one that it supports.
var kernel = kernels()[len(kernels())-1]

// kernels returns the kernels that this processor has, the best last.
func kernels() []*kernelSet { return append([]*kernelSet{&portable}, processorKernels()...) }

// startSums returns what the sums of a matrix begin with: what unsigned values add too much.
func (k *kernelSet) startSums(m *matrix) []int32 {
	start := make([]int32, len(m.scales))
	if !k.unsigned {
		return start
	}
	ones := slices.Repeat([]int8{1}, k.rows*m.inputs)
	sums, zeros := make([]int32, k.rows*columns), make([]int32, columns)
	for b := 0; b < len(start); b += columns {
		k.products(sums, zeros, ones, m.block(b), k.rows, m.inputs)
		for o := range columns {
			start[b+o] = -128 * sums[o]
		}
	}
	return start
}

// block returns the weights of the outputs from b on, as many as a kernel computes.
func (m *matrix) block(b int) []int8 { return m.weights[b*m.inputs:][:columns*m.inputs] }
