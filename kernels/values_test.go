package kernels_test

import (
	"math"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/selfcheck"
)

// near fails where numbers are not what was worked out by hand.
func near(t *testing.T, what string, got kernels.Tensor, want ...float64) {
	t.Helper()
	if d := selfcheck.Distance(got.F64, want); !(d <= 1e-12) {
		t.Errorf("%s is %v, want %v", what, got.F64, want)
	}
}

func lse(v ...float64) float64 {
	var sum float64
	for _, x := range v {
		sum += math.Exp(x)
	}
	return math.Log(sum)
}

// Two images and three texts: text 1 is true of both, text 2 is a negative, and
// is left out of image 1, of which it is true too.
func TestContrastiveByHand(t *testing.T) {
	tape := plain()
	s := tape.Constant(place(tape.Device, 2, 3, []float64{3, 1, 2, 0, 4, 9}))
	mask := tape.Device.Bytes([]byte{kernels.MaskPositive, kernels.MaskPositive, kernels.MaskNegative, kernels.MaskNegative, kernels.MaskPositive, kernels.MaskIgnored})
	rows := lse(3, 1, 2) - 2 + lse(0, 4) - 4
	columns := lse(3, 0) - 3 + lse(1, 4) - 2.5
	near(t, "the loss", tape.Contrastive(s, mask, 2, 0.25, 0.125).Value, 0.25*rows+0.125*columns)
}

func TestHingeByHand(t *testing.T) {
	tape := plain()
	ints := tape.Device.Ints
	s := tape.Constant(place(tape.Device, 2, 3, []float64{3, 1, 2, 0, 4, 9}))
	thresholds := place(tape.Device, 1, 2, []float64{0.5, 2})
	loss, gap := tape.Hinge(s, thresholds, ints([]int32{0, 0, 1}), ints([]int32{0, 0, 1}), ints([]int32{1, 2, 2}), ints([]int32{0, 1, 0}), 0.1)
	near(t, "the gaps", gap, -2, -1, 5)
	near(t, "the loss", loss.Value, 0.1*(0+1+5.5))
}

func TestSegmentLSEByHand(t *testing.T) {
	tape := plain()
	s := tape.Constant(place(tape.Device, 1, 4, []float64{1, 5, 2, 2}))
	starts := tape.Device.Ints([]int32{0, 1, 1, 4})
	near(t, "the log-sum-exps", tape.SegmentLSE(s, starts).Value, 1, 0, lse(5, 2, 2))
}

// Without an exponent and smoothing it is the cross-entropy of the first.
func TestSegmentFocalByHand(t *testing.T) {
	tape := plain()
	s := tape.Constant(place(tape.Device, 1, 4, []float64{1, 5, 2, 2}))
	starts := tape.Device.Ints([]int32{0, 1, 1, 4})
	near(t, "the cross-entropy", tape.SegmentFocal(s, starts, 0.5, 0, 0).Value, 0.5*(lse(5, 2, 2)-5))
	first, other := lse(5, 2, 2)-5, lse(5, 2, 2)-2 // −log p
	term := func(minusLogP float64) float64 { return math.Pow(1-math.Exp(-minusLogP), 2) * minusLogP }
	near(t, "the focal loss", tape.SegmentFocal(s, starts, 0.5, 2, 0.3).Value, 0.5*(0.8*term(first)+2*0.1*term(other)))
}

// Where a softmax is 1 or 0 in float64, the loss and its gradient are their limits.
func TestSegmentFocalAtItsLimits(t *testing.T) {
	for _, c := range []struct{ gamma, right, loss, gradient float64 }{
		{0, 1e4, 0, 0}, {1, 1e4, 0, 0}, {1.5, 1e4, 0, 0}, {2, 1e4, 0, 0},
		{0, -1e4, 2e4, -1}, {1, -1e4, 2e4, -1}, {1.5, -1e4, 2e4, -1}, {2, -1e4, 2e4, -1},
	} {
		tape := plain()
		s := tape.Input(place(tape.Device, 1, 2, []float64{c.right, -c.right}))
		loss := tape.SegmentFocal(s, tape.Device.Ints([]int32{0, 2}), 1, c.gamma, 0)
		near(t, "the loss", loss.Value, c.loss)
		tape.Seed(loss, kernels.Tensor{})
		tape.Backward()
		near(t, "its gradient", s.Grad, c.gradient, -c.gradient)
	}
}

func TestSumOfARowByHand(t *testing.T) {
	tape := plain()
	x := tape.Input(place(tape.Device, 1, 4, []float64{1, 5, 2, -3}))
	sum := tape.SumRow(x, -0.5)
	near(t, "the sum", sum.Value, -2.5)
	tape.Seed(sum, kernels.Tensor{})
	tape.Backward()
	near(t, "its gradient", x.Grad, -0.5, -0.5, -0.5, -0.5)
}

