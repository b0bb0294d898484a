package devicetest

import (
	"capgraph/internal/portable"
	"capgraph/kernels"
)

// Case is an operation at one size.
type Case struct {
	Name string
	// Operation is what it is a case of, such as "layer norm".
	Operation string
	Inputs    []Input
	// Apply does the operation on values of the shapes of Inputs and returns what it
	// gives.
	Apply func(t *kernels.Tape, in []*kernels.Var) []*kernels.Var
	// Large cases are there for devices that share work out, or are at a number where
	// there is no derivative: central differences are not asked of them.
	Large bool
	// Plain cases are of operations that have no derivative and that change their
	// inputs, as an optimiser does.
	Plain bool
}

// Input is the shape of a value, and where its elements lie: at most Spread, or 1
// where that is 0, from Centre. Fixed ones have no gradient.
type Input struct {
	Rows, Cols     int
	Centre, Spread float64
	Fixed          bool
}

// matrix is an input of elements between -1 and 1.
func matrix(rows, cols int) Input { return Input{Rows: rows, Cols: cols} }

// Cases are all operations at all sizes.
func Cases() []Case {
	var all []Case
	for _, o := range []struct {
		name  string
		cases []Case
	}{
		{"linear", linearCases()}, {"layer norm", layerNormCases()}, {"layer scale", layerScaleCases()}, {"batch norm", batchNormCases()},
		{"convolution", convolutionCases()}, {"unfold", unfoldCases()}, {"average pool", averagePoolCases()}, {"attention", attentionCases()}, {"attention in windows", windowAttentionCases()}, {"gather", gatherCases()},
		{"tokens", tokensCases()}, {"vision, patchify", visionCases()}, {"normalize", normalizeCases()}, {"similarity", similarityCases()},
		{"row dot", rowDotCases()}, {"contrastive", contrastiveCases()}, {"hinge", hingeCases()}, {"segments", segmentCases()},
		{"slots", slotsCases()}, {"product", productCases()}, {"score", scoreCases()}, {"sum", sumCases()}, {"stack", stackCases()}, {"AdamW, norm, plain memory", optimiserCases()},
	} {
		for _, c := range o.cases {
			c.Operation = o.name
			all = append(all, c)
		}
	}
	return all
}

// numbers are n elements of an input, each exact in float32 where the centre is.
func (in Input) numbers(seed uint64) []float64 {
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

// one returns the result of an operation as a case wants it.
func one(v *kernels.Var) []*kernels.Var { return []*kernels.Var{v} }

// draw returns n indices below most.
func draw(n, most int, seed uint64) []int32 {
	random := portable.SplitMix64(seed)
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(random.Below(most))
	}
	return out
}

// groups groups indices for the device of a tape.
func groups(t *kernels.Tape, values []int32, n int) kernels.Groups {
	var g kernels.Grouper
	distinct, bounds, order := g.GroupBy(values, n)
	return kernels.Groups{Values: t.Device.Ints(distinct), Bounds: t.Device.Ints(bounds), Order: t.Device.Ints(order)}
}

// bounds are where sequences of the lengths begin, and where the last ends.
func bounds(lengths ...int32) []int32 {
	out := []int32{0}
	for _, n := range lengths {
		out = append(out, out[len(out)-1]+n)
	}
	return out
}
