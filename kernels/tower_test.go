package kernels_test

import (
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/selfcheck"
)

// tower is a small text tower on a tape, of which the tests below ask what no
// operation shows by itself.
type tower struct {
	width, heads                           int
	table, positions, scale, gain, bias, e *kernels.Var
	blocks                                 []towerBlock
}

type towerBlock struct{ gain, bias, in, inBias, out, up, down *kernels.Var }

const vocabulary, context = 23, 12

// newTower lays out a tower of two blocks with parameters of hashes, and returns
// all of them.
func newTower(d kernels.Device, width, heads int) (*tower, []*kernels.Var) {
	var all []*kernels.Var
	random := portable.SplitMix64(3)
	parameter := func(rows, cols int, centre float64) *kernels.Var {
		value := kernels.Tensor{Rows: rows, Cols: cols, Memory: d.Alloc(rows * cols)}
		numbers := make([]float64, rows*cols)
		for i := range numbers {
			numbers[i] = centre + 0.5*(float64(random.Next()>>11)/(1<<52)-1)
		}
		d.Write(value, numbers)
		all = append(all, kernels.NewParameter(value, kernels.Tensor{Rows: rows, Cols: cols, Memory: d.Alloc(rows * cols)}))
		return all[len(all)-1]
	}
	m := &tower{width: width, heads: heads, table: parameter(vocabulary, width, 0), positions: parameter(context, width, 0)}
	for range 2 {
		m.blocks = append(m.blocks, towerBlock{
			parameter(1, width, 1), parameter(1, width, 0), parameter(3*width, width, 0), parameter(1, 3*width, 0),
			parameter(width, width, 0), parameter(2*width, width, 0), parameter(width, 2*width, 0),
		})
	}
	m.gain, m.bias, m.e, m.scale = parameter(1, width, 1), parameter(1, width, 0), parameter(5, width, 0), parameter(1, 1, 2)
	return m, all
}

// packed are texts as the operations want them.
type packed struct {
	ids, starts, ends []int32
	byID, byEnd       [3][]int32
}

func pack(texts ...[]int32) packed {
	p := packed{starts: []int32{0}}
	for _, text := range texts {
		p.ids = append(p.ids, text...)
		p.starts = append(p.starts, int32(len(p.ids)))
		p.ends = append(p.ends, int32(len(p.ids)-1))
	}
	var a, b kernels.Grouper
	p.byID[0], p.byID[1], p.byID[2] = a.GroupBy(p.ids, vocabulary)
	p.byEnd[0], p.byEnd[1], p.byEnd[2] = b.GroupBy(p.ends, len(p.ids))
	return p
}

func groupsOf(d kernels.Device, by [3][]int32) kernels.Groups {
	return kernels.Groups{Values: d.Ints(by[0]), Bounds: d.Ints(by[1]), Order: d.Ints(by[2])}
}

// states are what the last block makes of each token.
func (m *tower) states(t *kernels.Tape, p *packed) *kernels.Var {
	starts := t.Device.Ints(p.starts)
	x := t.Tokens(m.table, m.positions, t.Device.Ints(p.ids), starts, groupsOf(t.Device, p.byID))
	for i := range m.blocks {
		b := &m.blocks[i]
		h := t.LayerNorm(x, b.gain, b.bias, 1e-5)
		h = t.Attention(t.Linear(h, b.in, b.inBias, nil, kernels.NoActivation), starts, m.heads, true)
		x = t.Linear(h, b.out, nil, x, kernels.NoActivation)
		h = t.Linear(x, b.up, nil, nil, kernels.QuickGELU)
		x = t.Linear(h, b.down, nil, x, kernels.NoActivation)
	}
	return x
}

// features are the normalised features of the texts, from their last tokens.
func (m *tower) features(t *kernels.Tape, p *packed) *kernels.Var {
	x := t.Gather(m.states(t, p), t.Device.Ints(p.ends), groupsOf(t.Device, p.byEnd))
	x = t.LayerNorm(x, m.gain, m.bias, 1e-5)
	return t.Normalize(t.Linear(x, m.e, nil, nil, kernels.NoActivation))
}

// step is a contrastive step of the texts with themselves, moved by one.
func (m *tower) step(t *kernels.Tape, p *packed, mask []byte) *kernels.Var {
	u := m.features(t, p)
	loss := t.Contrastive(t.Similarity(u, u, m.scale), t.Device.Bytes(mask), u.Value.Rows, 0.25, 0.25)
	t.Seed(loss, kernels.Tensor{})
	t.Backward()
	return loss
}

// shifted is the mask in which text i + 1 is true of text i.
func shifted(n int) []byte {
	mask := make([]byte, n*n)
	for i := range n {
		mask[i*n+(i+1)%n] = kernels.MaskPositive
	}
	return mask
}

