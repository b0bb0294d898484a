package selfcheck

import (
	"capgraph/internal/portable"
	"capgraph/kernels"
)

// Case is an operation at one size.
type Case struct {
	Name string
	// Operation is the name of the operation, such as "layer norm".
	Operation string
	Inputs    []Input
	// Apply executes the operation on values of the shapes of Inputs and returns the results.
	Apply func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var
	// Large cases are large enough to be split over processors, or have inputs at which there is no
	// derivative. They are not compared with central differences.
	Large bool
	// NoGradient says that the operation has no derivative and changes its inputs, as an optimiser
	// does.
	NoGradient bool
}

// Input is the shape of a value and the range of its elements: Centre ± Spread, where a Spread of 0
// stands for 1. Fixed inputs have no gradient.
type Input struct {
	Rows, Cols     int
	Centre, Spread float64
	Fixed          bool
}

// matrixInput returns an input of elements between -1 and 1.
func matrixInput(rows, cols int) Input { return Input{Rows: rows, Cols: cols} }

// Cases returns the cases of all operations.
func Cases() []Case {
	var all []Case
	contrastive, pairs, sigmoid := contrastiveCases()
	lse, focal := segmentCases()
	for _, o := range []struct {
		name  string
		cases []Case
	}{
		{"linear", linearCases()}, {"layer norm", layerNormCases()}, {"layer scale", layerScaleCases()}, {"batch norm", batchNormCases()},
		{"convolution", convolutionCases()}, {"unfold", unfoldCases()}, {"average pool", averagePoolCases()}, {"attention", attentionCases()}, {"attention in windows", windowAttentionCases()}, {"gather", gatherCases()},
		{"tokens", tokensCases()}, {"vision, patchify", visionCases()}, {"normalize", normalizeCases()}, {"similarity", similarityCases()},
		{"row dot", rowDotCases()}, {"contrastive", contrastive}, {"contrastive pairs", pairs}, {"contrastive sigmoid", sigmoid}, {"hinge", hingeCases()}, {"segments", lse}, {"focal", focal},
		{"slots", slotsCases()}, {"block product", blockProductCases()}, {"pooled cosine", pooledCosineCases()}, {"product", productCases()}, {"score", scoreCases()}, {"sum", sumCases()}, {"stack", stackCases()}, {"AdamW, norm, plain memory", optimiserCases()},
	} {
		for _, c := range o.cases {
			c.Operation = o.name
			all = append(all, c)
		}
	}
	return all
}

// randomNumbers returns random elements for an input, which are float32 numbers.
func (in Input) randomNumbers(seed uint64) []float64 {
	spread := in.Spread
	if spread == 0 {
		spread = 1
	}
	random := portable.SplitMix64(seed)
	out := make([]float64, in.Rows*in.Cols)
	for i := range out {
		u := float64(random.Next()>>43)/(1<<20) - 1
		out[i] = float64(float32(in.Centre + spread*u))
	}
	return out
}

// single returns v alone, as a result of Case.Apply.
func single(v *kernels.Var) []*kernels.Var { return []*kernels.Var{v} }

// drawIndices returns n random indices below most.
func drawIndices(n, most int, seed uint64) []int32 {
	random := portable.SplitMix64(seed)
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(random.IntN(most))
	}
	return out
}

// groupIndices returns the groups of equal values, from 0 to n-1, in the memory of the tape's
// device.
func groupIndices(t *kernels.Tape, values []int32, n int) kernels.Groups {
	var g kernels.Grouper
	distinct, bounds, order := g.GroupBy(values, n)
	return kernels.Groups{Values: t.Device.Ints(distinct), Bounds: t.Device.Ints(bounds), Order: t.Device.Ints(order)}
}

// startsOf returns the first row of each sequence of the given lengths, and the number of all rows
// at the end.
func startsOf(lengths ...int32) []int32 {
	out := []int32{0}
	for _, n := range lengths {
		out = append(out, out[len(out)-1]+n)
	}
	return out
}
