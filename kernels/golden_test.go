package kernels_test

import (
	"encoding/json"
	"os"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/selfcheck"
)

// golden is an operation as PyTorch does it: testdata/golden.py.
type golden struct {
	Lengths                  []int32
	Heads                    int
	Gamma, Smoothing, Weight float64
	Side, Patch              int
	Mean, Std                [3]float64
	Pixels                   []int
	Steps                    []struct{ G, Norm, P []float64 }

	X, W, B, Residual, Gain, Bias, QKV, S, P []float64
	Y, DY, Loss                              []float64
	DX, DW, DB, DResidual                    []float64
	DGain, DBias, DQKV, DS                   []float64
}

// starts returns where sequences of the lengths begin, and where the last ends.
func (g golden) starts() []int32 {
	out := []int32{0}
	for _, n := range g.Lengths {
		out = append(out, out[len(out)-1]+n)
	}
	return out
}

func readGolden(t *testing.T) map[string]golden {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]golden
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// place puts numbers into memory of the plain device.
func place(d kernels.Device, rows, cols int, numbers []float64) kernels.Tensor {
	t := kernels.Tensor{Rows: rows, Cols: cols, Memory: d.Alloc(rows * cols)}
	d.Write(t, numbers)
	return t
}

// plain returns a tape on the plain device.
func plain() *kernels.Tape {
	d := kernels.NewReference()
	return kernels.NewTape(d, kernels.NewArena(d, 0))
}

// same fails where numbers are not PyTorch's.
func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if d := selfcheck.Distance(got, want); !(d <= 1e-12) {
		t.Errorf("%s is %.3g from PyTorch's", what, d)
	}
}

func TestAttentionIsPyTorchs(t *testing.T) {
	for name, causal := range map[string]bool{"attention causal": true, "attention full": false} {
		g, tape := readGolden(t)[name], plain()
		starts := g.starts()
		n := int(starts[len(starts)-1])
		qkv := tape.Input(place(tape.Device, n, len(g.QKV)/n, g.QKV))
		y := tape.Attention(qkv, tape.Device.Ints(starts), g.Heads, causal)
		same(t, name, y.Value.F64, g.Y)
		tape.Seed(y, place(tape.Device, n, y.Value.Cols, g.DY))
		tape.Backward()
		same(t, name+": gradient", qkv.Grad.F64, g.DQKV)
	}
}

func TestLayerNormIsPyTorchs(t *testing.T) {
	g, tape := readGolden(t)["layer norm"], plain()
	x := tape.Input(place(tape.Device, 4, 6, g.X))
	gain, bias := tape.Input(place(tape.Device, 1, 6, g.Gain)), tape.Input(place(tape.Device, 1, 6, g.Bias))
	y := tape.LayerNorm(x, gain, bias, 1e-5)
	same(t, "layer norm", y.Value.F64, g.Y)
	tape.Seed(y, place(tape.Device, 4, 6, g.DY))
	tape.Backward()
	same(t, "gradient of x", x.Grad.F64, g.DX)
	same(t, "gradient of the gain", gain.Grad.F64, g.DGain)
	same(t, "gradient of the bias", bias.Grad.F64, g.DBias)
}

func TestLinearIsPyTorchs(t *testing.T) {
	for name, act := range map[string]kernels.Activation{"linear": kernels.NoActivation, "gelu": kernels.GELU, "quick gelu": kernels.QuickGELU} {
		g, tape := readGolden(t)[name], plain()
		x, w := tape.Input(place(tape.Device, 3, 5, g.X)), tape.Input(place(tape.Device, 4, 5, g.W))
		b, residual := tape.Input(place(tape.Device, 1, 4, g.B)), tape.Input(place(tape.Device, 3, 4, g.Residual))
		y := tape.Linear(x, w, b, residual, act)
		same(t, name, y.Value.F64, g.Y)
		tape.Seed(y, place(tape.Device, 3, 4, g.DY))
		tape.Backward()
		same(t, name+": gradient of x", x.Grad.F64, g.DX)
		same(t, name+": gradient of w", w.Grad.F64, g.DW)
		same(t, name+": gradient of b", b.Grad.F64, g.DB)
		same(t, name+": gradient of the residual", residual.Grad.F64, g.DResidual)
	}
}

