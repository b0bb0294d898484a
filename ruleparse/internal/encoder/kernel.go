package encoder

import "slices"

// kernelSet has the functions for one kind of CPU. Each gives the same bits as the portable one.
type kernelSet struct {
	name string
	// unsigned reports whether round adds 128 to each value, since products takes unsigned bytes.
	unsigned bool
	// rows is how many rows products computes at once. Buffers have a multiple of that many.
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

// finishFunc converts rows of integer sums into results.
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

// kernel is the kernelSet in use: the best that this CPU supports.
var kernel = kernels()[len(kernels())-1]

// kernels returns the kernel sets that this CPU supports, the best last.
func kernels() []*kernelSet { return append([]*kernelSet{&portable}, processorKernels()...) }

// startSums returns the initial values of the sums of a matrix. They cancel the 128 that round adds
// to each value if the kernel is unsigned.
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

// block returns the weights of outputs b to b+columns.
func (m *matrix) block(b int) []int8 { return m.weights[b*m.inputs:][:columns*m.inputs] }