var someTexts = [][]int32{{1, 4, 9, 22}, {1, 22}, {1, 4, 9, 9, 9, 4, 22}, {1, 7, 22}, {1, 4, 9, 22}}

func TestTextsPackedAreTextsAlone(t *testing.T) {
	tape := plain()
	m, parameters := newTower(tape.Device, 8, 2)
	gradients := func(run func()) (all []float64) {
		for _, v := range parameters {
			tape.Device.Zero(v.Grad)
		}
		run()
		for _, v := range parameters {
			all = append(all, v.Grad.F64...)
		}
		return all
	}
	together := pack(someTexts...)
	var features []float64
	packedGradients := gradients(func() {
		u := m.features(tape, &together)
		features = u.Value.F64
		tape.Seed(u, place(tape.Device, u.Value.Rows, u.Value.Cols, seeds(u.Value.Len())))
		tape.Backward()
	})
	aloneGradients := gradients(func() {
		for i, text := range someTexts {
			tape.Reset()
			one := pack(text)
			u := m.features(tape, &one)
			if d := selfcheck.Distance(u.Value.F64, features[5*i:5*i+5]); !(d <= 1e-12) {
				t.Errorf("text %d alone is %.3g from itself among others", i, d)
			}
			tape.Seed(u, place(tape.Device, 1, 5, seeds(len(features))[5*i:5*i+5]))
			tape.Backward()
		}
	})
	if d := selfcheck.Distance(aloneGradients, packedGradients); !(d <= 1e-12) {
		t.Errorf("the gradients of texts alone are %.3g from those of all together", d)
	}
}

// Padding after the end of a text, as CLIP pads to 77, changes no state before it.
func TestTextsPackedAreTextsPadded(t *testing.T) {
	tape := plain()
	m, _ := newTower(tape.Device, 8, 2)
	together := pack(someTexts...)
	var long [][]int32
	for _, text := range someTexts {
		long = append(long, append(text[:len(text):len(text)], make([]int32, context-len(text))...))
	}
	padded := pack(long...)
	for i, text := range someTexts {
		padded.ends[i] = int32(i*context + len(text) - 1)
	}
	got, want := m.features(tape, &together), m.features(tape, &padded)
	if d := selfcheck.Distance(got.Value.F64, want.Value.F64); !(d <= 1e-12) {
		t.Errorf("packed texts are %.3g from padded ones", d)
	}
}

// seeds are n numbers.
func seeds(n int) []float64 {
	random := portable.SplitMix64(9)
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(random.Next()>>11)/(1<<52) - 1
	}
	return out
}

func TestAStepAllocatesNothing(t *testing.T) {
	tape := plain()
	m, _ := newTower(tape.Device, 8, 2)
	p, mask := pack(someTexts...), shifted(len(someTexts))
	step := func() {
		tape.Reset()
		tape.Arena.Reset()
		tape.Device.Reset()
		m.step(tape, &p, mask)
	}
	step()
	step()
	if n := testing.AllocsPerRun(10, step); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

func TestPlanHasTheMemoryOfAStep(t *testing.T) {
	for _, c := range []struct {
		width, heads int
		texts        [][]int32
	}{{8, 2, someTexts}, {5, 1, someTexts[:1]}, {12, 3, append(someTexts, someTexts...)}} {
		p, mask := pack(c.texts...), shifted(len(c.texts))
		plan := &kernels.CountingDevice{ElementSize: 8}
		planned := kernels.NewCountingArena(plan)
		m, _ := newTower(plan, c.width, c.heads)
		m.step(kernels.NewTape(plan, planned), &p, mask)

		d := kernels.NewReference()
		arena := kernels.NewArena(d, planned.Peak())
		m, _ = newTower(d, c.width, c.heads)
		m.step(kernels.NewTape(d, arena), &p, mask)
		if arena.Peak() != planned.Peak() {
			t.Errorf("width %d: a step takes %d elements, planned were %d", c.width, arena.Peak(), planned.Peak())
		}
	}
}

func TestTheLossFallsAlongTheGradient(t *testing.T) {
	tape := plain()
	m, parameters := newTower(tape.Device, 8, 2)
	p, mask := pack(someTexts[:4]...), shifted(4)
	var first, last float64
	for step := range 30 {
		tape.Reset()
		tape.Arena.Reset()
		for _, v := range parameters {
			tape.Device.Zero(v.Grad)
		}
		last = m.step(tape, &p, mask).Value.F64[0]
		if step == 0 {
			first = last
		}
		for _, v := range parameters {
			tape.Device.AddScaled(v.Value, v.Grad, -0.02)
		}
	}
	if !(last < 0.9*first) {
		t.Errorf("30 steps took the loss from %.3f to %.3f", first, last)
	}
}