func TestScoresByHand(t *testing.T) {
	tape := plain()
	ints := tape.Device.Ints
	nodes := tape.Constant(place(tape.Device, 1, 3, []float64{0.5, 1, -0.5}))
	relations := tape.Constant(place(tape.Device, 1, 1, []float64{0.25}))
	inverse := func(y float64) float64 { return math.Log(math.Expm1(y)) } // of softplus
	weights := tape.Constant(place(tape.Device, 1, 2, []float64{inverse(1.5), inverse(0.5)}))
	scale := tape.Constant(place(tape.Device, 1, 1, []float64{math.Log(10)}))
	s := tape.Score(nodes, relations, weights, scale, ints([]int32{0, 2, 2, 3}), ints([]int32{0, 1, 1, 1}))
	near(t, "scores", s.Value, 10*(1.5*1.5+0.5*0.25)/(2*1.5+0.5), 0, -5)
}

func TestProductsByHand(t *testing.T) {
	tape := plain()
	a, b := tape.Constant(place(tape.Device, 1, 2, []float64{2, 3})), tape.Constant(place(tape.Device, 2, 2, []float64{1, -1, 0, 4}))
	near(t, "a product", tape.Product(a, b, a, kernels.NoActivation).Value, 2+2, 10+3)
	near(t, "stacked rows", tape.Stack(a, b).Value, 2, 3, 1, -1, 0, 4)
}

// The queries of a graph share each patch, and each query's shares sum to 1.
func TestSlotsByHand(t *testing.T) {
	tape := plain()
	x := tape.Constant(place(tape.Device, 3, 2, []float64{0, math.Log(3), 0, 0, -7, 7}))
	y := tape.Slots(x, tape.Device.Ints([]int32{0, 2, 2, 3}))
	const e = 1e-8
	near(t, "the shares", y.Value,
		(0.5+e)/(1.25+2*e), (0.75+e)/(1.25+2*e),
		(0.5+e)/(0.75+2*e), (0.25+e)/(0.75+2*e),
		0.5, 0.5)
}

func TestEmbeddingsByHand(t *testing.T) {
	tape := plain()
	table := tape.Constant(place(tape.Device, 3, 2, []float64{1, 2, 3, 4, 5, 6}))
	positions := tape.Constant(place(tape.Device, 3, 2, []float64{10, 20, 30, 40, 50, 60}))
	tokens := tape.Tokens(table, positions, tape.Device.Ints([]int32{2, 0, 2}), tape.Device.Ints([]int32{0, 2, 2, 3}), kernels.Groups{})
	near(t, "tokens", tokens.Value, 15, 26, 31, 42, 15, 26)
	near(t, "gathered rows", tape.Gather(table, tape.Device.Ints([]int32{2, 0, 2}), kernels.Groups{}).Value, 5, 6, 1, 2, 5, 6)

	patches := tape.Constant(place(tape.Device, 4, 2, []float64{1, 1, 2, 2, 3, 3, 4, 4}))
	class := tape.Constant(place(tape.Device, 1, 2, []float64{7, 8}))
	near(t, "images", tape.Vision(patches, class, positions).Value, 17, 28, 31, 41, 52, 62, 17, 28, 33, 43, 54, 64)
}

func TestSimilarityByHand(t *testing.T) {
	tape := plain()
	u := tape.Constant(place(tape.Device, 2, 2, []float64{1, 0, 0.6, 0.8}))
	v := tape.Constant(place(tape.Device, 2, 2, []float64{0, 1, 1, 0}))
	scale := tape.Constant(place(tape.Device, 1, 1, []float64{math.Log(10)}))
	near(t, "similarities", tape.Similarity(u, v, scale).Value, 0, 10, 8, 6)
	near(t, "similarities of pairs", tape.RowDot(u, v, scale).Value, 0, 6)
}

// A text between two patches: as it weighs them by softmax, and by the similarities less the smallest.
func TestPooledCosineByHand(t *testing.T) {
	tape := plain()
	text := tape.Constant(place(tape.Device, 1, 2, []float64{0.6, 0.8}))
	patches := tape.Constant(place(tape.Device, 3, 2, []float64{1, 0, 0, 1, -1, 0}))
	one := func(n int32) kernels.Blocks {
		return kernels.Blocks{First: tape.Device.Ints([]int32{0}), Starts: tape.Device.Ints([]int32{0, n})}
	}
	s, g := tape.BlockProduct(text, patches, one(1)), tape.BlockProduct(patches, patches, one(3))
	near(t, "the similarities", s.Value, 0.6, 0.8, -0.6)
	near(t, "the products of patches", g.Value, 1, 0, -1, 0, 1, 0, -1, 0, 1)
	cosine := func(x, y float64) float64 { return (0.6*x + 0.8*y) / math.Hypot(x, y) }
	a, b, c := math.Exp(0.6), math.Exp(0.8), math.Exp(-0.6)
	near(t, "the cosine by softmax", tape.PooledCosine(s, g, one(1).Starts, kernels.SoftmaxWeights).Value, cosine(a-c, b))
	near(t, "the cosine by least and most", tape.PooledCosine(s, g, one(1).Starts, kernels.MinMaxWeights).Value, cosine(1.2, 1.4))
}