// One of the rows is zero.
func TestNormalizeIsPyTorchs(t *testing.T) {
	g, tape := readGolden(t)["normalize"], plain()
	x := tape.Input(place(tape.Device, 3, 4, g.X))
	y := tape.Normalize(x)
	same(t, "normalize", y.Value.F64, g.Y)
	tape.Seed(y, place(tape.Device, 3, 4, g.DY))
	tape.Backward()
	for i := range 3 { // a row at a time: that of the zero row is 1e12 times the others
		same(t, "gradient", x.Grad.F64[4*i:4*i+4], g.DX[4*i:4*i+4])
	}
}

func TestContrastiveIsCrossEntropyBothWays(t *testing.T) {
	g, tape := readGolden(t)["contrastive"], plain()
	mask := make([]byte, 25)
	for i := range 5 {
		mask[6*i] = kernels.MaskPositive
	}
	s := tape.Input(place(tape.Device, 5, 5, g.S))
	loss := tape.Contrastive(s, tape.Device.Bytes(mask), 5, 0.1, 0.1)
	same(t, "loss", loss.Value.F64, g.Loss)
	tape.Seed(loss, kernels.Tensor{})
	tape.Backward()
	same(t, "gradient", s.Grad.F64, g.DS)
}

func TestSegmentFocalIsPyTorchs(t *testing.T) {
	g, tape := readGolden(t)["segment focal"], plain()
	s := tape.Input(place(tape.Device, 1, len(g.S), g.S))
	loss := tape.SegmentFocal(s, tape.Device.Ints(g.starts()), g.Weight, g.Gamma, g.Smoothing)
	same(t, "loss", loss.Value.F64, g.Loss)
	tape.Seed(loss, kernels.Tensor{})
	tape.Backward()
	same(t, "gradient", s.Grad.F64, g.DS)
}

func TestPatchesTimesWeightsAreTheFirstConvolution(t *testing.T) {
	g, tape := readGolden(t)["conv1"], plain()
	pixels := make([]byte, len(g.Pixels))
	for i, v := range g.Pixels {
		pixels[i] = byte(v)
	}
	patches := tape.Patchify(tape.Device.Bytes(pixels), g.Side, g.Patch, g.Mean, g.Std)
	w := tape.Constant(place(tape.Device, 4, 3*g.Patch*g.Patch, g.W))
	same(t, "conv1", tape.Linear(patches, w, nil, nil, kernels.NoActivation).Value.F64, g.Y)
}

// The gradients of some of the steps are longer than what they are clipped to.
func TestAdamWWithClippingIsPyTorchs(t *testing.T) {
	g, d := readGolden(t)["adamw"], kernels.NewReference()
	p, m, v := place(d, 1, 6, g.P), place(d, 1, 6, make([]float64, 6)), place(d, 1, 6, make([]float64, 6))
	squares, factor := place(d, 1, 1, []float64{0}), place(d, 1, 1, []float64{0})
	for i, step := range g.Steps {
		grad := place(d, 1, 6, step.G)
		d.SquareSum(squares, grad, false)
		same(t, "square of the norm", squares.F64, []float64{step.Norm[0] * step.Norm[0]})
		d.ClipFactor(factor, squares, 0.5)
		d.AdamW([]kernels.AdamWUpdate{{P: p, G: grad, M: m, V: v, AdamW: kernels.AdamW{LearningRate: 0.01, Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, WeightDecay: 0.2, Step: i + 1}}}, factor)
		same(t, "parameters", p.F64, step.P)
	}
}
